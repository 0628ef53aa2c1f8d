"""The time law of modes of three and more weight matrices, and its pieces, against integrals with more digits."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import _modes


@pytest.mark.parametrize("ratio", [1e-280, 1e-9, 0.2, 0.49, 0.5, 0.51, 0.77, 1 - 1e-9, 1 - 2e-16])
def test_the_logarithm_of_the_complement_cancels_at_neither_end(ratio):
    part, whole = np.array([ratio * 1.5]), np.array([1.5])
    with mpmath.workdps(40):
        exact = float(-mpmath.log(1 - mpmath.mpf(float(part[0])) / mpmath.mpf(1.5)))
    assert _modes.complement_log(part, whole)[0] == pytest.approx(exact, rel=5e-16)


@pytest.mark.parametrize(
    ("s", "target", "start"),
    [(0.5, 1.7, 0.3), (0.3 + 1e-12, 1.7, 0.3), (1.7 - 1e-12, 1.7, 0.3), (2.9, 1.7, 3.1), (1.7 + 1e-9, 1.7, 3.1)],
)
def test_the_gain_of_the_logit_is_its_difference(s, target, start):
    def logit(x):
        x = mpmath.mpf(x)
        return mpmath.log(x / abs(target - x))

    with mpmath.workdps(40):
        exact = float(logit(s) - logit(start))
    assert _modes.logit_gain(*map(np.array, (s, target, start))) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("exponent", [0.05, 1 / 3, 0.9, 1.1, 1.5, 1.95])
def test_the_incomplete_beta_function_is_its_integral(exponent):
    """With r = 1 - e^-x the integral from 0 to z of r^(a-1)/(1 - r) is that of (1 - e^-x)^(a-1) over 0 < x < y."""
    y = np.array([1e-9, 0.2, 0.6, np.log(2), 0.75, 0.95, 3.0, 30.0])
    with mpmath.workdps(25):
        a = mpmath.mpf(exponent)
        # x = v^(1/a) takes the power off the lower end.
        ends = [mpmath.mpf(0), *(mpmath.mpf(float(end)) ** a for end in y)]
        pieces = [
            mpmath.quad(lambda v: (-mpmath.expm1(-(v ** (1 / a))) / v ** (1 / a)) ** (a - 1) / a, list(piece))
            for piece in pairwise(ends)
        ]
        exact = [float(mpmath.fsum(pieces[: index + 1])) for index in range(y.size)]
    np.testing.assert_allclose(_modes.incomplete_beta(y, exponent), exact, rtol=4e-15)


@pytest.mark.parametrize("depth", [3, 4, 7, 20, 100, 1000])
def test_at_any_depth_the_strength_found_is_that_of_the_time_after_few_steps(depth, monkeypatch):
    """The starts of Newton's method stay close to the root, for long growth and decay as for short ones."""
    taken = []

    def counting(guess, goal, integral, *rest):
        taken.append(0)

        def counted(logit):
            taken[-1] += 1
            return integral(logit)

        return newton(guess, goal, counted, *rest)

    newton = _modes._newton
    monkeypatch.setattr(_modes, "_newton", counting)
    log_start, log_target, log_t = np.mgrid[-12:2.1:1.3, -8:2.1:0.9, -3:3.1:0.7].reshape(3, -1)
    start, target = 10**log_start, 1.7 * 10**log_target
    t = 10**log_t / (depth * (np.maximum(start, 1e-3) ** (2 - 2 / depth) + target ** (2 - 2 / depth)))
    s = _modes.deep_strength(t, target, start, depth)
    assert max(taken) <= 5
    rounding = 4e-16 * (s + target)
    moving = (np.abs(s - target) > 1e3 * rounding) & (np.abs(s - start) > 1e3 * rounding)
    s, target, start, t, rounding = (array[moving] for array in (s, target, start, t, rounding))
    back = _modes.deep_time(s, target, start, depth)
    speed = depth * s ** (2 - 2 / depth) * np.abs(target - s)
    assert moving.sum() > 300
    # The constants of G, which cancel, are as large as the depth.
    assert np.all(np.abs(back - t) <= 1e-13 * t + (4 + depth / 50) * rounding / speed)


@pytest.mark.parametrize("depth", [3, 6])
@pytest.mark.parametrize("ratio", [3.0, 40.0, 1e3, 1e5, 1e8])
def test_a_mode_alone_takes_as_many_steps_as_it_needs(depth, ratio):
    """Beside others a mode takes as many steps as the slowest of them."""
    for start, target in ((0.7 * ratio, 0.7), (0.7, 0.7 * ratio)):
        for share in (0.03, 0.3, 0.8):
            s = np.array([start ** (1 - share) * target**share])
            one = s, np.array([target]), np.array([start])
            back = _modes.deep_strength(_modes.deep_time(*one, depth), *one[1:], depth)
            # A strong growth is as sensitive to its time as it has grown.
            assert back == pytest.approx(s, rel=1e-15 * (50 + (s[0] / start if target > start else 0)))


@pytest.mark.parametrize("depth", [20, 100, 1000])
def test_growth_at_great_depth_obeys_its_equation(depth):
    start, target = np.array([1e-3, 1e-2, 0.2]), np.array([1.7, 0.9, 2.0])
    end = 0.97 * _modes.deep_time(0.6 * target, target, start, depth)
    found = _modes.deep_strength(end, target, start, depth)
    for index in range(3):
        path = solve_ivp(
            lambda _, y, goal=target[index]: depth * y ** (2 - 2 / depth) * (goal - y),
            (0, end[index]),
            start[index : index + 1],
            "DOP853",
            rtol=1e-12,
            atol=1e-16,
        )
        assert found[index] == pytest.approx(path.y[0, -1], rel=1e-7)
    assert np.all(found > 1.3 * start)


def test_modes_at_their_target_stay_and_tiny_ones_have_targets_too():
    found = _modes.deep_strength(np.array([0.0, 9.0, 1e95]), np.array([0.7, 0.7, 0.9e-60]),
                                      np.array([0.7, 0.7, 1e-60]), 3)  # fmt: skip
    np.testing.assert_allclose(found, [0.7, 0.7, 0.9e-60], rtol=1e-14)
    s, target, start = np.array([0.95e-60]), np.array([0.9e-60]), np.array([1e-60])
    for depth in (3, 4):
        exact = _modes.deep_time(s * 1e60, target * 1e60, start * 1e60, depth) * 1e60 ** (2 - 2 / depth)
        np.testing.assert_allclose(_modes.deep_time(s, target, start, depth), exact, rtol=1e-12)


def test_a_decay_is_that_without_a_target_until_it_comes_close_to_it():
    """For a target of 1e-60 until t = 1e30; later it stays there."""
    t = np.array([0.0, 1e5, 1e30, 1e250])
    found = _modes.deep_strength(t, np.full(4, 1e-60), np.ones(4), 3)
    np.testing.assert_allclose(found, [1, (1 + 4e5) ** -0.75, (4e30) ** -0.75, 1e-60], rtol=1e-13)
