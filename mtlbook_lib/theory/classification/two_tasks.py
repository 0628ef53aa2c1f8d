r"""Training of an aligned student of two tasks on infinitely many samples: one trunk, two heads."""

from collections.abc import Callable
from itertools import count as count_from

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from mtlbook_lib._checks import Array, FloatOrArray, like_input, nonnegative, real_array, scalar, whole, within
from mtlbook_lib.theory.softmax import isotropic_curves

_STRONGEST = 1e6  # of labels and weights: a stiffer flow takes many seconds
_INSTANT = 1e-200  # too short a time for the solver, and for the state to change
_MAX_CALLS = 6_000  # of the velocity; a time of 100 takes 900


def two_task_flow(
    relatedness: float,
    label_a: float,
    label_b: float,
    head_a: float,
    head_b: float,
    trunk: float,
    t: ArrayLike,
    k: int,
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray]:
    r"""Trunk and heads of an aligned student of two tasks, all modes alike, under gradient flow.

    .. math::
        \dot w &= a\,(c_A - \phi(a w)) + b\,(r c_B - \phi(b w)), \\
        \dot a &= w\,(c_A - \phi(a w)), \qquad \dot b = w\,(r c_B - \phi(b w)), \qquad \phi(s) = s\,g(|s|)

    Source: Lee & Ndirango (2019), eqs. 26–28, as far as they can be reconstructed: the trunk is confined to the
    input modes of task A, which true training does not respect. Unrelated tasks have no effect if head B starts at
    0, and only then.

    Parameters
    ----------
    relatedness : float
        Multiple :math:`r` of the identity that the two tasks' input modes make, in [0, 1].
    label_a, label_b : float
        Strengths :math:`c_A, c_B` of the labels, >= 0; :math:`m_k/(k - 1)` for isotropic teachers.
    head_a, head_b, trunk : float
        Initial strengths :math:`a, b, w` of the heads and of the trunk.
    t : array_like, any shape
        Training time in units of the time constant, >= 0.
    k : int
        Number of classes of both tasks, at least 2.

    Returns
    -------
    trunk, head_a, head_b : float or ndarray, shape of `t`
        The strength of task A is trunk times head A.

    Examples
    --------
    Without relation and without a head, task B leaves task A as it is alone:

    >>> trunk, head_a, head_b = two_task_flow(0.0, 0.5642, 0.5642, 0.1, 0.0, 0.1, 5.0, k=2)
    >>> round(trunk * head_a, 3), round(aligned_flow(0.01, 5.0, k=2), 3)
    (0.899, 0.899)
    """
    related = scalar("relatedness", relatedness, lambda name, value: within(name, value, 0.0, 1.0))
    label_a, label_b = (_strength(*item, nonnegative) for item in (("label_a", label_a), ("label_b", label_b)))
    start = {"trunk": trunk, "head_a": head_a, "head_b": head_b}
    first = np.array([_strength(name, value) for name, value in start.items()])
    times = nonnegative("t", t)
    gain = isotropic_curves(whole("k", k, minimum=2)).gain

    def velocity(_: float, state: Array) -> Array:
        trunk, heads = state[0], state[1:]
        strengths = trunk * heads
        residual = np.array([label_a, related * label_b]) - strengths * gain(np.abs(strengths))
        return np.array([heads @ residual, *(trunk * residual)])

    states = _states(velocity, first, times.ravel())
    w, a, b = (like_input(state.reshape(times.shape)) for state in states)
    return w, a, b


def _strength(name: str, value: float, check: Callable[[str, ArrayLike], Array] = real_array) -> float:
    return scalar(name, check(name, value), lambda name, value: within(name, value, -_STRONGEST, _STRONGEST))


def _states(velocity: Callable[[float, Array], Array], first: Array, times: Array) -> Array:
    """States (3, n) of an autonomous flow, stiff at late times; each time is the end of a run: none is interpolated."""
    distinct, which = np.unique(times, return_inverse=True)
    calls = count_from()

    def counted(time: float, state: Array) -> Array:
        if next(calls) == _MAX_CALLS:
            raise ValueError(f"t must be earlier, or the strengths smaller: at {time:g} the flow takes too many steps.")
        return velocity(time, state)

    states, state, before = np.empty((first.size, distinct.size)), first, 0.0
    for index, time in enumerate(distinct):
        if time > before + _INSTANT:
            run = solve_ivp(counted, (before, time), state, method="LSODA", rtol=1e-12, atol=1e-14)
            if not run.success:
                raise ValueError(f"t must be earlier, or the strengths smaller: the flow stops at {run.t[-1]:g}.")
            state, before = run.y[:, -1], float(time)
        states[:, index] = state
    return states[:, which]
