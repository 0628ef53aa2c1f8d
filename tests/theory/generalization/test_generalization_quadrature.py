"""The quadrature behind the learning curves against integrals with known values."""

import numpy as np
import pytest
from scipy.special import expit

from mtlbook_lib.theory import linear_dynamics
from mtlbook_lib.theory._bulk import half_learned, singular_value
from mtlbook_lib.theory._quadrature import integrate


def test_integrals_that_are_singular_at_an_end_are_exact():
    powers = np.array([0.5, 1.0, 7.3])
    values = integrate(lambda x, p: x**p, 2.0, powers, np.zeros(3))
    assert values == pytest.approx(2 ** (powers + 1) / (powers + 1), rel=1e-13)


def test_integrals_that_are_nearly_singular_at_an_end_are_exact():
    widths = np.array([1.0, 1e-3, 1e-6])
    values = integrate(lambda x, w: w / (x**2 + w**2), 1.0, widths, np.zeros(3))
    assert values == pytest.approx(np.arctan(1 / widths), rel=1e-12)


@pytest.mark.parametrize("marked", [True, False])
def test_fronts_are_resolved_where_marked_or_wide(marked):
    # The smoothed step from 0 to 1 at 0.3 has the antiderivative (x + w ln(2 cosh((x - 0.3)/w)))/2.
    widths = np.array([1e-2, 1e-3, 1e-9 if marked else 2e-3])
    fronts = np.full(3, 0.3 if marked else 0.0)
    values = integrate(lambda x, w: expit(2 * (x - 0.3) / w), 1.0, widths, fronts)
    assert values == pytest.approx(0.7 + widths / 2 * (np.exp(-1.4 / widths) - np.exp(-0.6 / widths)), rel=1e-12)


def test_front_of_learning_in_the_bulk_is_the_half_learned_singular_value():
    t = np.array([1.0, 4.0, 5.0, 8.0, 1e3])
    fronts = half_learned(lambda s, time: linear_dynamics.mode_strength(time, s, 1e-3), t, np.pi, 0.5)
    expected = linear_dynamics.wave_front(t[1:4], 1e-3)
    assert singular_value(fronts[1:4], 0.5) == pytest.approx(expected, rel=1e-10)
    assert fronts[0] == 0  # not yet in the bulk
    assert fronts[-1] == pytest.approx(np.pi, rel=1e-11)  # already through


def test_empty_range_has_no_integral():
    assert np.array_equal(integrate(lambda x, p: p / x, 0.0, np.ones(2), np.zeros(2)), np.zeros(2))
