"""Aligned students of one and of two tasks: the flows against integrators that do not use their interpolants."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.classification import aligned_flow, two_task_flow
from mtlbook_lib.theory.softmax import (
    expected_maximum,
    interpolated_gain,
    isotropic_gain,
    rem_critical_norm,
    rem_gain,
)

LABEL = expected_maximum(10) / 9
GAINS = {"exact": isotropic_gain, "interpolated": interpolated_gain, "rem": rem_gain, "rem gain": rem_gain}


def velocity(k, depth, closure):
    strength = rem_critical_norm(k) if closure == "rem" else expected_maximum(k)
    return lambda s: depth * s ** (2 - 2 / depth) * (strength / (k - 1) - s * GAINS[closure](s, k))


@pytest.mark.parametrize("closure", list(GAINS))
@pytest.mark.parametrize(("depth", "s0", "time"), [(1, 0.2, 6.0), (2, 0.05, 12.0), (3, 0.3, 5.0), (5, 0.6, 4.0)])
def test_flow_by_another_integrator(closure, depth, s0, time):
    flow = velocity(10, depth, closure)
    run = solve_ivp(lambda t, s: [flow(s[0])], (0, time), [s0], method="DOP853", rtol=1e-10, atol=1e-12)
    assert aligned_flow(s0, time, 10, depth, closure) == pytest.approx(run.y[0, -1], rel=2e-9)


@pytest.mark.parametrize("related", [0.0, 0.4, 1.0])
def test_two_tasks_by_another_integrator(related):
    def flow(_, state):
        w, a, b = state
        first = LABEL - a * w * isotropic_gain(abs(a * w), 10)
        second = related * 0.9 * LABEL - b * w * isotropic_gain(abs(b * w), 10)
        return [a * first + b * second, w * first, w * second]

    run = solve_ivp(flow, (0, 8), [0.4, 0.3, -0.2], t_eval=[3, 8], method="DOP853", rtol=1e-9, atol=1e-11)
    values = two_task_flow(related, LABEL, 0.9 * LABEL, 0.3, -0.2, 0.4, [8.0, 3.0], 10)
    for value, expected in zip(values, run.y, strict=True):
        assert value[::-1] == pytest.approx(expected, rel=1e-7)


def test_two_tasks_conserve_the_balance():
    """Trunk² - head_a² - head_b² does not change."""
    trunk, head_a, head_b = two_task_flow(0.6, LABEL, 0.5, 0.2, -0.4, 0.3, np.linspace(0, 50, 6), 10)
    balance = trunk**2 - head_a**2 - head_b**2
    assert balance == pytest.approx(np.full(6, 0.09 - 0.04 - 0.16), abs=1e-9)
