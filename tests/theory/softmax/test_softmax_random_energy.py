"""The random energy model and the interpolated gain."""

import numpy as np
import pytest

from mtlbook_lib.theory.softmax import (
    calibrated_gain,
    expected_maximum,
    interpolated_gain,
    isotropic_gain,
    rem_critical_norm,
    rem_gain,
    rem_log_partition,
)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_freezing(k):
    critical = rem_critical_norm(k)
    assert np.exp(critical**2 / 2) == pytest.approx(k, rel=1e-13)
    below, above = critical * (1 - 1e-9), critical * (1 + 1e-9)
    assert rem_log_partition(below, k) == pytest.approx(rem_log_partition(above, k), rel=1e-8)
    assert rem_gain(below, k) * (k - 1) == 1.0
    assert rem_gain(2 * critical, k) * (k - 1) == 0.5


def test_interpolated_gain_at_the_ends():
    assert interpolated_gain(0.0, 10) == 0.1
    assert interpolated_gain(1e300, 10) * 1e300 == pytest.approx(expected_maximum(10) / 9, rel=1e-12)
    ratio = 2.0 * 9 / (10 * expected_maximum(10))
    power = 1.60 + 0.305 * np.log(10)
    assert interpolated_gain(2.0, 10) == pytest.approx((1 + ratio**power) ** (-1 / power) / 10, rel=1e-14)


@pytest.mark.parametrize("k", [2, 10, 1000])
def test_calibrated_gain_is_an_upper_bound_and_right_at_both_ends(k):
    s = np.geomspace(1e-6, 1e6, 80)
    ratio = calibrated_gain(s, k) / isotropic_gain(s, k)
    assert np.all(ratio > 1 - 1e-12)
    assert ratio[[0, -1]] == pytest.approx([1.0, 1.0], abs=1e-9)
