"""Half-times, the front of the wave of learning, and the arguments that the functions of one mode refuse."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import half_time, mode_strength, mode_time, wave_front


def test_half_time_is_the_time_of_half_the_target():
    s_hat, eps = np.array([0.5, 1.0, 3.0, 4.0]), np.array([[1e-3], [1e-9]])
    np.testing.assert_allclose(half_time(s_hat, eps), mode_time(s_hat / 2, s_hat, eps), rtol=1e-12)
    np.testing.assert_allclose(half_time(s_hat, eps), np.log(s_hat / eps - 1) / (2 * s_hat), rtol=1e-13)
    np.testing.assert_allclose(mode_strength(half_time(s_hat, eps), s_hat, eps), s_hat / 2 + 0 * eps, rtol=1e-12)
    assert half_time(0.2, 0.1) == 0


@pytest.mark.parametrize("eps", [1e-12, 1e-3, 0.5])
def test_wave_front_inverts_half_time(eps):
    latest = 0.2784645427610738 / (2 * eps)
    t = latest * np.array([1e-12, 1e-6, 0.01, 0.3, 0.9, 0.999999, 1])
    front = wave_front(t, eps)
    np.testing.assert_allclose(half_time(front, eps), t, rtol=1e-12)
    assert np.all(np.diff(front) < 0)
    assert np.all(front >= 4.59 * eps)  # the largest half-time belongs to s_hat = 4.59 eps
    assert wave_front(0, eps) == np.inf


@pytest.mark.parametrize("k", [1e-290, 1e-12, 1e-3, 0.1, 0.27, 0.278464, 0.27846454])
def test_wave_front_is_the_lower_branch_of_lamberts_function(k):
    with mpmath.workdps(40):
        exact = 1 - mpmath.lambertw(-mpmath.mpf(k) * mpmath.exp(k), -1).real / mpmath.mpf(k)
    assert wave_front(k, 0.5) == pytest.approx(0.5 * float(exact), rel=1e-11)


def test_no_front_has_arrived_at_time_0():
    np.testing.assert_array_equal(wave_front(0.0, [1e-3, 1e-2, 0.1]), np.inf)


def test_wave_front_is_not_the_printed_ratio_of_times():
    np.testing.assert_allclose(wave_front([0.5, 1, 2, 5], 1e-3), [9.12, 4.17, 1.885, 0.647], rtol=2e-3)


BAD = [
    (mode_strength, {"t": -1}, ValueError, "t must be 0 or greater"),
    (mode_strength, {"t": [0, np.nan]}, ValueError, "t must be finite"),
    (mode_strength, {"t": "now"}, TypeError, "t must be real"),
    (mode_strength, {"s_hat": -0.1}, ValueError, "s_hat must be 0 or greater"),
    (mode_strength, {"s_hat": np.inf}, ValueError, "s_hat must be finite"),
    (mode_strength, {"eps": 0}, ValueError, "eps must be greater than 0"),
    (mode_strength, {"depth": 1}, ValueError, "depth must be at least 2"),
    (mode_strength, {"depth": 2.5}, TypeError, "depth must be an integer"),
    (mode_strength, {"t": [1, 2], "s_hat": [1, 2, 3]}, ValueError, "shapes that broadcast"),
    (mode_time, {"s": 1.5}, ValueError, "s must lie between eps"),
    (mode_time, {"s": 1.0}, ValueError, "s must lie between eps"),
    (mode_time, {"s": 0.005}, ValueError, "s must lie between eps"),
    (mode_time, {"s": 0.5, "s_hat": 0.5, "eps": 0.5}, ValueError, "s must lie between eps"),
    (mode_time, {"s": 0.2, "s_hat": 0.2, "eps": 0.5}, ValueError, "s must lie between eps"),
    (mode_time, {"s": 0.6, "s_hat": 0.2, "eps": 0.5}, ValueError, "s must lie between eps"),
    (mode_time, {"s": [0.5, 2.0]}, ValueError, "s=2 with eps=0.01, s_hat=1"),
    (mode_time, {"s": 0}, ValueError, "s must be greater than 0"),
    (mode_time, {"depth": 0}, ValueError, "depth must be at least 2"),
    (half_time, {"s_hat": 0.019}, ValueError, "s_hat must be at least 2 eps"),
    (half_time, {"s_hat": 0}, ValueError, "s_hat must be greater than 0"),
    (half_time, {"eps": np.nan}, ValueError, "eps must be finite"),
    (wave_front, {"t": 13.93}, ValueError, "t must be at most"),
    (wave_front, {"t": [1.0, 13.93]}, ValueError, "got t=13.93"),
    (wave_front, {"t": -1}, ValueError, "t must be 0 or greater"),
    (wave_front, {"eps": -1}, ValueError, "eps must be greater than 0"),
]
GOOD = {
    mode_strength: {"t": 1.0, "s_hat": 1.0, "eps": 0.01},
    mode_time: {"s": 0.5, "s_hat": 1.0, "eps": 0.01},
    half_time: {"s_hat": 1.0, "eps": 0.01},
    wave_front: {"t": 13.92, "eps": 0.01},
}


@pytest.mark.parametrize(("function", "change", "error", "message"), BAD)
def test_arguments_outside_the_domain_are_named(function, change, error, message):
    function(**GOOD[function])
    with pytest.raises(error, match=message):
        function(**{**GOOD[function], **change})
