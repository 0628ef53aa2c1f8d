"""Means over the noise of one coefficient, against the trapezoidal rule."""

import numpy as np
import pytest

from mtlbook_lib.theory.learning_curves import channels

WEIGHTS, TRUTH = np.array([0.15, 0.35, 0.5]), np.array([0.9, -0.4, 0.0])
Z = np.arange(-12, 12.001, 0.002)
DENSITY = np.exp(-(Z**2) / 2) / np.sqrt(2 * np.pi) * 0.002


def halved(rising, target):
    """The root of a rising function that is above the target's size at that size, with the target's sign."""
    low, high = np.zeros(target.shape), np.abs(target)
    for _ in range(55):
        middle = (low + high) / 2
        below = rising(middle) < np.abs(target)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.sign(target) * low


def dense(estimate, slope, tau):
    """Means by the trapezoidal rule, which is exact to rounding for smooth functions that vanish at both ends."""
    error = (estimate - TRUTH[:, None]) ** 2 @ DENSITY
    return WEIGHTS @ error, WEIGHTS @ (slope @ DENSITY), tau


@pytest.mark.parametrize(("tau", "theta"), [(0.7, 0.45), (2.3, 0.2), (0.11, 0.3)])
@pytest.mark.parametrize("width", [np.array([0.3, 0.02, 1.7]), np.array([5.0, 0.4, 0.05])])
def test_hyperbolic_means_are_dense_sums(tau, theta, width):
    start = np.array([0.2, -0.5, 0.3])
    begin = np.arcsinh(start / width)[:, None]
    target = TRUTH[:, None] + tau * Z + 2 * theta * begin
    kappa = width[:, None]
    t = np.arcsinh(halved(lambda b: b + 2 * theta * np.arcsinh(b / kappa), target) / kappa)
    expected = dense(kappa * np.sinh(t), kappa * np.cosh(t) / (kappa * np.cosh(t) + 2 * theta), tau)
    found = channels.hyperbolic(WEIGHTS, TRUTH, width, start)(tau, theta)
    assert found == pytest.approx(expected[:2], rel=1e-9)


@pytest.mark.parametrize(("tau", "theta"), [(0.7, 0.45), (2.3, 0.2), (0.11, 0.3)])
@pytest.mark.parametrize("known", [np.array([0.3, -0.02, 1.7]), np.array([-5.0, 0.4, 0.05])])
def test_group_means_are_dense_sums(tau, theta, known):
    a = np.abs(known)[:, None]
    b = halved(lambda b: b + theta * b / np.hypot(b, a), TRUTH[:, None] + tau * Z)
    expected = dense(b, 1 / (1 + theta * a**2 / np.hypot(b, a) ** 3), tau)
    assert channels.group(WEIGHTS, TRUTH, known)(tau, theta) == pytest.approx(expected[:2], rel=1e-9)


def test_estimates_of_the_group_penalty_solve_their_equation():
    """Also where a hundredth of the threshold is known, and close to the threshold."""
    y = np.array([[-3.0, -1.001, -0.4, 0.0, 0.2, 0.999, 1.0, 1.3, 20.0]])
    for a in (0.01, 0.3, 2.0):
        b = channels._group_estimate(y, np.array([[a]]), 1.0)
        np.testing.assert_allclose(b + b / np.hypot(b, a), y, rtol=1e-9)
