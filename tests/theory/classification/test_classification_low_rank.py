"""The bounds of the benefit, and the loss for low-rank teachers."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from mtlbook_lib.theory.classification import benefit_bounds, lowrank_generalization_loss
from mtlbook_lib.theory.softmax import lowrank_label_laplacian

K, D = 4, 9


def test_bounds_hold_on_the_same_sample():
    rng = np.random.default_rng(8)
    x = rng.normal(size=(500, D))
    y = np.eye(K)[rng.integers(0, K, size=500)]

    def loss(w):
        return np.mean(logsumexp(x @ w.T, axis=1) - np.sum(y * (x @ w.T), axis=1))

    def softmax_covariance(w):
        return softmax(x @ w.T, axis=1).T @ x / len(x)

    for size in (1e-3, 0.3, 3.0):
        single, multi = size * rng.normal(size=(2, K, D))
        lower, upper = benefit_bounds(single, multi, y.T @ x / len(x), softmax_covariance)
        assert lower - 1e-12 <= loss(single) - loss(multi) <= upper + 1e-12
        # The gap is of second order, the two bounds the slopes at both ends of a convex curve.
        step = 1e-5 * (multi - single)
        assert lower == pytest.approx((loss(multi - step) - loss(multi + step)) / 2e-5, abs=1e-6)
        assert upper == pytest.approx((loss(single - step) - loss(single + step)) / 2e-5, abs=1e-6)
    assert benefit_bounds(single, single, y.T @ x / len(x), softmax_covariance) == (0.0, 0.0)


def test_low_rank_loss_through_the_laplacian():
    """Route two: the mean log partition function by samples of its own, less the exact term of the labels."""
    rng = np.random.default_rng(11)
    modes = np.linalg.qr(rng.normal(size=(6, 3)))[0]
    logits = 2.0 * (1.5 * rng.normal(size=(100000, 3)) @ modes.T + rng.normal(size=(100000, 6)))
    partition = logsumexp(logits, axis=1) - logits.mean(axis=1)
    labels = 3.0 * np.trace(modes.T @ lowrank_label_laplacian(modes) @ modes)
    value, error = lowrank_generalization_loss(2.0, 1.5, modes, np.random.default_rng(12), 11)
    assert abs(partition.mean() - labels - value) < 4 * np.hypot(partition.std() / np.sqrt(100000), error)


def test_low_rank_value_and_error_are_those_of_the_replicates():
    """Two replicates are their mean plus and minus their standard error; four are those of two runs in turn."""
    modes, first, second = FLAT, np.random.default_rng(20), np.random.default_rng(20)
    replicates = []
    for _ in range(2):
        value, error = lowrank_generalization_loss(1.3, 2.0, modes, first, 4, 2)
        replicates += [value - error, value + error]
    value, error = lowrank_generalization_loss(1.3, 2.0, modes, second, 4, 4)
    assert value == pytest.approx(np.mean(replicates), rel=1e-13)
    assert error == pytest.approx(np.std(replicates, ddof=1) / 2, rel=1e-11)


MODES = np.linalg.qr(np.random.default_rng(18).normal(size=(5, 4)))[0]
FLAT = MODES[:, :2]
