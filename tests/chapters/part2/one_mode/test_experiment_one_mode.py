"""The experiments of the chapter on one mode, at tiny sizes."""

import numpy as np
import pytest
import torch

from mtlbook_lib.chapters.part2.one_mode import experiment

TIMES = np.array([0.5, 1.0])


def test_downhill_is_the_slope_of_the_loss():
    """Second route: a finite difference of half the loss along one weight, from the covariances alone."""
    net = experiment.downhill(n=4, n_hidden=2, n_examples=9, seed=3)

    def loss(shift):
        first = net.first.copy()
        first[1, 2] += shift
        w = net.second @ first
        return 0.5 * np.trace(w @ net.sigma11 @ w.T) - np.trace(w @ net.sigma31.T)

    slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
    assert net.direction.size == net.first.size + net.second.size
    assert net.direction[4 + 2] == pytest.approx(-slope, rel=1e-6)


def test_a_tilt_leaves_the_start_but_hastens_growth():
    at_start = np.array([0.0, 0.5])
    even = experiment.noisy_growth(at_start, n_seeds=1)
    tilted = experiment.noisy_growth(at_start, tilt=2.0, n_seeds=1)
    assert even.strength.shape == (1, 2, 50)
    assert tilted.strength[0, 0] == pytest.approx(even.strength[0, 0])
    assert np.all(tilted.strength[0, 1, :3] > 1.5 * even.strength[0, 1, :3])
    assert even.strength == pytest.approx(even.predicted, abs=1e-7)


def test_identities_do_not_depend_on_the_precision_of_the_book(monkeypatch):
    double = experiment.deep_growth(TIMES, depths=(3,))[0]
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    assert experiment.off_diagonal(TIMES, depths=(2,), n_seeds=1) == pytest.approx(0, abs=1e-10)
    assert experiment.imbalance_drift(0.5, depths=(2, 3), n_seeds=2) == pytest.approx(0, abs=1e-9)
    single = experiment.deep_growth(TIMES, depths=(3,))[0]
    assert single.strength == pytest.approx(double.strength, rel=1e-12)
    assert single.depth == 3


def test_the_drift_of_imbalance_is_a_difference_that_can_be_seen():
    """Of layers that are not trained by the flow: a student and its double."""
    layers = [torch.tensor([[1.0, 2.0]], dtype=torch.float64), torch.tensor([[3.0]], dtype=torch.float64)]
    assert float(experiment._imbalance(layers)[0]) == 9 - 5
    assert float(experiment._imbalance([2 * layers[0], layers[1]])[0]) == 9 - 20


def test_the_front_is_between_the_modes_around_one_half():
    modes = np.array([[3.0, 2.0, 1.0]])
    logit = np.array([1.0, -1.0, -2.0])
    share = 1 / (1 + np.exp(-logit))
    found = experiment.Growth(np.array([1.0]), modes, (share * modes)[:, None])
    assert experiment.half_learned(found) == pytest.approx([2.5])


def test_a_wave_that_skips_a_mode_is_counted():
    shares = np.array([[[0.9, 0.2, 0.8, 0.1], [0.9, 0.8, 0.2, 0.1]]])
    found = experiment.Growth(np.arange(2.0), np.ones((1, 4)), shares)
    assert experiment.overtaken(found).tolist() == [1, 0]
