"""Bias and variance at a fixed ratio of heads: with inverses, by Monte Carlo, in the limits, and where ranges end."""

import numpy as np
import pytest
from hard_sharing_draws import covariance

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing.equivalent import make_gaussian_pair
from mtlbook_lib.theory.hard_sharing.pencil import make_pencil

RNG = np.random.default_rng(6)
X1, X2 = RNG.normal(size=(9, 4)), RNG.normal(size=(7, 4)) * [3, 1, 1, 0.3]
S1, S2 = X1.T @ X1, X2.T @ X2
THETA1, THETA2 = RNG.normal(size=(2, 4))
TARGET = covariance(0, 4, 5.0)
PAIR = (S1, S2, THETA1, THETA2)


def written(s1, s2, theta1, theta2, sigma1, sigma2, ratio, target):
    """Bias and variance with inverses, as the docstring prints them."""
    inverse = np.linalg.inv(s1 / ratio**2 + s2)
    bias = inverse @ s1 @ (ratio * theta1 - theta2) / ratio**2
    spread = inverse @ (sigma1**2 * s1 / ratio**2 + sigma2**2 * s2) @ inverse
    return bias @ target @ bias, np.trace(target @ spread)


BLIND = np.diag([1.0, 1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "tasks",
    [
        *((*PAIR, 0.7, 0.4, ratio, TARGET) for ratio in (-0.3, 0.01, 1.0, 2.5)),
        (np.diag([3.0, 2.0, 5.0, 0.5]), np.diag([4.0, 1.0, 0.0, 0.0]), THETA1, THETA2, 0.7, 0.4, 2.5, TARGET),
        (BLIND @ S1 @ BLIND, S2, THETA1, THETA2, 0.7, 0.4, 1.4, np.eye(4)),
        (*(np.array([[s]]) for s in (3.0, 2.0)), np.array([1.5]), np.array([0.4]), 0.7, 0.5, 1.3, np.array([[2.5]])),
    ],
)
def test_written_out_with_inverses(tasks):
    squared, variance = hard_sharing.pooled_bias_variance(*tasks)
    assert (type(squared), type(variance)) == (float, float)
    assert (squared, variance) == pytest.approx(written(*tasks), rel=1e-9)


FIRST, SECOND = np.array([1.0, -0.5, 2.0]), np.array([0.7, 0.4, 1.5])
POOLED = {"theta1": FIRST, "theta2": SECOND, "sigma1": 0.7, "sigma2": 0.4, "ratio": 1.3, "target_cov": np.eye(3)}


def test_what_no_task_sees_is_refused_and_what_one_hardly_sees_is_not():
    for weak in (1e-14, 0.0):
        for first in (np.diag([1.0, 1e-8, weak]), np.diag([1.0, weak, weak])):
            with pytest.raises(ValueError, match="both must add up to a nonsingular matrix"):
                make_pencil(first, first, "both")
    with pytest.raises(ValueError, match="both must add up to a nonsingular matrix"):
        make_pencil(np.zeros((3, 3)), np.zeros((3, 3)), "both")
    for size in (2, 100):  # of many inputs each has a small share of the trace
        first = np.eye(size)
        first[0, 0] = 1e-11
        pencil = make_pencil(first, 3 * first, "both")
        np.testing.assert_allclose(pencil.mu, 0.5, rtol=1e-9)


def test_the_pencil_makes_both_covariances_diagonal_at_every_scale():
    roots = RNG.normal(size=(2, 5, 5))
    for scales in ((1.0, 1.0), (1e9, 1e-9)):
        first, second = (scale * root @ root.T for scale, root in zip(scales, roots, strict=True))
        pencil = make_pencil(first, second, "both")
        np.testing.assert_allclose(pencil.scales, [np.trace(first), np.trace(second)], rtol=1e-14)
        np.testing.assert_allclose(pencil.inverse @ pencil.basis, np.eye(5), atol=1e-9)
        for one, scale, share in ((first, 0, pencil.mu), (second, 1, 1 - pencil.mu)):
            turned = pencil.basis.T @ one @ pencil.basis / pencil.scales[scale]
            np.testing.assert_allclose(turned, np.diag(share), atol=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_task_without_inputs_leaves_all_to_the_other(scale):
    """Without a source least squares of the target; without a target the source's coefficients times the ratio."""
    root = RNG.normal(size=(3, 3))
    seen, none = scale * root @ root.T, np.zeros((3, 3))
    target = np.diag([1.0, 2.0, 0.5])
    arguments = POOLED | {"target_cov": target}
    inverse = np.trace(target @ np.linalg.inv(seen))
    found = hard_sharing.pooled_bias_variance(none, seen, **arguments)
    assert found == pytest.approx((0, 0.4**2 * inverse), rel=1e-9, abs=1e-20)
    gap = 1.3 * FIRST - SECOND
    found = hard_sharing.pooled_bias_variance(seen, none, **arguments)
    assert found == pytest.approx((gap @ target @ gap, (1.3 * 0.7) ** 2 * inverse), rel=1e-9)


def test_endless_ratios_of_a_target_that_is_blind_to_a_direction_are_refused():
    """What the source alone sees has a variance that grows as the square of the ratio."""
    singular = np.diag([1.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="ratio must be at most 1e\\+100 in size"):
        hard_sharing.pooled_bias_variance(np.eye(3), singular, **(POOLED | {"ratio": -2e100}))
    one, ten = (hard_sharing.pooled_bias_variance(np.eye(3), singular, **(POOLED | {"ratio": t})) for t in (1e90, 1e91))
    assert ten == pytest.approx(np.multiply(one, 100), rel=1e-9)


def test_the_two_tasks_of_a_pair_are_treated_alike():
    """Exchanging them exchanges their risks, and changes neither the loss nor the direction they share."""
    pair, _ = make_gaussian_pair((S1, TARGET), (9, 8), (THETA1, THETA2), (0.7, 0.4), 1.0)
    swapped, _ = make_gaussian_pair((TARGET, S1), (8, 9), (THETA2, THETA1), (0.4, 0.7), 1.0)
    heads = np.array([[0.6, -1.1]])
    risks, loss = pair.errors(heads)
    other_risks, other_loss = swapped.errors(heads[:, ::-1])
    np.testing.assert_allclose(risks, other_risks[:, ::-1], rtol=1e-9)
    np.testing.assert_allclose(loss, other_loss, rtol=1e-9)
    np.testing.assert_allclose(pair.direction(heads), swapped.direction(heads[:, ::-1]), rtol=1e-9)
