"""Bias and variance at a fixed ratio of heads: written out with inverses, by Monte Carlo, and in the limits."""

import numpy as np
import pytest
from hard_sharing_draws import covariance

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(6)
X1, X2 = RNG.normal(size=(9, 4)), RNG.normal(size=(7, 4)) * [3, 1, 1, 0.3]
S1, S2 = X1.T @ X1, X2.T @ X2
THETA1, THETA2 = RNG.normal(size=(2, 4))
TARGET = covariance(0, 4, 5.0)
PAIR = (S1, S2, THETA1, THETA2)


@pytest.mark.parametrize("ratio", [-0.3, 0.01, 1.0, 2.5])
def test_written_out_with_inverses(ratio):
    inverse = np.linalg.inv(S1 / ratio**2 + S2)
    bias = inverse @ S1 @ (ratio * THETA1 - THETA2) / ratio**2
    spread = inverse @ (0.7**2 * S1 / ratio**2 + 0.4**2 * S2) @ inverse
    squared, variance = hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, ratio, TARGET)
    assert (type(squared), type(variance)) == (float, float)
    assert squared == pytest.approx(bias @ TARGET @ bias, rel=1e-10)
    assert variance == pytest.approx(np.trace(TARGET @ spread), rel=1e-10)


def test_a_target_that_sees_fewer_directions_than_the_source():
    ratio, seen = 2.5, np.diag([4.0, 1.0, 0.0, 0.0])
    source = np.diag([3.0, 2.0, 5.0, 0.5])
    inverse = np.linalg.inv(source / ratio**2 + seen)
    spread = inverse @ (0.7**2 * source / ratio**2 + 0.4**2 * seen) @ inverse
    bias = inverse @ source @ (ratio * THETA1 - THETA2) / ratio**2
    found = hard_sharing.pooled_bias_variance(source, seen, THETA1, THETA2, 0.7, 0.4, ratio, TARGET)
    assert found == pytest.approx((bias @ TARGET @ bias, np.trace(TARGET @ spread)), rel=1e-9)


def test_monte_carlo_of_the_shared_fit():
    draws, ratio = 40_000, 1.4
    y1 = X1 @ THETA1 + 0.7 * RNG.normal(size=(draws, 9))
    y2 = X2 @ THETA2 + 0.4 * RNG.normal(size=(draws, 7))
    # The loss itself: the target's coefficients w = B A_2 predict the source through w / t.
    rows, labels = np.vstack([X1 / ratio, X2]), np.hstack([y1, y2])
    errors = labels @ np.linalg.pinv(rows).T - THETA2
    risks = np.einsum("ri,ij,rj->r", errors, TARGET, errors)
    mean = errors.mean(axis=0)
    squared, variance = hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, ratio, TARGET)
    assert abs(risks.mean() - squared - variance) < 4 * risks.std() / np.sqrt(draws)
    assert abs(mean @ TARGET @ mean - squared) < 4 * 2 * np.sqrt(squared * variance / draws)


def test_limits_of_the_ratio():
    alone = 0.4**2 * np.trace(TARGET @ np.linalg.inv(S2))
    assert hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, 1e9, TARGET) == pytest.approx((0, alone), abs=1e-8)
    squared, variance = hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, 1e-7, TARGET)
    assert squared == pytest.approx(THETA2 @ TARGET @ THETA2, rel=1e-5)
    assert variance == pytest.approx(0, abs=1e-10)
    extreme = np.array(hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, [1e-200, 1e200], TARGET))
    np.testing.assert_allclose(extreme, [[THETA2 @ TARGET @ THETA2, 0], [0, alone]], rtol=1e-10, atol=1e-100)


def test_equal_tasks_pool_their_examples():
    squared, variance = hard_sharing.pooled_bias_variance(S1, S2, THETA1, THETA1, 0.5, 0.5, 1.0, TARGET)
    assert squared == pytest.approx(0, abs=1e-20)
    assert variance == pytest.approx(0.25 * np.trace(TARGET @ np.linalg.inv(S1 + S2)), rel=1e-10)


def test_a_source_of_another_scale_is_absorbed_by_the_ratio():
    result = hard_sharing.pooled_bias_variance(*PAIR, 0.7, 0.4, 1.4, TARGET)
    scaled = hard_sharing.pooled_bias_variance(1e8 * S1, S2, 1e-4 * THETA1, THETA2, 0.7, 0.4, 1.4e4, TARGET)
    assert scaled == pytest.approx(result, rel=1e-9)
    flipped = hard_sharing.pooled_bias_variance(S1, S2, -THETA1, THETA2, 0.7, 0.4, -1.4, TARGET)
    assert flipped == pytest.approx(result, rel=1e-10)
    both = hard_sharing.pooled_bias_variance(S1, S2, 3 * THETA1, 3 * THETA2, 2.1, 1.2, 1.4, TARGET)
    assert both == pytest.approx(np.multiply(result, 9), rel=1e-10)


def test_a_singular_task_is_completed_by_the_other():
    x1 = X1 * [1, 1, 0, 0]
    squared, variance = hard_sharing.pooled_bias_variance(x1.T @ x1, S2, THETA1, THETA2, 0.7, 0.4, 1.4, np.eye(4))
    inverse = np.linalg.inv(x1.T @ x1 / 1.96 + S2)
    bias = inverse @ x1.T @ x1 @ (1.4 * THETA1 - THETA2) / 1.96
    assert squared == pytest.approx(bias @ bias, rel=1e-10)
    spread = inverse @ (0.49 * x1.T @ x1 / 1.96 + 0.16 * S2) @ inverse
    assert variance == pytest.approx(np.trace(spread), rel=1e-10)


def test_arrays_give_what_a_loop_gives():
    noise1, ratio = np.array([[0.1], [0.5]]), np.array([0.5, 1.0, -2.0])
    squared, variance = hard_sharing.pooled_bias_variance(*PAIR, noise1, 0.4, ratio, TARGET)
    assert squared.shape == variance.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        one = hard_sharing.pooled_bias_variance(*PAIR, noise1[i, 0], 0.4, ratio[j], TARGET)
        assert (squared[i, j], variance[i, j]) == pytest.approx(one, rel=1e-12)
