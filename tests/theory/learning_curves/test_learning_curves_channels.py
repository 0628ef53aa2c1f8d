"""Means over the noise of one coefficient, against the trapezoidal rule, pieces between kinks, and hand-made cases."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

from mtlbook_lib.theory.learning_curves import channels, scalar

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


@pytest.mark.parametrize(("tau", "theta"), [(0.7, 0.45), (2.3, 0.2), (0.25, 0.6)])
def test_soft_means_are_integrals_between_the_kinks(tau, theta):
    error = slope = 0.0
    for weight, truth in zip(WEIGHTS, TRUTH, strict=True):

        def missed(z, truth=truth):
            y = truth + tau * z
            return (np.sign(y) * max(abs(y) - theta, 0.0) - truth) ** 2 * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)

        kinks = (-theta - truth) / tau, (theta - truth) / tau
        error += weight * quad(missed, -12, 12, points=kinks, epsabs=1e-13)[0]
        slope += weight * (1 - (erf(kinks[1] / np.sqrt(2)) - erf(kinks[0] / np.sqrt(2))) / 2)
    assert channels.soft(WEIGHTS, TRUTH)(tau, theta) == pytest.approx((error, slope), rel=1e-10)


@pytest.mark.parametrize("width", [1e-3, 1e-8, 1e-12])
@pytest.mark.parametrize(("tau", "theta"), [(0.7, 0.45), (2.3, 0.2)])
def test_narrow_means_are_as_accurate(width, tau, theta, monkeypatch):
    """Thirty times as many panels change nothing at 1e-9; and narrow penalties differ from l1 in their width."""
    kinked = np.array(channels.soft(WEIGHTS, TRUTH)(tau, theta))
    hyperbolic = channels.hyperbolic(WEIGHTS, TRUTH, np.full(3, width), np.zeros(3))
    group = channels.group(WEIGHTS, TRUTH, np.full(3, width))
    strength = theta / np.log(1 / width)
    found = [*hyperbolic(tau, strength), *group(tau, theta)]
    assert (np.array(found[2:]) != kinked).all()
    np.testing.assert_allclose(found[2:], kinked, rtol=0, atol=2 * width + 1e-9)
    monkeypatch.setattr(channels, "_PANELS", 60)
    np.testing.assert_allclose(found, [*hyperbolic(tau, strength), *group(tau, theta)], rtol=1e-9)


def test_classes_without_a_known_coefficient_are_thresholded():
    known = np.array([0.3, 0.0, 1.7])
    both = channels.group(WEIGHTS, TRUTH, known)(0.7, 0.45)
    bent = channels.group(WEIGHTS[[0, 2]], TRUTH[[0, 2]], known[[0, 2]])(0.7, 0.45)
    kinked = channels.soft(WEIGHTS[[1]], TRUTH[[1]])(0.7, 0.45)
    assert both == pytest.approx(np.add(bent, kinked), rel=1e-13)
    assert channels.group(WEIGHTS, TRUTH, np.zeros(3))(0.7, 0.45) == channels.soft(WEIGHTS, TRUTH)(0.7, 0.45)
    for scale in (1.0, 1e10):
        tiny = channels.group(WEIGHTS, scale * TRUTH, np.full(3, scale * 1e-15))
        assert tiny(0.7 * scale, 0.45 * scale) == channels.soft(WEIGHTS, scale * TRUTH)(0.7 * scale, 0.45 * scale)


def test_means_are_even_in_the_coefficients_to_rounding():
    """Both tails of the noise reach equally far, nine standard deviations."""
    width, none = np.array([0.3, 0.2, 1.7]), np.zeros(3)
    for one, other in (
        (channels.hyperbolic(WEIGHTS, TRUTH, width, none), channels.hyperbolic(WEIGHTS, -TRUTH, width, none)),
        (channels.group(WEIGHTS, TRUTH, width), channels.group(WEIGHTS, -TRUTH, width)),
    ):
        assert one(0.7, 0.45) == pytest.approx(other(0.7, 0.45), rel=1e-13)


def test_estimates_of_the_group_penalty_solve_their_equation():
    """Also where a hundredth of the threshold is known, and close to the threshold."""
    y = np.array([[-3.0, -1.001, -0.4, 0.0, 0.2, 0.999, 1.0, 1.3, 20.0]])
    for a in (0.01, 0.3, 2.0):
        b = channels._group_estimate(y, np.array([[a]]), 1.0)
        np.testing.assert_allclose(b + b / np.hypot(b, a), y, rtol=1e-9)


@pytest.mark.parametrize("kappa", [1e-50, 1e-7, 0.3, 1.0, 40.0, 1e50])
def test_phases_are_exact_wherever_both_terms_count(kappa):
    """With 2 theta t = kappa sinh t at the root the start of Newton's method is twice too far, in either term."""
    t = np.array([1e-9, 0.1, 1.0, 3.0, 20.0, 100.0])
    for share in (1e-3, 0.3, 1.0, 4.0, 1e3):
        theta = share * kappa * np.sinh(t) / (2 * t)
        target = kappa * np.sinh(t) + 2 * theta * t
        np.testing.assert_allclose(scalar.phase(target, np.asarray(kappa), theta), t, rtol=1e-13)
        np.testing.assert_allclose(scalar.phase(-target, np.asarray(kappa), theta), -t, rtol=1e-13)
