"""Experiments on random labels, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.random_labels import experiment


def test_random_labels_have_the_energy_of_structured_ones():
    structured, noise = experiment.label_spectra(n_seeds=20)
    assert structured.shape == noise.shape == (20, 50)
    assert (noise**2).sum(axis=1).mean() == pytest.approx((structured**2).sum(axis=1).mean(), rel=0.02)


def test_training_follows_the_singular_values():
    """A second route: every aligned student's error is that of its modes, each on its own."""
    runs = experiment.label_training(n_times=17, n_seeds=2)
    data = experiment.structured_and_random(experiment.teachers_of_three(range(2)))
    values = np.linalg.svd(data, compute_uv=False)
    np.testing.assert_allclose(runs.train["aligned"], experiment.fitted_error(runs.times, values), atol=1e-4)
    assert runs.delay((0.9, 0.5)).shape == (2, 2, 2)
    assert runs.delay((0.9,)).min() > 0


def test_both_routes_to_the_head_start_agree():
    trained = experiment.dilution_training(ranks=(1, 50), n_seeds=2)
    computed = experiment.dilution_spectra(ranks=(1, 50), n_seeds=2)
    np.testing.assert_allclose(trained.values, computed.values)
    np.testing.assert_allclose(trained.head_start, computed.head_start, atol=5e-3)  # by interpolation on other grids
    assert computed.head_start[:, 0].min() > computed.head_start[:, 1].max()


def test_the_aligned_student_of_digits_follows_from_nine_numbers():
    runs = experiment.digits_training(n_times=13, n_shuffles=2)
    assert runs.shape == (1797, 61, 9)
    predicted = experiment.fitted_error(runs.times, runs.values)
    np.testing.assert_allclose(runs.left["aligned"], predicted, atol=1e-5)
    learnable = (runs.values**2).sum(axis=-1)[..., None] / 9
    np.testing.assert_allclose(runs.train["aligned"], 1 - learnable * (1 - predicted), atol=1e-5)
    np.testing.assert_allclose(experiment.shuffled_digits(runs.times, n_shuffles=2), predicted[:, 1])


def test_more_examples_double_the_ratio():
    ratios = experiment.ratios_of_tops(n_seeds=2)
    assert ratios[400] / ratios[100] == pytest.approx(2, rel=0.1)


def test_without_noise_the_structured_task_is_finished_first():
    structured, noise = experiment.finished(0.01)
    assert structured < noise / 2


def test_chance_is_weaker_and_later_on_cancer_data():
    strengths, halves = experiment.cancer_half_times(n_shuffles=2)
    assert halves.shape == (2, 2)
    assert strengths[0] > 2 * strengths[1]
    assert halves[:, 0].max() < halves[:, 1].min()
