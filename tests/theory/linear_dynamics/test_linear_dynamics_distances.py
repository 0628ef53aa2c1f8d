"""Distances of balanced students from goals: the maps of the exact flow give the same."""

import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import balanced_distances, balanced_flow

TIMES = np.array([0.0, 0.2, 1.0, 2.5, 6.0, 15.0, 40.0])


def random_student(rng, n_inputs, n_hidden, n_outputs, eps):
    first, second = (np.linalg.qr(rng.normal(size=(rows, n_hidden)))[0] for rows in (n_inputs, n_outputs))
    return np.sqrt(eps) * first.T, np.sqrt(eps) * second


def noisy_target(rng, n_outputs, n_inputs):
    return np.eye(n_outputs, n_inputs) + rng.normal(size=(n_outputs, n_inputs)) / np.sqrt(n_inputs)


@pytest.mark.parametrize("shape", [(10, 4, 6), (6, 6, 6), (5, 3, 9), (7, 2, 2)])
def test_distances_are_those_of_the_maps(shape):
    n_inputs, n_hidden, n_outputs = shape
    rng = np.random.default_rng(15)
    students = [random_student(rng, n_inputs, n_hidden, n_outputs, 1e-2) for _ in range(3)]
    first = np.stack([s[0] for s in students])[:, None]
    second = np.stack([s[1] for s in students])[:, None]
    targets = np.stack([noisy_target(rng, n_outputs, n_inputs) for _ in range(2)])
    goals = [targets, noisy_target(rng, n_outputs, n_inputs), np.zeros((3, 1, n_outputs, n_inputs))]
    maps = balanced_flow(first, second, targets, TIMES)
    distances = balanced_distances(first, second, targets, TIMES, goals)
    assert distances.shape == (3, 3, 2, 7)
    for goal, found in zip(goals, distances, strict=True):
        expected = np.sum((maps - goal[..., None, :, :]) ** 2, axis=(-2, -1))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    single = balanced_distances(first[1, 0], second[1, 0], targets[1], TIMES, goals[1:2])
    np.testing.assert_allclose(single[0], distances[1, 1, 1], rtol=1e-12, atol=1e-13)


def test_goals_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="goals must be maps with the last axes"):
        balanced_distances(np.eye(3, 6) / 3, np.eye(4, 3) / 3, np.ones((4, 6)), [0.0, 1.0], [np.ones((6, 4))])
