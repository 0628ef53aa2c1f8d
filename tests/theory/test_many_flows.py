"""Many differential equations at once: against closed forms, an independent integrator, and each equation alone."""

from itertools import islice

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import _many_flows
from mtlbook_lib.theory._many_flows import Steps, integrate

RATES = np.array([0.3, 1.0, 7.0, 0.02])
END = np.array([4.0, 9.0, 3.0, 50.0])


def pendulum(state, systems):
    """Damped pendulums; the damping differs."""
    angle, speed = state
    return np.array([speed, -np.sin(angle) - RATES[systems] * speed])


def integrate_to(slopes, start, ends, rtol=1e-11, atol=1e-13):
    """Exact end states, by a shorter version of the last step, and all steps."""
    flow = integrate(slopes, start, lambda s: s.times + s.sizes >= ends[s.systems], rtol, np.full(start.shape[1], atol))
    rounds = list(islice(flow, 3000))
    assert len(rounds) < 3000  # it ends
    steps = Steps.join(rounds)
    last = steps.select((steps.times < ends[steps.systems]) & (steps.times + steps.sizes >= ends[steps.systems]))
    state, slope = last.repeat(slopes, ends[last.systems] - last.times)
    order = np.argsort(last.systems)
    return state[:, order], slope[:, order], steps


@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_states_agree_with_an_independent_integrator(rtol):
    start = np.array([[1.0, 2.0, -0.5, 1.5], [0.0, 0.5, 4.0, 0.0]])
    states, slopes, _ = integrate_to(pendulum, start, END, rtol, rtol)
    for system, end in enumerate(END):
        one = np.array([system])
        path = solve_ivp(
            lambda _, y, one=one: pendulum(y[:, None], one)[:, 0],
            (0, end),
            start[:, system],
            "LSODA",
            rtol=1e-12,
            atol=1e-14,
        )
        reference = path.y[:, -1]
        np.testing.assert_allclose(states[:, system], reference, rtol=0, atol=100 * rtol)
    np.testing.assert_allclose(slopes, pendulum(states, np.arange(4)), rtol=1e-14)


def test_exponentials_are_exact_to_the_tolerance():
    states, _, steps = integrate_to(lambda y, systems: -RATES[systems] * y, np.ones((1, 4)), END, 1e-13, 1e-15)
    np.testing.assert_allclose(states[0], np.exp(-RATES * END), rtol=0, atol=1e-13)
    counts = np.bincount(steps.systems)
    assert counts[2] > counts[0]  # each system has its own steps: the fast one needs the most


def test_a_step_has_order_eight():
    """Halving the step divides the error of one step by 2^9."""
    one = np.array([0])
    start = np.array([[1.0], [0.0]])
    steps = Steps(one, np.zeros(1), np.ones(1), start, pendulum(start, one), start)
    exact = (
        integrate_to(pendulum, start, np.array([0.8]), 1e-14, 1e-16)[0],
        integrate_to(pendulum, start, np.array([0.4]), 1e-14, 1e-16)[0],
    )
    errors = [
        np.abs(steps.repeat(pendulum, np.array([size]))[0] - end).max()
        for size, end in zip((0.8, 0.4), exact, strict=True)
    ]
    assert 2**8 < errors[0] / errors[1] < 2**10.5


def test_systems_do_not_disturb_each_other():
    start = np.array([[1.0, 2.0, -0.5, 1.5], [0.0, 0.5, 4.0, 0.0]])
    together, _, steps = integrate_to(pendulum, start, END, 1e-6, 1e-6)  # so that rounding is not felt in the step
    for system in range(4):
        one = np.array([system])
        alone, _, single = integrate_to(lambda y, _, one=one: pendulum(y, one), start[:, one], END[one], 1e-6, 1e-6)
        own = steps.select(steps.systems == system)
        np.testing.assert_allclose(together[:, one], alone, rtol=0, atol=1e-11)
        # The estimate of the error, and with it the step, feels rounding where it passes through zero.
        np.testing.assert_allclose(own.sizes, single.sizes, rtol=1e-6)
        np.testing.assert_allclose(own.times[1:], (own.times + own.sizes)[:-1], rtol=1e-15)


def test_a_first_step_that_is_too_long_is_refused(monkeypatch):
    start = np.array([[1.0], [0.0]])
    short = integrate_to(pendulum, start, np.array([4.0]))[0]
    monkeypatch.setattr(_many_flows, "_FIRST_STEP", 1e4)
    long, _, steps = integrate_to(pendulum, start, np.array([4.0]))
    np.testing.assert_allclose(long, short, rtol=0, atol=1e-10)
    assert steps.sizes[0] < 5
