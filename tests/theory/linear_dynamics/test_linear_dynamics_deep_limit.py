"""The delay factor of deep random students as the start vanishes: closed forms, a principal value, small starts."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import lambertw

from mtlbook_lib.theory.linear_dynamics import deep_random_half_time, deep_random_ratio_limit, mode_time


@pytest.mark.parametrize(
    ("depth", "value"),
    [(3, 1.19968), (4, 1.27846), (5, 1.32), (6, 1.34554), (8, 1.37523), (12, 1.40263), (20, 1.42305)],
)
def test_limits_of_the_half_time_ratio(depth, value):
    assert deep_random_ratio_limit(depth) == pytest.approx(value, abs=6e-6)


def test_the_limit_for_four_matrices_has_a_closed_form():
    """Two conserved combinations solve the three scalar equations for four weight matrices.

    Let a = p1^(-1/2) and b = p2^(-1/2), both 1 at the start, E = cot^2(angle), X = 2a(1 + E) and Y = 2b(1 + 1/E). In
    the time d = 2t, dX/dd = 2X/Y and dY/dd = -2Y/X, so 1/X + 1/Y stays 1/2, X = 2 + 2 e^d and Y = 2 + 2 e^-d; also
    b - a = d. The singular value p1 diverges with E, where Y = 2b = 2d, that is (d - 1) e^d = 1 and d = 1 + W(1/e).
    """
    assert deep_random_ratio_limit(4) == pytest.approx(1 + lambertw(np.exp(-1)).real, rel=1e-12)


@pytest.mark.parametrize("depth", [3, 4, 5, 6, 8, 12, 20])
def test_the_limit_is_the_root_of_a_principal_value(depth):
    """The limit is y^p, p = D/2 - 1, where the principal value of the integral of v^p/(1 - v) from 0 to y vanishes."""
    p = depth / 2 - 1

    def without_pole(v):
        return (v**p - 1) / (1 - v) if abs(v - 1) > 1e-8 else -p

    def value(y):
        return quad(without_pole, 0, y, points=[1.0], epsabs=1e-12)[0] - np.log(y - 1)

    assert deep_random_ratio_limit(depth) == pytest.approx(brentq(value, 1 + 1e-6, 3, xtol=1e-14) ** p, abs=1e-10)


@pytest.mark.parametrize("depth", [3, 4, 5, 7])
def test_the_limit_is_reached_as_the_start_vanishes(depth):
    eps = np.array([1e-6, 1e-9])
    excess = deep_random_half_time(1.0, eps, depth) / mode_time(0.5, 1.0, eps, depth=depth) - deep_random_ratio_limit(
        depth
    )
    assert abs(excess[1]) < 0.3 * abs(excess[0]) < 1e-3
