"""Experiments on loss weights and digit tasks, at tiny size."""

import numpy as np

from mtlbook_lib.chapters.part4.loss_weights import experiment, shared_inputs


def test_weight_zero_is_the_single_task_and_relatedness_decides_at_weight_one():
    benefit = experiment.weighted([0.0, 1.0], [0.0, 1.0], n_seeds=2, n_test=500)
    assert benefit.shape == (2, 2, 2)
    np.testing.assert_allclose(benefit[:, 0], 0.0, atol=1e-6)
    assert benefit[:, 1, 0].mean() < -0.03
    assert benefit[:, 1, 1].mean() > 0.05


def test_gradients_start_at_a_right_angle_and_turn_to_the_same_side():
    course = experiment.gradient_course([0.0, 1.0], n_seeds=3)
    assert course.cosine.shape == (3, 2, len(course.times))
    assert np.all(np.abs(course.cosine) <= 1)
    assert np.abs(course.cosine[..., 0].mean()) < 0.05
    at = list(course.times).index(8.0)
    assert np.all(course.cosine[..., at].mean(axis=0) > 0.05)
    assert np.all(course.cosine[..., -1] < 0)


def test_the_same_digits_are_fully_related_and_help_and_shuffled_ones_are_not():
    pairs = experiment.digit_pairs(n_splits=3)
    assert pairs.benefit.shape == pairs.relatedness.shape == (3, len(pairs.names))
    by_name = dict(zip(pairs.names, range(len(pairs.names)), strict=True))
    np.testing.assert_allclose(pairs.relatedness[:, by_name["ten digits"]], 1.0)
    assert pairs.benefit[:, by_name["ten digits"]].mean() > 0.05
    shuffled = by_name["shuffled labels"]
    assert abs(pairs.relatedness[:, shuffled].mean()) < 0.15
    assert abs(pairs.benefit[:, shuffled].mean()) < 0.05


def test_tasks_label_the_digits_as_they_say():
    assert [len(classes) for classes in experiment.TASKS.values()] == [10] * len(experiment.TASKS)
    assert [i for i, value in enumerate(experiment.TASKS["has a loop"]) if value] == [0, 6, 8, 9]
    assert experiment.TASKS["odd or even"][7] == 1


def test_the_harm_of_an_unrelated_task_is_that_of_the_weighted_students():
    harm = experiment.unrelated_harm([0.0, 1.0], n_seeds=2, n_test=500)
    benefit = experiment.weighted([0.0, 1.0], [0.0], n_seeds=2, n_test=500)
    assert harm.shape == (2, 2)
    np.testing.assert_allclose(harm, -benefit[..., 0])


def test_gradients_of_tasks_with_all_inputs_in_common_are_those_of_one_matrix():
    """At a share of 1 the gradients are S times the teachers, and noise; without noise their cosine is theirs in S²."""
    rng = np.random.default_rng(0)
    rows, teachers = rng.normal(size=(12, 5)), rng.normal(size=(5, 2))
    found = shared_inputs._gradients(rows, rows @ teachers)
    np.testing.assert_allclose(found, -(rows.T @ rows @ teachers).T / 12, rtol=1e-12)


def test_common_inputs_raise_cosines_and_own_laws_leave_none_without_them():
    few = shared_inputs.shared_inputs("few examples", n_seeds=40)
    assert few.related.shape == few.unrelated.shape == few.told_apart.shape == (40, len(shared_inputs.SHARES))
    assert few.related[:, -1].mean() > few.related[:, 0].mean() + 0.1
    assert abs(few.unrelated.mean()) < 0.05
    apart = shared_inputs.shared_inputs("many examples, laws apart", n_seeds=3)
    np.testing.assert_array_equal(apart.related[:, 0], 0.0)
    assert np.all(apart.related[:, -1] > 0.2)


def test_told_apart_compares_with_the_unrelated_pair_of_another_draw():
    cosines = np.array([[0.5], [0.1], [0.3]]), np.array([[0.2], [0.4], [0.0]])
    found = shared_inputs.Shared(*cosines, np.zeros(1), np.zeros(1))
    assert found.told_apart.tolist() == [[1.0], [0.0], [0.0]]
