r"""The 2x2 reduction of a wide random student: one mode of the training map, seen through every layer.

An isolated mode (u, v, s_hat) only involves, in every hidden layer of a wide random student, the forward image of v and
the backward image of u. They start orthogonal and span a plane that the flow maps into itself. Each layer thus acts as
a 2x2 matrix that starts at :math:`\varepsilon^{1/D} I`; the first and the last have a third direction for the part of v
and u that a narrower hidden layer does not see. Here s_hat and tau are 1, and `scale` is the composite map's start.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from mtlbook_lib._checks import Array
from mtlbook_lib.theory._deep_modes import deep_strength

_RTOL = 1e-12  # of the reduced flow: half-times converge to about 1e-12 relative
_LEARNED = 1.0 - 1e-10  # share of s_hat from which a trajectory is taken as complete


def reduced_half_time(scale: float, depth: int, ratio_in: float, ratio_out: float) -> float:
    """Time at which the strength of the mode first reaches one half."""
    return float(_integrate(scale, depth, ratio_in, ratio_out, 0.5).t_events[0][0])


def reduced_trajectory(
    times: Array, scale: float, depth: int, ratio_in: float, ratio_out: float
) -> tuple[Array, Array]:
    """Strength of the mode, and norm of all that the student holds outside it, at sorted times.

    Once the mode is learned the flow is stiff but simple: the rest decays like a mode without signal.
    """
    flow = _integrate(scale, depth, ratio_in, ratio_out, _LEARNED, float(times[-1]))
    learned = flow.t_events[0][0] if flow.t_events[0].size else np.inf
    maps = np.array([_composite_map(_split_layers(state, depth)) for state in flow.sol(np.minimum(times, learned)).T])
    u, v = _mode_vectors(ratio_in, ratio_out)
    strength = u @ maps @ v
    rest = np.linalg.norm(maps - strength[:, None, None] * np.outer(u, v), axis=(1, 2))
    late = times > learned
    rest[late] = deep_strength(times[late] - learned, np.zeros(late.sum()), rest[late], depth)
    return strength, rest


def _integrate(scale: float, depth: int, ratio_in: float, ratio_out: float, level: float, end: float = np.inf) -> Any:
    """The layers' own equations, until the strength reaches `level` or the time `end`."""
    u, v = _mode_vectors(ratio_in, ratio_out)
    factor = scale ** (1.0 / depth)
    start = factor * np.concatenate([np.eye(2, 3).ravel(), *[np.eye(2).ravel()] * (depth - 2), np.eye(3, 2).ravel()])

    def missing(_: float, state: Array) -> float:
        return float(u @ _composite_map(_split_layers(state, depth)) @ v - level)

    missing.terminal = True  # type: ignore[attr-defined]
    return solve_ivp(
        lambda _, state: _layer_slopes(state, depth, np.outer(u, v)),
        (0.0, end),
        start,
        method="DOP853",
        rtol=_RTOL,
        atol=0.01 * _RTOL * factor,
        events=missing,
        dense_output=True,
    )


def _layer_slopes(state: Array, depth: int, target: Array) -> Array:
    """Right-hand side of the reduced flow, by one pass forward and one backward through the layers."""
    layers = _split_layers(state, depth)
    before = [layers[0]]
    for layer in layers[1:]:
        before.append(layer @ before[-1])
    backward = target - before[-1]
    slopes = []
    for layer, signal in zip(layers[:0:-1], before[-2::-1], strict=True):
        slopes.append((backward @ signal.T).ravel())
        backward = layer.T @ backward
    slopes.append(backward.ravel())
    return np.concatenate(slopes[::-1])


def _mode_vectors(ratio_in: float, ratio_out: float) -> tuple[Array, Array]:
    """Output and input vector of the mode: the seen part in the plane, the rest in the third direction."""
    u = np.array([0.0, np.sqrt(ratio_out), np.sqrt(1.0 - ratio_out)])
    return u, np.array([np.sqrt(ratio_in), 0.0, np.sqrt(1.0 - ratio_in)])


def _split_layers(state: Array, depth: int) -> list[Array]:
    return [state[:6].reshape(2, 3), *state[6:-6].reshape(depth - 2, 2, 2), state[-6:].reshape(3, 2)]


def _composite_map(layers: list[Array]) -> Array:
    product = layers[0]
    for layer in layers[1:]:
        product = layer @ product
    return product
