"""Experiments on random labels, at tiny size."""

import numpy as np

from mtlbook_lib.chapters.part2.random_labels import experiment


def test_training_follows_the_singular_values():
    """A second route: every aligned student's error is that of its modes, each on its own."""
    runs = experiment.label_training(n_times=17, n_seeds=2)
    data = experiment.structured_and_random(experiment.teachers_of_three(range(2)))
    values = np.linalg.svd(data, compute_uv=False)
    np.testing.assert_allclose(runs.train["aligned"], experiment.fitted_error(runs.times, values), atol=1e-4)
    assert runs.delay((0.9, 0.5)).shape == (2, 2, 2)
    assert runs.delay((0.9,)).min() > 0


def test_the_aligned_student_of_digits_follows_from_nine_numbers():
    runs = experiment.digits_training(n_times=13, n_shuffles=2)
    assert runs.shape == (1797, 61, 9)
    predicted = experiment.fitted_error(runs.times, runs.values)
    np.testing.assert_allclose(runs.left["aligned"], predicted, atol=1e-5)
    learnable = (runs.values**2).sum(axis=-1)[..., None] / 9
    np.testing.assert_allclose(runs.train["aligned"], 1 - learnable * (1 - predicted), atol=1e-5)
    np.testing.assert_allclose(experiment.shuffled_digits(runs.times, n_shuffles=2), predicted[:, 1])
