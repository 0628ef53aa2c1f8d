r"""Many autonomous systems of differential equations at once, each with its own step: Dormand and Prince's order 8.

A state holds one system per column. What happens within a step is found by repeating it shorter: the result has the
full order, and no interpolation is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from mtlbook_lib._checks import Array

Index = NDArray[np.intp]  # which systems

# slopes(state, systems): the right-hand side for the numbered systems, state and result of shape (size, systems).
Slopes = Callable[[Array, Index], Array]

_STAGES = int(DOP853.n_stages)
_MATRIX, _WEIGHTS = np.asarray(DOP853.A)[:_STAGES, :_STAGES], np.asarray(DOP853.B)
_ERRORS = np.stack([DOP853.E5, DOP853.E3])
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0
_TINY = float(np.finfo(float).tiny)
_FIRST_STEP = 0.1  # of the time in which a state would double: if it is too long, it is refused


@dataclass(frozen=True)
class Steps:
    """Accepted steps, one for each of `systems`: where they begin, how long they are, and the states at both ends."""

    systems: Index
    times: Array
    sizes: Array
    states: Array
    slopes: Array
    after: Array

    def select(self, which: NDArray[np.bool_] | Index) -> Steps:
        ends = self.systems[which], self.times[which], self.sizes[which]
        return Steps(*ends, self.states[:, which], self.slopes[:, which], self.after[:, which])

    @staticmethod
    def join(parts: list[Steps]) -> Steps:
        first = [np.concatenate([getattr(part, name) for part in parts]) for name in ("systems", "times", "sizes")]
        rest = [np.concatenate([getattr(part, name) for part in parts], 1) for name in ("states", "slopes", "after")]
        return Steps(*first, *rest)

    def repeat(self, slopes: Slopes, sizes: Array) -> tuple[Array, Array]:
        """States after the steps, and their slopes, had the steps had these sizes."""
        stages = _stages(slopes, self.states, self.slopes, sizes, self.systems)
        return self.states + sizes * _combine(_WEIGHTS, stages[:-1]), stages[-1]


def integrate(
    slopes: Slopes, start: Array, done: Callable[[Steps], NDArray[np.bool_]], rtol: float, atol: Array
) -> Iterator[Steps]:
    """Rounds of accepted steps from time 0 on; a system leaves after the first step of which `done` is true."""
    systems, times, state = np.arange(start.shape[1]), np.zeros(start.shape[1]), start
    slope = slopes(state, systems)
    sizes = _FIRST_STEP * np.linalg.norm(state, axis=0) / np.linalg.norm(slope, axis=0)
    limit = np.full(sizes.shape, _GROW)  # after a refusal the step must not grow at once
    while systems.size:
        stages = _stages(slopes, state, slope, sizes, systems)
        after = state + sizes * _combine(_WEIGHTS, stages[:-1])
        scale = atol[systems] + rtol * np.maximum(np.abs(state), np.abs(after))
        error = _error(stages, sizes, scale)
        good = error < 1
        left = np.zeros_like(good)
        if good.any():
            taken = Steps(systems, times, sizes, state, slope, after).select(good)
            yield taken
            left[good] = done(taken)
        times = np.where(good, times + sizes, times)
        state, slope = np.where(good, after, state), np.where(good, stages[-1], slope)
        with np.errstate(divide="ignore"):
            change = np.clip(_SAFETY * error ** (-1 / 8), _SHRINK, np.where(good, limit, 1.0))
        sizes, limit = sizes * change, np.where(good, _GROW, 1.0)
        if np.any(sizes <= 4 * np.spacing(times)):
            raise FloatingPointError("the steps of the integration became too small for float64.")
        stay = ~left
        systems, times, sizes, limit = systems[stay], times[stay], sizes[stay], limit[stay]
        state, slope = state[:, stay], slope[:, stay]


def _stages(slopes: Slopes, state: Array, slope: Array, sizes: Array, systems: Index) -> Array:
    """Slopes at all stages of a step, the last of them at its end."""
    stages = np.empty((_STAGES + 1, *state.shape))
    stages[0] = slope
    for stage in range(1, _STAGES):
        stages[stage] = slopes(state + sizes * _combine(_MATRIX[stage, :stage], stages[:stage]), systems)
    stages[-1] = slopes(state + sizes * _combine(_WEIGHTS, stages[:-1]), systems)
    return stages


def _combine(weights: Array, stages: Array) -> Array:
    total: Array = (weights @ stages.reshape(len(stages), -1)).reshape(*weights.shape[:-1], *stages.shape[1:])
    return total


def _error(stages: Array, sizes: Array, scale: Array) -> Array:
    """Error of each system's step in units of its tolerance: the estimate of order 5, damped by that of order 3."""
    fifth, third = np.sum((_combine(_ERRORS, stages) / scale) ** 2, axis=1)
    both = fifth + 0.01 * third
    rms: Array = sizes * fifth / np.sqrt(np.maximum(both, _TINY) * len(scale))
    return rms
