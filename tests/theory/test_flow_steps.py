"""The steps of many flows are those of scipy's integrator of the same order, each system alone."""

from itertools import islice

import numpy as np
import pytest
from scipy.integrate import DOP853

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
