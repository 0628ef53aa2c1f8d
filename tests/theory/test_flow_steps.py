"""The steps of many flows are those of scipy's integrator of the same order, each system alone."""

from itertools import islice

import numpy as np
import pytest
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

from mtlbook_lib.theory import _many_flows
from mtlbook_lib.theory._many_flows import Steps, integrate

RATES = np.array([0.2, 3.0, 0.7])
START = np.array([[1.0, 2.0, -0.5], [0.3, 0.5, 4.0], [0.1, -0.2, 0.4]])
RTOL, ATOL = 1e-5, np.array([1e-7, 1e-4, 3e-6])


def slopes(state, systems):
    """A driven pendulum that turns ever faster, so that steps change in size."""
    angle, speed, phase = state
    return np.array([speed, -np.sin(angle) - RATES[systems] * speed + np.sin(phase), 1 + 0.3 * phase])


def alone(system):
    one = np.array([system])
    return lambda _, state: slopes(state[:, None], one)[:, 0]


def first_length(system):
    return 0.1 * np.linalg.norm(START[:, system]) / np.linalg.norm(alone(system)(0, START[:, system]))


def rounds(func, start, done, rtol=RTOL, atol=ATOL):
    """All rounds of steps; of those that never end, the first thousand."""
    found = list(islice(integrate(func, start, done, rtol, atol), 1000))
    assert len(found) < 1000
    return found


def all_steps(end):
    return Steps.join(rounds(slopes, START, lambda s: s.times + s.sizes >= end))


@pytest.mark.parametrize("first", [0.1, 30.0, 1e-5])
def test_times_and_states_are_those_of_scipy(first, monkeypatch):
    """From the usual first step, from one that is far too long, and from one that is far too short."""
    monkeypatch.setattr(_many_flows, "_FIRST_STEP", first)
    steps = all_steps(6.0)
    refused = 0
    for system in range(3):
        own = steps.select(steps.systems == system)
        length = first_length(system) * first / 0.1
        path = DOP853(alone(system), 0, START[:, system], 1e3, rtol=RTOL, atol=ATOL[system], first_step=length)
        for time, size, before, after in zip(own.times, own.sizes, own.states.T, own.after.T, strict=True):
            asked = path.h_abs
            path.step()
            refused += path.h_previous < asked
            np.testing.assert_allclose([time, size], [path.t_old, path.h_previous], rtol=1e-6)
            np.testing.assert_allclose(
                after, path.y, rtol=1e-6, atol=1e-8
            )  # the error that sets the step feels rounding
            np.testing.assert_allclose(slopes(before[:, None], np.array([system])), own.slopes[:, own.times == time])
        assert own.times[-1] < 6.0 <= own.times[-1] + own.sizes[-1]
    assert refused > 0


def estimate(system, size):
    """Scipy's estimate of the error of a first step, in units of the tolerance."""
    start = START[:, system]
    path = DOP853(alone(system), 0, start, 1e3, rtol=1e9, atol=1e9, first_step=size)
    path.step()
    scale = ATOL[system] + RTOL * np.maximum(np.abs(start), np.abs(path.y))
    return path._estimate_error_norm(path.K, size, scale)


@pytest.mark.parametrize("system", [0, 1, 2])
def test_a_step_is_taken_below_the_tolerance_and_refused_above_it(system, monkeypatch):
    usual = first_length(system)
    limit = brentq(lambda share: estimate(system, share * usual) - 1, 0.5, 30.0, xtol=1e-10)
    for share, taken in ((0.999, True), (1.001, False)):
        monkeypatch.setattr(_many_flows, "_FIRST_STEP", 0.1 * share * limit)
        steps = all_steps(1e-3)
        size = steps.sizes[steps.systems == system][0]
        assert (size == pytest.approx(share * limit * usual, rel=1e-12)) == taken


def test_systems_leave_one_by_one_after_the_step_in_which_they_are_done():
    ends = np.array([0.5, 4.0, 2.0])
    parts = rounds(slopes, START, lambda s: s.times + s.sizes >= ends[s.systems])
    steps = Steps.join(parts)
    for system in range(3):
        after = (steps.times + steps.sizes)[steps.systems == system]
        assert np.all(after[:-1] < ends[system])
        assert after[-1] >= ends[system]
    assert parts[-1].systems.size < 3


def test_one_system_that_diverges_is_an_error_also_beside_others():
    def one_diverges(state, systems):
        return np.where(systems == 1, state**2, -state)

    with pytest.raises(FloatingPointError, match="too small"):
        rounds(one_diverges, np.ones((1, 2)), lambda s: s.times + s.sizes >= 2.0, 1e-8, np.full(2, 1e-10))


def test_a_shorter_step_is_that_of_scipy():
    steps = all_steps(1.0)
    pick = steps.select(np.array([1, 4]))
    sizes = 0.7 * pick.sizes
    states, ends = pick.repeat(slopes, sizes)
    for index, system in enumerate(pick.systems):
        path = solve_ivp(
            alone(system),
            (0, sizes[index]),
            pick.states[:, index],
            "DOP853",
            rtol=1e9,
            atol=1e9,
            first_step=sizes[index],
        )
        np.testing.assert_allclose(states[:, index], path.y[:, -1], rtol=1e-13)
    np.testing.assert_allclose(ends, slopes(states, pick.systems), rtol=1e-14)


def test_a_step_without_an_error_is_taken_and_the_next_one_is_ten_times_as_long():
    parts = rounds(lambda y, _: np.ones_like(y), np.ones((1, 1)), lambda s: s.times >= 1.0, 1e-8, np.array([1e-8]))
    assert [part.sizes[0] for part in parts][:2] == pytest.approx([0.1, 1.0])
