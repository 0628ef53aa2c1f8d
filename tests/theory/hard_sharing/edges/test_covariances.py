"""Two covariances at the ends of what they may be: rounding, singular ones, extreme ratios, few examples."""

from __future__ import annotations

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing.pencil import make_covariance, make_pencil

RNG = np.random.default_rng(21)
THETA1, THETA2 = np.array([1.0, -0.5, 2.0]), np.array([0.7, 0.4, 1.5])
POOLED = {"theta1": THETA1, "theta2": THETA2, "sigma1": 0.7, "sigma2": 0.4, "ratio": 1.3, "target_cov": np.eye(3)}
LARGE = {"cov1": np.eye(3), "cov2": np.eye(3), "n1": 9, "n2": 8, "theta1": THETA1, "theta2": THETA2,
         "sigma1": 0.7, "sigma2": 0.4, "ratio": 1.3}  # fmt: skip
SCALES = [1e-12, 1e-3, 1.0, 1e12]


@pytest.mark.parametrize("scale", SCALES)
def test_a_covariance_may_be_off_by_rounding_and_no_more(scale):
    slanted = np.diag([2.0, 1.0, 0.0])
    slanted[0, 1] = 1e-10 * 2.0  # exactly what is forgiven
    np.testing.assert_allclose(make_covariance("s1", scale * slanted), scale * (slanted + slanted.T) / 2, rtol=1e-14)
    slanted[0, 1] *= 2
    with pytest.raises(ValueError, match="s1 must be symmetric"):
        make_covariance("s1", scale * slanted)
    make_covariance("s1", scale * np.diag([2.0, 1.0, -1.9e-10]))
    with pytest.raises(ValueError, match="s1 must have no negative eigenvalue"):
        make_covariance("s1", scale * np.diag([2.0, 1.0, -2.1e-10]))


@pytest.mark.parametrize("scale", SCALES)
def test_covariances_of_fewer_directions_pass_with_their_rounding(scale):
    for _ in range(20):
        rows = RNG.normal(size=(2, 4)) * [1, 1, 1, 0]
        given = scale * rows.T @ rows
        np.testing.assert_allclose(make_covariance("s1", given), given, rtol=1e-12, atol=1e-12 * scale)


