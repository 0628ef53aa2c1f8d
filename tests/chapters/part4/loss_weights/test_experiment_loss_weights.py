"""Experiments on loss weights and digit tasks, at tiny size."""

import numpy as np

from mtlbook_lib.chapters.part4.loss_weights import shared_inputs


def test_gradients_of_tasks_with_all_inputs_in_common_are_those_of_one_matrix():
    """At a share of 1 the gradients are S times the teachers, and noise; without noise their cosine is theirs in S²."""
    rng = np.random.default_rng(0)
    rows, teachers = rng.normal(size=(12, 5)), rng.normal(size=(5, 2))
    found = shared_inputs._gradients(rows, rows @ teachers)
    np.testing.assert_allclose(found, -(rows.T @ rows @ teachers).T / 12, rtol=1e-12)


def test_told_apart_compares_with_the_unrelated_pair_of_another_draw():
    cosines = np.array([[0.5], [0.1], [0.3]]), np.array([[0.2], [0.4], [0.0]])
    found = shared_inputs.Shared([0.5], *cosines, np.zeros(1))
    assert found.told_apart.tolist() == [[1.0], [0.0], [0.0]]
