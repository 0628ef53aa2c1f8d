"""Inverse hyperbolic sines and their differences against 60 digits, where numbers overflow or cancel."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory import _hyperbolic

KAPPAS = [5e-324, 1e-200, 1e-9, 0.03, 1.0, 40.0]
BETAS = [0.0, 1e-300, 1e-6, 0.02, 0.5, 0.7, 1.0, 1.3, 2.6, 1e3, 1e9, 1e300]


def exact_ratio(beta, kappa):
    return mpmath.asinh(mpmath.mpf(float(beta)) / mpmath.mpf(float(kappa)))


@pytest.mark.parametrize("kappa", KAPPAS)
def test_asinh_of_a_ratio_has_all_its_digits(kappa):
    sizes = [*BETAS, 1e5 * kappa, 1e7 * kappa, 1e9 * kappa]
    beta = np.array([sign * size for size in sizes for sign in (-1, 1)])
    with mpmath.workdps(60):
        exact = [float(exact_ratio(value, kappa)) for value in beta]
    np.testing.assert_allclose(_hyperbolic.asinh_ratio(beta, np.array(kappa)), exact, rtol=1e-14)


def exact_moved(end, begin, kappa):
    with mpmath.workdps(60):
        return np.array([float(exact_ratio(a, kappa) - exact_ratio(b, kappa)) for a, b in zip(end, begin, strict=True)])


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_small_move_has_all_its_digits(kappa, sign):
    begin, step = np.array([(b, step) for b in BETAS[1:-1] for step in (1e-13, -1e-9, 1e-4, -0.3, 0.45, 0.9)]).T
    begin = sign * begin
    end = begin * (1 + step)
    found = _hyperbolic.moved(end, begin, np.array(kappa))
    np.testing.assert_allclose(found, exact_moved(end, begin, kappa), rtol=3e-15)


@pytest.mark.parametrize("kappa", KAPPAS)
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_a_large_move_is_the_difference_of_its_ends_to_rounding(kappa, sign):
    end, begin = sign * np.array([(side * a, b) for a in BETAS for b in BETAS for side in (-1, 1)]).T
    allowed = 1e-15 * (np.abs(_hyperbolic.asinh_ratio(end, kappa)) + np.abs(_hyperbolic.asinh_ratio(begin, kappa)))
    found = _hyperbolic.moved(end, begin, np.array(kappa))
    assert np.all(np.abs(found - exact_moved(end, begin, kappa)) <= allowed)
