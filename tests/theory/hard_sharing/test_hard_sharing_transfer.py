"""Ratio of heads and transfer at large sizes: the minimum, and scales."""

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
