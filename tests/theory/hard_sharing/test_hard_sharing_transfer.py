"""Ratio of heads and transfer at large sizes: the minimum, limits, scales, Monte Carlo with fitted heads."""

import numpy as np
import pytest
from hard_sharing_draws import covariance

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(8)
SIZE = 12
COV1, COV2 = covariance(3, SIZE, 20.0), covariance(4, SIZE, 5.0)
THETA1 = RNG.normal(size=SIZE) / np.sqrt(SIZE)
THETA2 = 0.7 * THETA1 + 0.3 * RNG.normal(size=SIZE) / np.sqrt(SIZE)
SETTING = (COV1, COV2, 50, 40, THETA1, THETA2, 0.6, 0.8)


@pytest.mark.parametrize("flip", [1.0, -1.0])
@pytest.mark.parametrize(("n1", "n2", "sigma1"), [(50, 40, 0.6), (5, 30, 0.1), (1000, 20, 2.0)])
def test_ratio_is_the_least_loss_of_a_fine_grid(n1, n2, sigma1, flip):
    setting = (COV1, COV2, n1, n2, flip * THETA1, THETA2, sigma1, 0.8)
    ratio, shared, single = hard_sharing.asymptotic_transfer(*setting)
    assert [type(value) for value in (ratio, shared, single)] == [float] * 3
    grid = np.exp(np.linspace(-12, 12, 4001))
    grid = np.concatenate([-grid, grid])
    losses = hard_sharing.asymptotic_risk(*setting, grid)[1]
    assert ratio == pytest.approx(grid[np.argmin(losses)], rel=0.006)
    risk, loss = hard_sharing.asymptotic_risk(*setting, ratio)
    assert loss <= np.min(losses)
    assert shared == pytest.approx(risk, rel=1e-10)
    assert single == pytest.approx(0.64 * SIZE / (n2 - SIZE - 1), rel=1e-12)
    nearby = hard_sharing.asymptotic_risk(*setting, ratio * np.array([1 - 1e-4, 1 + 1e-4]))[1]
    assert np.all(nearby > loss)


@pytest.mark.parametrize("free", [False, True])
def test_scales_and_bases_are_absorbed(free):
    ratio, shared, single = hard_sharing.asymptotic_transfer(*SETTING, free)
    inputs = hard_sharing.asymptotic_transfer(1e8 * COV1, COV2, 50, 40, 1e-4 * THETA1, THETA2, 0.6, 0.8, free)
    assert inputs == pytest.approx((1e4 * ratio, shared, single), rel=1e-6)
    target = hard_sharing.asymptotic_transfer(COV1, 1e-9 * COV2, 50, 40, THETA1, 10**4.5 * THETA2, 0.6, 0.8, free)
    assert target == pytest.approx((10**4.5 * ratio, shared, single), rel=1e-6)
    labels = hard_sharing.asymptotic_transfer(COV1, COV2, 50, 40, -3 * THETA1, 3 * THETA2, 1.8, 2.4, free)
    assert labels == pytest.approx((-ratio, 9 * shared, 9 * single), rel=1e-6)
    mixing = RNG.normal(size=(SIZE, SIZE)) + 3 * np.eye(SIZE)
    other = [np.linalg.solve(mixing.T, theta) for theta in (THETA1, THETA2)]
    mixed = hard_sharing.asymptotic_transfer(
        mixing @ COV1 @ mixing.T, mixing @ COV2 @ mixing.T, 50, 40, *other, 0.6, 0.8, free
    )
    assert mixed == pytest.approx((ratio, shared, single), rel=1e-5)


def test_a_source_without_signal_is_ignored():
    ratio, shared, _ = hard_sharing.asymptotic_transfer(COV1, COV2, 50, 40, 0 * THETA1, 5 * THETA2, 0.1, 0.8)
    assert ratio == np.inf
    assert shared == pytest.approx(0.64 * SIZE / (40 - SIZE), rel=1e-6)


def test_a_target_without_signal_gets_no_head():
    ratio, shared, _ = hard_sharing.asymptotic_transfer(COV1, COV2, 50, 40, 5 * THETA1, 0 * THETA2, 0.1, 0.1)
    assert ratio == 0
    assert shared == pytest.approx(0, abs=1e-6)


def free_risk(setting, t):
    """The d + 1 parameters in another chart: the target's coefficients, and 1/t, with a fixed point of its own."""
    cov1, cov2, n1, n2, theta1, theta2, sigma1, sigma2 = setting
    e = np.ones(2)
    for _ in range(300):
        pulls = np.array([n1, n2]) * np.array([t**-2, 1]) / (1 + np.array([t**-2, 1]) * e)
        q = np.linalg.inv(pulls[0] * cov1 + pulls[1] * cov2)
        e = np.array([np.trace(cov1 @ q), np.trace(cov2 @ q)])
    mean = theta2 + pulls[0] * q @ cov1 @ (t * theta1 - theta2)
    layers = np.column_stack([np.eye(SIZE) / t, mean]), np.column_stack([np.eye(SIZE), np.zeros(SIZE)])
    covs = [layer.T @ cov @ layer for layer, cov in zip(layers, (cov1, cov2), strict=True)]
    truths = np.append(t * theta1, 0), np.append(theta2, 0)
    e, n = np.ones(2), np.array([n1, n2])
    for _ in range(300):
        pulls = n / (1 + e)
        q = np.linalg.inv(pulls[0] * covs[0] + pulls[1] * covs[1])
        e = np.array([np.trace(cov @ q) for cov in covs])
    gap = truths[0] - truths[1]
    mean2 = pulls[0] * q @ covs[0] @ gap
    mean1 = mean2 - gap
    plain = np.array([mean1 @ covs[0] @ mean1 + sigma1**2, mean2 @ covs[1] @ mean2 + sigma2**2])
    mixing = [[pulls[h] ** 2 / n[h] * np.trace(covs[g] @ q @ covs[h] @ q) for h in range(2)] for g in range(2)]
    return np.linalg.solve(np.eye(2) - np.array(mixing), plain)[1] - sigma2**2


def test_free_ratio_in_another_chart():
    ratio, shared, _ = hard_sharing.asymptotic_transfer(*SETTING, True)
    assert ratio == hard_sharing.asymptotic_transfer(*SETTING)[0]
    assert shared == pytest.approx(free_risk(SETTING, ratio), rel=1e-8)


def test_arrays_give_what_a_loop_gives():
    n1, sigma2 = np.array([[30], [90]]), np.array([0.5, 2.0])
    setting = (COV1, COV2, n1, 40, THETA1, THETA2, 0.8, sigma2)
    for free in (False, True):
        found = hard_sharing.asymptotic_transfer(*setting, free)
        assert [values.shape for values in found] == [(2, 2)] * 3
        for i, j in np.ndindex(2, 2):
            one = hard_sharing.asymptotic_transfer(COV1, COV2, n1[i, 0], 40, THETA1, THETA2, 0.8, sigma2[j], free)
            assert [values[i, j] for values in found] == pytest.approx(one, rel=1e-12)
