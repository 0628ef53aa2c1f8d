"""The least value of an error curve: where its least grid point lies, how far it is refined, what is refused."""

import numpy as np
import pytest

from mtlbook_lib.theory import _curves

HORIZON = 7.0


def dip(place, width, skew=0.3):
    """A smooth skew dip in the logarithm of the time, of least value 2 at `place`."""

    def curve(t):
        x = np.clip(np.log(np.maximum(t, 1e-300) / place) / width, -30, 30)
        return 2 + np.minimum(np.cosh(x) - 1 + skew * (np.expm1(x) - x), 1e3)

    return curve


@pytest.mark.parametrize("place", [1.04e-4, 0.0317, 0.5, 6.93 / 7])
def test_a_dip_of_a_hundredth_of_its_time_is_found_to_the_last_digits(place):
    error, time = _curves.curve_minimum(dip(place * HORIZON, 0.01), HORIZON)
    assert error == pytest.approx(2, abs=1e-13)
    assert time == pytest.approx(place * HORIZON, rel=1e-11)


@pytest.mark.parametrize("places", [(0.2, 3.0), (3.0, 0.2)])
def test_of_two_dips_the_lower_one_is_found(places):
    one, other = (dip(place, 0.05) for place in places)
    error, time = _curves.curve_minimum(lambda t: np.minimum(one(t), other(t) + 0.05), HORIZON)
    assert (error, time) == pytest.approx((2, places[0]), rel=1e-10)


def test_a_curve_that_only_rises_is_least_at_the_start():
    assert _curves.curve_minimum(lambda t: 1 + t, HORIZON) == (1.0, 0.0)


def test_a_minimum_before_the_first_time_of_the_grid_is_found():
    error, time = _curves.curve_minimum(lambda t: (t - 3e-5 * HORIZON) ** 2 / HORIZON**2, HORIZON)
    assert error == pytest.approx(0, abs=1e-20)
    assert time == pytest.approx(3e-5 * HORIZON, rel=1e-9)


def test_of_equal_values_the_first_of_the_grid_is_taken():
    seen = []

    def curve(t):
        seen.append(t)
        return np.where((t > 2) & (t < 3), 0.0, 1.0)

    error, time = _curves.curve_minimum(curve, HORIZON)
    assert (error, time) == (0, seen[0][seen[0] > 2][0])


def test_a_curve_that_is_least_at_the_horizon_is_refused_and_one_before_it_is_not():
    with pytest.raises(ValueError, match="horizon must lie behind"):
        _curves.curve_minimum(lambda t: -t, HORIZON)
    error, time = _curves.curve_minimum(lambda t: (t - 0.99 * HORIZON) ** 2, HORIZON)
    assert (error, time) == pytest.approx((0, 0.99 * HORIZON), abs=1e-9)


def test_the_horizon_of_four_matrices_by_its_closed_form():
    """For four weight matrices the time is [ln((1 + r)/(1 - r)) / 2 - 1/r] / 2 with r the root of the strength."""

    def clock(s):
        return (np.arctanh(np.sqrt(s)) - 1 / np.sqrt(s)) / 2

    assert _curves.stopping_horizon(0.02, 4) == pytest.approx(clock(0.99) - clock(0.02), rel=1e-11)
