"""Losses of linear classifiers on clean labels, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.classification_loss import experiment
from mtlbook_lib.simulation import one_step
from mtlbook_lib.theory.classification import generalization_loss, label_agreement, optimal_loss, teacher_overlap


def test_curve_is_the_optimal_loss():
    overlaps = np.array([0.0, 0.05, 0.31, 0.77, 0.951, 0.9993, 1.0])
    assert experiment.curve(overlaps) == pytest.approx(optimal_loss(overlaps, 10), abs=2e-6)


def test_losses_of_isotropic_logits():
    scales = np.array([0.0, 1.0, 3.0])
    mean, error = experiment.isotropic_losses(scales, (-0.5, 0.8), n_seeds=6, n_draws=4000)
    exact = np.array([generalization_loss(scales, rho, 10) for rho in (-0.5, 0.8)])
    assert mean[:, 0] == pytest.approx([np.log(10)] * 2)
    assert np.all(np.abs(mean - exact)[:, 1:] < 6 * error[:, 1:])


def test_agreement_of_labels():
    places = np.array([-0.4, 0.6])
    mean, error = experiment.agreements(places, (2, 30), n_seeds=8, n_draws=4000)
    exact = np.array([label_agreement(places, k) for k in (2, 30)])
    assert np.all(np.abs(mean - exact) < 6 * error + 1e-6)


def test_noisy_teachers_lie_on_the_curve_at_their_own_overlap():
    found = experiment.noisy_teachers((1.0, 3.0), 60, n_seeds=6, n_draws=8000)
    mean, error = found.surplus()
    assert found.loss.shape == (6, 2)
    assert np.all(np.abs(mean) < 0.01 + 6 * error)
    assert found.overlap.mean(axis=0) == pytest.approx(teacher_overlap(np.array([1.0, 3.0])), abs=0.06)
    assert found.agreement == pytest.approx(label_agreement(found.overlap, 10), abs=0.03)


def test_one_step_students_follow_the_prediction():
    ratios = (1.0, 8.0)
    found, with_noisy = experiment.one_step_students(ratios, 60, (1.0, 2.0), n_seeds=8, n_draws=6000)[2.0]
    predicted = experiment.predicted_overlap(np.array(ratios), 60, 2.0)
    assert with_noisy.shape == (8, 2)
    assert found.overlap.mean(axis=0) == pytest.approx(predicted, abs=0.04)
    assert with_noisy.mean(axis=0) * teacher_overlap(2.0) == pytest.approx(predicted, abs=0.04)
    assert found.loss.mean(axis=0) == pytest.approx(optimal_loss(predicted, 10), abs=0.06)
    rate = experiment.predicted_multiple(np.array(ratios), 60, 2.0)
    assert found.multiple.mean(axis=0) == pytest.approx(rate, rel=0.2)


def test_a_batch_of_settings_gives_what_single_ones_give():
    both = experiment.noisy_teachers((1.0, 3.0), 30, n_seeds=2, n_draws=2000)
    one = experiment.noisy_teachers((3.0,), 30, n_seeds=2, n_draws=2000)
    assert one.overlap[:, 0] == pytest.approx(both.overlap[:, 1])
    assert one.loss[:, 0] == pytest.approx(both.loss[:, 1])


def test_best_multiple_of_a_step_is_its_best_rate():
    """Descent with the predicted rate is not better with any other."""
    rate = experiment.predicted_multiple(np.array([4.0]), 100, 1e6)[0]
    rng = np.random.default_rng(0)
    teachers = np.stack([np.linalg.qr(rng.standard_normal((100, 10)))[0].T for _ in range(8)])
    maps = one_step.one_step_maps(teachers, [400], range(8))[:, 0]
    losses = one_step.losses(rate * np.array([0.7, 1.0, 1.4]), maps, teachers, range(8), 8000).mean(axis=0)
    assert losses.argmin() == 1
