"""One mode of an aligned student: its flow, independent closed forms, high-precision inversion, limits."""

import mpmath
import numpy as np
import pytest

from mtlbook_lib.theory.linear_dynamics import mode_strength, mode_time

DEPTHS = [2, 3, 4, 5, 8, 13]
# start below, above, at and near the target; the target at 0; a tiny start
CASES = [(3.0, 1e-3), (0.7, 0.02), (1e-3, 0.4), (0.5, 0.5), (1.0, 1 - 1e-9), (1.0, 1 + 1e-9), (0.0, 0.3), (2.0, 1e-6)]


def flow(s, s_hat, depth):
    return depth * s ** (2 - 2 / depth) * (s_hat - s)


def exact_time(s, s_hat, eps, depth):
    """The time integral by tanh–sinh quadrature in the logarithm of the strength, 30 digits."""
    with mpmath.workdps(30):
        s, s_hat, eps = mpmath.mpf(s), mpmath.mpf(s_hat), mpmath.mpf(eps)
        power = 1 - mpmath.mpf(2) / depth
        ends = [mpmath.log(eps), mpmath.log(s)]
        cuts = [ends[0] + (ends[1] - ends[0]) * k / 12 for k in range(13)]
        return mpmath.quad(lambda y: mpmath.exp(-power * y) / (s_hat - mpmath.exp(y)), cuts) / depth


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(("s_hat", "eps"), CASES)
def test_start_limit_and_direction(s_hat, eps, depth):
    assert mode_strength(0, s_hat, eps, depth=depth) == pytest.approx(eps, rel=1e-13, abs=0)
    path = mode_strength(np.linspace(0, 4, 400), s_hat, eps, depth=depth)
    assert np.all(np.diff(path) * np.sign(s_hat - eps) >= -1e-15 * max(s_hat, eps))
    assert path.min() >= min(s_hat, eps) * (1 - 1e-15)
    assert path.max() <= max(s_hat, eps) * (1 + 1e-15)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("depth", DEPTHS)
def test_a_mode_without_signal_decays_algebraically(depth):
    t, eps, power = np.array([0.0, 0.3, 20.0, 1e6]), 0.2, 2 - 2 / depth
    expected = (eps**-power + depth * power * t) ** (-1 / power)
    np.testing.assert_allclose(mode_strength(t, 0, eps, depth=depth), expected, rtol=1e-14)
    np.testing.assert_allclose(mode_strength(t, 1e-13, eps, depth=depth), expected, rtol=1e-6)
    np.testing.assert_allclose(mode_time(expected[1:], 0, eps, depth=depth), t[1:], rtol=1e-12)
    assert mode_time(eps, 0, eps, depth=depth) == 0


@pytest.mark.parametrize("depth", [3, 4, 6, 9])
@pytest.mark.parametrize(
    ("s", "s_hat", "eps"),
    [
        (0.5, 1.7, 1e-3),
        (1.7 - 1e-9, 1.7, 1e-3),
        (1e-3 + 1e-12, 2.0, 1e-3),
        (1 - 1e-12, 1.0, 1 - 1e-6),
        (1 + 1e-12, 1.0, 1 + 1e-6),
        (0.9, 0.2, 4.0),
        (0.2 + 1e-8, 0.2, 0.4),
        (1e-3, 1e-6, 1e3),
        (1e3 - 1e-4, 1e-6, 1e3),
        (0.3, 1e-3, 0.9),
        (4e2, 1.0, 1e3),
    ],
)
def test_time_is_the_integral_of_the_inverse_rate(s, s_hat, eps, depth):
    assert mode_time(s, s_hat, eps, depth=depth) == pytest.approx(
        float(exact_time(s, s_hat, eps, depth)), rel=1e-11, abs=0
    )


@pytest.mark.parametrize("depth", [3, 4, 7])
def test_inversion_is_accurate_everywhere_on_a_wide_grid(depth):
    """The time of the strength found is the time asked for, up to the rounding of the strength itself."""
    log_eps, log_s_hat, log_t = np.mgrid[-12:2.1:1.0, -6:2.1:0.5, -6:8.1:0.5].reshape(3, -1)
    t, eps, s_hat = 10**log_t, 10**log_eps, 1.7 * 10**log_s_hat
    s = mode_strength(t, s_hat, eps, depth=depth)
    rounding = 4e-16 * s + 4e-16 * abs(s_hat)
    moving = (abs(s - s_hat) > 1e3 * rounding) & (abs(s - eps) > 1e3 * rounding)
    s, s_hat, eps, t, rounding = (array[moving] for array in (s, s_hat, eps, t, rounding))
    allowed = 1e-13 * t + 4 * rounding / abs(flow(s, s_hat, depth))
    assert moving.sum() > 2000
    assert np.max(abs(mode_time(s, s_hat, eps, depth=depth) - t) / allowed) < 1
