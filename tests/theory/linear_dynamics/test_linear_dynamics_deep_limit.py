"""The delay factor of deep random students as the start vanishes: a principal value, and small starts."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from mtlbook_lib.theory.linear_dynamics import deep_random_half_time, deep_random_ratio_limit, mode_time


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
