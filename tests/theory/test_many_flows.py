"""Many differential equations at once: against closed forms, an independent integrator, and each equation alone."""

from itertools import islice

import numpy as np

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
