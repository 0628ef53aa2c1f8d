"""Half-times, the front of the wave of learning, and the arguments that the functions of one mode refuse."""

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


@pytest.mark.parametrize(
    "change",
    [
        *({"s": s} for s in (1.5, 1.0, 0.005, [0.5, 2.0])),
        *({"s": s, "s_hat": s_hat, "eps": 0.5} for s, s_hat in ((0.5, 0.5), (0.2, 0.2), (0.6, 0.2))),
    ],
)
def test_a_strength_that_is_never_reached_has_no_time(change):
    good = {"s": 0.5, "s_hat": 1.0, "eps": 0.01}
    mode_time(**good)
    with pytest.raises(
        ValueError, match="s must lie between eps" + (".*s=2 with" if change["s"] == [0.5, 2.0] else "")
    ):
        mode_time(**(good | change))
