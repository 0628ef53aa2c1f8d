"""Proximal maps and learning curves, against bisection, dense sums, and each other."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import learning_curves

SPARSE = (np.array([0.05, 0.95]), np.array([1.0, 0.0]))


@pytest.mark.parametrize("kappa", [1e-9, 1e-2, 30.0])
@pytest.mark.parametrize("theta", [0.0, 1e-8, 0.3, 100.0])
def test_proximal_solves_its_equation(kappa, theta):
    for y in (0.02, -1.7, 1e6):
        for start in (0.0, 0.4):
            with mpmath.workdps(40):
                target = mpmath.mpf(y) + 2 * mpmath.mpf(theta) * mpmath.asinh(mpmath.mpf(start) / mpmath.mpf(kappa))

                def gap(t, target=target):
                    return mpmath.mpf(kappa) * mpmath.sinh(t) + 2 * mpmath.mpf(theta) * t - target

                reach = mpmath.asinh(abs(target) / kappa) + 1
                root = mpmath.findroot(gap, (-reach, reach), solver="anderson", tol=1e-60, maxsteps=500)
                expected = float(kappa * mpmath.sinh(root))
            assert learning_curves.proximal(y, kappa, theta, start) == pytest.approx(expected, rel=1e-11, abs=1e-18)


def test_proximal_limits():
    assert learning_curves.proximal(0.7, 0.1, 0.0) == pytest.approx(0.7, rel=1e-14)
    assert learning_curves.proximal(0.3, 0.1, 2.0, 0.3) == pytest.approx(0.3, rel=1e-13)
    assert learning_curves.proximal(2.0, 1e8, 1e8) == pytest.approx(2 / 3, rel=1e-12)


@pytest.mark.parametrize(("kappa", "start", "noise"), [(1e-3, 0.0, 0.0), (0.2, 0.3, 0.1), (5.0, -1.0, 0.0)])
def test_both_equations_hold_in_a_dense_sum(kappa, start, noise):
    """Means over z by the trapezoidal rule over the proximal map and, by Stein's identity, without its derivative."""
    delta, (weights, truth) = 0.2, SPARSE
    error, tau, theta = learning_curves.penalty_error(delta, weights, truth, kappa, start, noise)
    z = np.linspace(-10, 10, 40001)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    estimate = learning_curves.proximal(truth[:, None] + tau * z, kappa, theta, start)
    mse = weights @ ((estimate - truth[:, None]) ** 2 @ density)
    assert error == pytest.approx(mse, rel=1e-8)
    assert delta * tau**2 == pytest.approx(error + noise**2, rel=1e-11)
    assert weights @ (estimate @ (z * density)) / tau == pytest.approx(delta, rel=1e-8)


def test_wide_penalties_are_l2_and_narrow_ones_approach_l1():
    weights, truth = SPARSE
    ridge = 0.05 * (1 - 0.3)
    assert learning_curves.penalty_error(0.3, weights, truth, 1e4)[0] == pytest.approx(ridge, rel=1e-9)
    assert learning_curves.weighted_l2_error(0.3, weights, truth, 2.0) == pytest.approx(ridge, rel=1e-12)
    least = learning_curves.l1_error(0.07, weights, truth)
    ratios = [learning_curves.penalty_error(0.07, weights, truth, kappa)[0] / least for kappa in (1e-3, 1e-13)]
    assert ratios[0] < ratios[1] < 1
    assert ratios[1] > 0.93


def test_weighted_l2_is_the_limit_of_far_starts():
    weights, truth = np.array([0.3, 0.7]), np.array([1.0, -2.0])
    start, kappa = np.array([3e5, -1e5]), 2e5
    shifted = learning_curves.penalty_error(0.4, weights, start + truth, kappa, start)[0]
    linear = learning_curves.weighted_l2_error(0.4, weights, truth, np.hypot(start, kappa))
    assert shifted == pytest.approx(linear, rel=1e-4)


def test_errors_vanish_at_the_thresholds():
    weights, truth = SPARSE
    edge = learning_curves.l1_threshold(0.05)
    assert learning_curves.l1_error(0.98 * edge, weights, truth) > 0
    assert learning_curves.l1_error(1.02 * edge, weights, truth) == 0
    weights, truth, beta_aux = learning_curves.overlap_classes(1000, 40, 40, 20)
    edge = learning_curves.group_threshold(0.02, 0.02, 0.02)
    assert learning_curves.group_error(0.98 * edge, weights, truth, beta_aux) > 0
    assert learning_curves.group_error(1.02 * edge, weights, truth, beta_aux) == 0
    without = learning_curves.group_error(0.1, weights, truth, 0.0)
    assert without == pytest.approx(learning_curves.l1_error(0.1, weights, truth), rel=1e-12)
    assert learning_curves.l1_error(0.5, [1.0], 0.0) == 0
