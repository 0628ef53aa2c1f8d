"""Losses of linear classifiers on clean labels, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.classification_loss import experiment
from mtlbook_lib.simulation import one_step
from mtlbook_lib.theory.classification import optimal_loss


def test_curve_is_the_optimal_loss():
    overlaps = np.array([0.0, 0.05, 0.31, 0.77, 0.951, 0.9993, 1.0])
    assert experiment.curve(overlaps) == pytest.approx(optimal_loss(overlaps, 10), abs=2e-6)


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
