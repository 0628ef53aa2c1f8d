"""Double-exponential quadrature: many integrals, fronts, small scales, and how many values it asks for at once."""

import numpy as np
import pytest
from scipy.special import expit

from mtlbook_lib.theory import _quadrature
from mtlbook_lib.theory._quadrature import integrate


def test_each_piece_on_either_side_of_its_front_counts():
    rates, fronts = np.array([0.3, 1.0, 2.0, 5.0]), np.array([0.0, 0.4, 2.5, 1.7])
    values = integrate(lambda x, p: np.exp(-p * x), 2.5, rates, fronts)
    np.testing.assert_allclose(values, -np.expm1(-2.5 * rates) / rates, rtol=3e-15)


def test_scales_of_a_billionth_of_a_billionth_at_an_end_are_resolved():
    """The nodes come within 1e-25 of an end: what lies closer does not count, what lies farther does."""
    widths = np.array([1e-6, 1e-9, 1e-12])
    values = integrate(lambda x, w: w / (x + w) ** 2, 1.0, widths, np.zeros(3))
    np.testing.assert_allclose(values, 1 / (1 + widths), rtol=1e-11)
    # The inverse root leaves 2 sqrt(x) before the first node.
    assert integrate(lambda x, _: x**-0.5, 1.0, np.ones(1), np.zeros(1))[0] == pytest.approx(2, abs=2e-12)


def test_a_sharp_step_off_its_front_is_resolved_by_halving():
    """The smoothed step has the antiderivative (x + w ln(2 cosh((x - a)/w)))/2; a smooth one stops early."""
    widths, place = np.array([1e-3, 1.0, 7e-4, 5e-3]), 0.3
    values = integrate(lambda x, w: expit(2 * (x - place) / w), 1.0, widths, np.zeros(4))

    def antiderivative(x):
        y = np.abs(x - place) / widths
        return (x + widths * (y + np.log1p(np.exp(-2 * y)))) / 2

    np.testing.assert_allclose(values, antiderivative(1.0) - antiderivative(0.0), rtol=1e-11)


def test_an_odd_integrand_around_its_middle_settles_at_zero():
    """The integral cancels: the tolerance is relative to that of the absolute value."""
    values = integrate(lambda x, p: np.tanh((x - 1.0) * p), 2.0, np.array([1.0, 4.0]), np.zeros(2))
    np.testing.assert_allclose(values, 0, atol=1e-13)


def test_squares_of_differences_at_rounding_settle():
    """Rounding of numbers of order one, squared, is noise: it must not be refined for ever."""
    rng = np.random.default_rng(0)
    values = integrate(
        lambda x, p: (1e-16 * rng.standard_normal((p.size, x.shape[1]))) ** 2, 1.0, np.ones(2), np.zeros(2)
    )
    np.testing.assert_allclose(values, 0, atol=1e-30)


def test_a_turn_is_resolved_with_the_last_nodes_and_refused_beyond():
    def func(x, w):
        nodes.append(x.shape[1])
        return expit(2 * (x - 0.3) / w)

    nodes = []
    assert integrate(func, 1.0, np.array([3e-4]), np.zeros(1))[0] == pytest.approx(0.7, rel=1e-10)
    assert max(nodes) == 36 * 2**10  # the odd ones of the last halving
    with pytest.raises(ValueError, match="too sharp"):
        integrate(func, 1.0, np.array([2e-4]), np.zeros(1))
    assert max(nodes) == 36 * 2**10


def test_small_integrals_are_as_exact_as_large_ones():
    """The tolerance is relative down to 1e-17, which is rounding."""
    scales = np.array([1.0, 1e-5, 1e5])
    values = integrate(lambda x, scale: scale * expit(2 * (x - 0.3) / 5e-3), 1.0, scales, np.zeros(3))
    np.testing.assert_allclose(values / scales, 0.7, rtol=1e-11)


def test_what_is_held_at_once_is_bounded(monkeypatch):
    monkeypatch.setattr(_quadrature, "_CHUNK", 1000)
    rates, sizes = np.linspace(0.1, 2, 50), []

    def func(x, p):
        values = np.exp(-p * x)
        sizes.append(values.size)
        return values

    for fronts in (np.zeros(50), np.linspace(0, 1.5, 50)):
        np.testing.assert_allclose(integrate(func, 1.5, rates, fronts), -np.expm1(-1.5 * rates) / rates, rtol=3e-14)
    assert 500 < max(sizes) <= 1000