def test_shapes_are_named():
    for value, message in (
        (np.ones((3, 2)), r"s1 must have shape \(3, 3\); got \(3, 2\)"),
        (np.ones((0, 0)), r"s1 must have shape \('?d'?, '?d'?\); got \(0, 0\)"),
        (np.ones(3), "s1 must have 2 axes"),
    ):
        with pytest.raises(ValueError, match=message):
            hard_sharing.pooled_bias_variance(value, np.eye(3), **POOLED)


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
        for covariance, scale, share in ((first, 0, pencil.mu), (second, 1, 1 - pencil.mu)):
            turned = pencil.basis.T @ covariance @ pencil.basis / pencil.scales[scale]
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
    gap = 1.3 * THETA1 - THETA2
    found = hard_sharing.pooled_bias_variance(seen, none, **arguments)
    assert found == pytest.approx((gap @ target @ gap, (1.3 * 0.7) ** 2 * inverse), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_a_target_blind_to_directions_in_any_basis(scale):
    for _ in range(10):
        roots = RNG.normal(size=(3, 3)), RNG.normal(size=(3, 2))
        first, second = (scale * root @ root.T for root in roots)
        inverse = np.linalg.inv(first / 1.3**2 + second)
        bias = inverse @ first @ (1.3 * THETA1 - THETA2) / 1.3**2
        spread = inverse @ (0.7**2 * first / 1.3**2 + 0.4**2 * second) @ inverse
        found = hard_sharing.pooled_bias_variance(first, second, **POOLED)
        assert found == pytest.approx((bias @ bias, np.trace(spread)), rel=1e-6)


def test_one_input():
    found = hard_sharing.pooled_bias_variance([[3.0]], [[2.0]], [1.5], [0.4], 0.7, 0.5, 1.3, [[2.5]])
    weight = 3.0 / 1.69
    bias = weight * (1.3 * 1.5 - 0.4) / (weight + 2.0)
    variance = (0.49 * weight + 0.25 * 2.0) / (weight + 2.0) ** 2
    assert found == pytest.approx((2.5 * bias**2, 2.5 * variance), rel=1e-12)


def test_a_test_covariance_of_rounding_below_zero_leaves_no_negative_risk():
    for _ in range(20):
        direction = RNG.normal(size=(3, 1)) * [[1], [1], [1e-9]]
        target = direction @ direction.T
        away = np.cross(direction[:, 0], [0.3, 0.2, 1.0])  # the test inputs do not see this difference of the tasks
        arguments = POOLED | {"theta1": (THETA2 + away) / 1.3, "sigma1": 0.0, "sigma2": 0.0, "target_cov": target}
        squared, variance = hard_sharing.pooled_bias_variance(np.eye(3), np.eye(3), **arguments)
        assert 0 <= squared < 1e-14
        assert variance == 0


def test_a_zero_among_ratios_is_refused():
    with pytest.raises(ValueError, match="ratio must not be 0"):
        hard_sharing.pooled_bias_variance(np.eye(3), np.eye(3), **(POOLED | {"ratio": [1.0, 0.0]}))
    with pytest.raises(ValueError, match="ratio must not be 0"):
        hard_sharing.asymptotic_risk(**(LARGE | {"ratio": [1.0, 0.0]}))


def test_endless_ratios_have_their_limits_or_are_refused():
    """A source of few examples beside a target of many at a vanishing ratio, which the risk stops to depend on."""
    few = LARGE | {"n1": 2, "n2": 8}
    near, *far = (hard_sharing.asymptotic_risk(**(few | {"ratio": t})) for t in (1e-9, 1e-200, -1e-300))
    assert far[0] == pytest.approx(near, rel=1e-7)
    flipped = hard_sharing.asymptotic_risk(**(few | {"ratio": -1e-9}))
    assert far[1] == pytest.approx(flipped, rel=1e-7)
    blind = LARGE | {"n1": 8, "n2": 2}  # the target's fit copies the source's noise, times the ratio
    one, ten = (hard_sharing.asymptotic_risk(**(blind | {"ratio": t}))[0] for t in (1e90, 1e91))
    assert ten == pytest.approx(100 * one, rel=1e-9)
    with pytest.raises(ValueError, match="ratio must be at most 1e\\+100 in size"):
        hard_sharing.asymptotic_risk(**(blind | {"ratio": [1.0, -2e100]}))
    hard_sharing.asymptotic_risk(**(LARGE | {"ratio": 1e200}))
    singular = np.diag([1.0, 1.0, 0.0])
    with pytest.raises(ValueError, match="ratio must be at most 1e\\+100 in size"):
        hard_sharing.pooled_bias_variance(np.eye(3), singular, **(POOLED | {"ratio": -2e100}))
    one, ten = (hard_sharing.pooled_bias_variance(np.eye(3), singular, **(POOLED | {"ratio": t})) for t in (1e90, 1e91))
    assert ten == pytest.approx(np.multiply(one, 100), rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n1": [1.0, 9.0], "n2": [2.0, 9.0]}, r"n1 \+ n2 must exceed d = 3; got 3"),
        ({"n1": 1.4, "n2": 1.6}, r"n1 \+ n2 must exceed d = 3; got 3"),
        ({"cov1": np.diag([1.0, 0, 0]), "n2": [2.0, 9.0]}, "n2 must exceed .* this task sees, 2; got 2"),
        ({"cov2": np.diag([1.0, 0, 0]), "n1": [9.0, 2.0]}, "n1 must exceed .* this task sees, 2; got 2"),
        ({"cov1": np.diag([1.0, 1e-14, 0]), "n2": 2.0}, "n2 must exceed .* this task sees, 2; got 2"),
    ],
)
def test_too_few_examples_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        hard_sharing.asymptotic_risk(**(LARGE | change))


def test_enough_examples_are_enough():
    hard_sharing.asymptotic_risk(**(LARGE | {"cov1": np.diag([1.0, 0, 0]), "n2": 2.01}))
    hard_sharing.asymptotic_risk(**(LARGE | {"cov2": np.diag([1.0, 0, 0]), "n1": 2.01}))
    # A direction that a task hardly sees counts as seen: its share, a billionth, is far above rounding.
    hard_sharing.asymptotic_risk(**(LARGE | {"cov1": np.diag([1.0, 1e-9, 1e-9]), "n2": 1.5}))
    hard_sharing.asymptotic_risk(**(LARGE | {"cov2": np.diag([1.0, 1e-9, 1e-9]), "n1": 1.5}))
