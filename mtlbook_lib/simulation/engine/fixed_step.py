"""The classical Runge-Kutta method for a batch of independent runs with flat states."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

Runs = Tensor | slice  # indices of runs, or a slice of neighbours
Slope = Callable[[Tensor], object]  # where to write the slopes, (run, n), of the states as they are now
Field = Callable[[Runs, Tensor], Slope]  # of which runs, and where their states, (run, n), are found

_GROWTH_LIMIT = 1e8  # no gradient flow gets near this multiple of its start: beyond it, a run counts as diverged


def divergence_limit(state: Tensor) -> Tensor:
    """Size of a weight beyond which a run that started at `state` counts as diverged."""
    return _GROWTH_LIMIT * (1 + state.abs().amax(dim=1))


class FixedStep:
    """Fourth-order method with one step size for all runs, shortened to fit each interval between two targets.

    `reach(t)` advances the runs to time t and `at(t)` gives their states there. A run's result does not depend on
    which other runs share the batch.
    """

    def __init__(self, field: Field, state: Tensor, step: float, group: int):
        self._field, self._step, self._group = field, step, group
        self._limit = divergence_limit(state)
        self._state, self._time = state, 0.0
        self.steps = torch.zeros(state.shape[0], dtype=torch.int64, device=state.device)
        self.diverged = torch.zeros(state.shape[0], dtype=torch.bool, device=state.device)

    def reach(self, target: float) -> None:
        """Advance every run to time `target`."""
        span = target - self._time
        count = math.ceil(span / self._step - 1e-9)  # the margin keeps a rounded quotient from costing a step
        for runs in torch.split(torch.nonzero(~self.diverged).flatten(), self._group):
            state = self._state[runs]
            trial, slopes = torch.empty_like(state), state.new_empty(4, *state.shape)
            slope = self._field(runs, trial)
            for _ in range(count):
                _classical_step(slope, state, trial, slopes, span / count)
            self._state[runs] = state
            self.steps[runs] += count
        self.diverged |= ~(self._state.abs().amax(dim=1) <= self._limit)
        self._time = target

    def reached(self, target: float) -> Tensor:
        """Which runs are valid up to `target`, the time last reached."""
        return ~self.diverged

    def at(self, target: float) -> Tensor:
        """States at `target`, the time last reached."""
        return self._state


def _classical_step(slope: Slope, state: Tensor, trial: Tensor, slopes: Tensor, step: float) -> None:
    """Advance `state` in place."""
    trial.copy_(state)
    slope(slopes[0])
    for stage, share in enumerate((0.5, 0.5, 1.0)):
        torch.add(state, slopes[stage], alpha=share * step, out=trial)
        slope(slopes[stage + 1])
    for part, weight in zip(slopes, (1 / 6, 1 / 3, 1 / 3, 1 / 6), strict=True):
        state.add_(part, alpha=weight * step)
