"""Isotropic logits: every value by a second route, limits, laws, batches and errors."""

import numpy as np
import pytest

from mtlbook_lib.theory.softmax import (
    expected_maximum,
    isotropic_curves,
    isotropic_excess,
    isotropic_gain,
    isotropic_log_partition,
    isotropic_participation,
    isotropic_slope_deficit,
)
from mtlbook_lib.theory.softmax.gumbel import law_at_even_steps, smoothed_law


def test_expected_maximum_of_few_is_known():
    root = np.sqrt(np.pi)
    known = [0.0, 1 / root, 1.5 / root, 3 / (2 * root) * (1 + 2 / np.pi * np.arcsin(1 / 3))]
    assert expected_maximum([1, 2, 3, 4]) == pytest.approx(known, abs=1e-14)


@pytest.mark.parametrize("k", [2, 3, 10, 1000, 10**6])
@pytest.mark.parametrize("s", [0.2, 1.3, 3.0, 20.0, 70.0])
def test_slope_of_the_log_partition_function(s, k):
    step = 1e-2 * max(s, 1.0)
    nodes = np.array([-3, -2, -1, 1, 2, 3]) * step
    weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * step)
    slope = weights @ isotropic_log_partition(np.abs(s + nodes), k)
    assert slope == pytest.approx((k - 1) * s * isotropic_gain(s, k), rel=3e-9, abs=1e-9)
    assert slope == pytest.approx(expected_maximum(k) - isotropic_slope_deficit(s, k), rel=3e-9, abs=1e-9)


@pytest.mark.parametrize("k", [2, 10, 1000, 10**6])
def test_limits(k):
    assert isotropic_gain(0.0, k) == pytest.approx(1 / k, rel=1e-13)
    assert isotropic_participation(0.0, k) == pytest.approx(1 / k, rel=1e-12)
    assert isotropic_log_partition(0.0, k) == pytest.approx(np.log(k), rel=1e-13, abs=0)
    assert isotropic_gain(1e12, k) * 1e12 * (k - 1) == pytest.approx(expected_maximum(k), rel=1e-13, abs=0)
    assert isotropic_log_partition(1e12, k) / 1e12 == pytest.approx(expected_maximum(k), rel=1e-13, abs=0)
    assert isotropic_participation(1e12, k) == pytest.approx(1.0, abs=1e-11)
    # Excess and deficit fall as 1/s and 1/s^2 with the same constant, the excess being the integral of the deficit.
    constant = isotropic_excess(1e12, k) * 1e12
    assert isotropic_slope_deficit(1e12, k) * 1e24 == pytest.approx(constant, rel=1e-10)


@pytest.mark.parametrize("std", [1.0, 2.0, 3.5, 16.0, 20.0, 49.0])
def test_even_thresholds_have_the_law_that_single_ones_have(std):
    x, law, step = law_at_even_steps(std, 10, 0.22 + 0.02 * std)
    assert step <= 0.22 + 0.02 * std
    np.testing.assert_allclose(np.diff(x), step, rtol=1e-9)
    plain = smoothed_law(x, std)
    np.testing.assert_allclose(law.tail, plain.tail, rtol=1e-11)
    np.testing.assert_allclose(law.density, plain.density, rtol=1e-11)
    np.testing.assert_allclose(law.squared, plain.squared, rtol=1e-11)


@pytest.mark.parametrize("k", [2, 1000])
def test_interpolants(k):
    curves = isotropic_curves(k)
    s = np.array([0.0, 1e-6, 0.03, 0.4, 1.1, 3.3, 9.7, 27.0, 49.99, 50.0, 50.01, 1e5])
    assert curves.gain(s) == pytest.approx(isotropic_gain(s, k), rel=1e-13, abs=0)
    assert curves.log_partition(s) == pytest.approx(isotropic_log_partition(s, k), rel=1e-13, abs=0)
    assert curves.slope_deficit(s) == pytest.approx(isotropic_slope_deficit(s, k), rel=1e-10, abs=0)
    assert curves.excess(s) == pytest.approx(isotropic_excess(s, k), rel=1e-10, abs=0)
    assert type(curves.gain(1.0)) is float
