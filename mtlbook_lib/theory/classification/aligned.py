r"""Training of an aligned student on infinitely many samples: all modes share one strength."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, like_input, nonnegative, one_of, whole
from mtlbook_lib.theory.softmax import expected_maximum, interpolated_gain, isotropic_curves, rem_critical_norm

CLOSURES = ("exact", "interpolated", "rem", "rem gain")
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_PANEL = 0.5
_SETTLED = 60.0  # in this coordinate a logistic curve has reached its plateau to all digits
_NEWTON_STEPS = 10  # inside one panel six are enough for all digits


def aligned_flow(s0: ArrayLike, t: ArrayLike, k: int, depth: int = 2, closure: str = "exact") -> FloatOrArray:
    r"""Strength of an aligned student of isotropic labels under gradient flow on infinitely many samples.

    .. math:: \dot s = L\,s^{2 - 2/L}\left(\frac{m_k}{k - 1} - s\,g(s)\right), \qquad s(0) = s_0

    Source: Lee & Ndirango (2019), eqs. 3 and 18, with balanced layers and a teacher of rank k. Its gain is estimated
    by the random energy model; the exact flow never stops, while that of "rem" ends at :math:`s_c`. See the chapter
    on aligned students.

    Parameters
    ----------
    s0 : array_like, any shape
        Initial strength of the composite map (norm of the logits), > 0; at depth 1 also 0.
    t : array_like, broadcasts against `s0`
        Training time in units of the time constant, >= 0.
    k : int
        Number of classes, at least 2.
    depth : int
        Number :math:`L` of weight matrices, at least 1.
    closure : str
        "exact"; "interpolated", with ``interpolated_gain``; "rem", the random energy model for labels and gain; "rem
        gain", with exact labels, for `s0` below :math:`m_k`. The last two replace the bracket by
        :math:`(c - \min(s, s_c))` over :math:`k - 1`, with :math:`c = s_c` or :math:`m_k`.

    Raises
    ------
    ValueError
        If `s0` is 0 at a depth where the student never leaves it.

    Examples
    --------
    >>> aligned_flow(0.1, [0.0, 10.0, 100.0], k=5).round(3)
    array([0.1  , 2.041, 9.713])
    """
    k, depth = whole("k", k, minimum=2), whole("depth", depth)
    one_of("closure", closure, CLOSURES)
    start, times = broadcast(s0=nonnegative("s0", s0), t=nonnegative("t", t))
    if depth > 1 and np.any(start == 0):
        raise ValueError(f"s0 must be greater than 0 at depth {depth}, where 0 is a fixed point; got {s0!r}.")
    if closure == "rem gain" and np.any(start >= expected_maximum(k)):
        raise ValueError(f"s0 must be below {expected_maximum(k):g}, the plateau of this closure; got {s0!r}.")
    result = np.empty(times.shape)
    for first in np.unique(start):
        chosen = start == first
        result[chosen] = _strengths(float(first), times[chosen], k, depth, closure)
    return like_input(result)


@dataclass(frozen=True)
class _Coordinate:
    """A coordinate y of the strength in which the flow is smooth and increasing at all times."""

    start: float
    strength: Callable[[Array], Array]  # s(y)
    velocity: Callable[[Array], Array]  # dy/dt at y, > 0
    end: float = np.inf  # where the strength no longer changes


def _strengths(s0: float, times: Array, k: int, depth: int, closure: str) -> Array:
    """s(t), by inverting the time at which each strength is reached, an integral of one over the velocity."""
    if closure == "rem" and s0 >= rem_critical_norm(k):
        return np.full(times.shape, s0)
    coordinate = _saturating(s0, k, depth, closure) if closure.startswith("rem") else _growing(s0, k, depth, closure)
    edges, reached = _timetable(coordinate, float(np.max(times)))
    return coordinate.strength(_inverse(coordinate, edges, reached, times))


def _growing(s0: float, k: int, depth: int, closure: str) -> _Coordinate:
    """The logarithm of the strength, shifted at depth 1 so that it may start at 0."""
    shift = 1.0 if depth == 1 else 0.0
    deficit = isotropic_curves(k).slope_deficit if closure == "exact" else _interpolated_deficit(k)

    def velocity(y: Array) -> Array:
        s = np.exp(y) - shift
        return np.asarray(depth * s ** (2 - 2 / depth) * np.exp(-y) * deficit(s) / (k - 1))

    return _Coordinate(float(np.log(s0 + shift)), lambda y: np.exp(y) - shift, velocity)


def _interpolated_deficit(k: int) -> Callable[[Array], Array]:
    return lambda s: np.asarray(expected_maximum(k) - (k - 1) * s * np.asarray(interpolated_gain(s, k)))


def _saturating(s0: float, k: int, depth: int, closure: str) -> _Coordinate:
    """log(s / (plateau - s)) at depth 2 and more, -log(1 - s / plateau) at depth 1: the plateau is at infinity."""
    plateau = float(rem_critical_norm(k) if closure == "rem" else expected_maximum(k))
    if depth == 1:
        return _Coordinate(
            float(-np.log1p(-s0 / plateau)),
            lambda y: -plateau * np.expm1(-y),
            lambda y: np.full(y.shape, 1 / (k - 1)),
            _SETTLED,
        )
    return _Coordinate(
        float(np.log(s0) - np.log(plateau - s0)),
        lambda y: plateau * expit(y),
        lambda y: depth * (plateau * expit(y)) ** (1 - 2 / depth) * plateau / (k - 1),
        _SETTLED,
    )


def _timetable(coordinate: _Coordinate, horizon: float) -> tuple[Array, Array]:
    """Edges of panels of the coordinate, and the times at which the flow reaches them, beyond the horizon."""
    edges, reached = [coordinate.start], [0.0]
    while reached[-1] <= horizon and edges[-1] < coordinate.end:
        edges.append(edges[-1] + _PANEL)
        reached.append(reached[-1] + float(_passage(coordinate, np.array(edges[-2:-1]), np.array(edges[-1:]))[0]))
    return np.array(edges), np.array(reached)


def _passage(coordinate: _Coordinate, start: Array, stop: Array) -> Array:
    """Time from `start` to `stop`, by Gauss–Legendre quadrature."""
    half = (stop - start)[:, None] / 2
    return np.asarray(np.sum(half * _WEIGHTS / coordinate.velocity(start[:, None] + half * (1 + _NODES)), axis=1))


def _inverse(coordinate: _Coordinate, edges: Array, reached: Array, times: Array) -> Array:
    """Coordinates at the given times, by Newton's method inside the panel of each."""
    panel = np.minimum(np.searchsorted(reached, times, side="right") - 1, edges.size - 2)
    y = start = edges[panel]
    stop = edges[panel + 1]
    for _ in range(_NEWTON_STEPS):
        step = (times - reached[panel] - _passage(coordinate, start, y)) * coordinate.velocity(y)
        y = np.clip(y + step, start, stop)
    return np.where(times > reached[-1], np.inf, y)
