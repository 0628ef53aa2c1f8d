"""The classical Runge-Kutta method for a batch of independent runs whose state is a list of blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

State = list[Tensor]  # its blocks, each (run, ...)
Slope = Callable[[State], object]  # where to write the slopes of the states as they are now
Field = Callable[[Tensor, State], Slope]  # of which runs, by index, and where their states are found

_GROWTH_LIMIT = 1e8  # no gradient flow gets near this multiple of its start: beyond it, a run counts as diverged


def divergence_limit(start: Tensor) -> Tensor:
    """Size of a state beyond which a run that started at this size counts as diverged."""
    return _GROWTH_LIMIT * (1 + start)


class FixedStep:
    """Fourth-order method with one step size for all runs, shortened to fit each interval between two targets.

    The state is a list of blocks, (run, ...). `reach(t)` advances the runs to time t and `at(t)` gives their states
    there. A run's result does not depend on which other runs share the batch.
    """

    def __init__(self, field: Field, state: Sequence[Tensor], step: float, group: int):
        n_runs, device = state[0].shape[0], state[0].device
        self._field, self._step, self._group = field, step, group
        self._limit = divergence_limit(largest(state))
        self._state, self._time = list(state), 0.0
        self.steps = torch.zeros(n_runs, dtype=torch.int64, device=device)
        self.diverged = torch.zeros(n_runs, dtype=torch.bool, device=device)

    def reach(self, target: float) -> None:
        """Advance every run to time `target`."""
        span = target - self._time
        count = math.ceil(span / self._step - 1e-9)  # the margin keeps a rounded quotient from costing a step
        for runs in torch.split(torch.nonzero(~self.diverged).flatten(), self._group):
            state = [block[runs] for block in self._state]
            trial = [torch.empty_like(block) for block in state]
            slopes = [[torch.empty_like(block) for block in state] for _ in range(4)]
            slope = self._field(runs, trial)
            for _ in range(count):
                _classical_step(slope, state, trial, slopes, span / count)
            for block, advanced in zip(self._state, state, strict=True):
                block[runs] = advanced
            self.steps[runs] += count
        self.diverged |= ~(largest(self._state) <= self._limit)
        self._time = target

    def reached(self, target: float) -> Tensor:
        """Which runs are valid up to `target`, the time last reached."""
        return ~self.diverged

    def at(self, target: float) -> State:
        """States at `target`, the time last reached."""
        return self._state


def _classical_step(slope: Slope, state: State, trial: State, slopes: list[State], step: float) -> None:
    """Advance `state` in place."""
    for block, tried in zip(state, trial, strict=True):
        tried.copy_(block)
    slope(slopes[0])
    for stage, share in enumerate((0.5, 0.5, 1.0)):
        for block, part, tried in zip(state, slopes[stage], trial, strict=True):
            torch.add(block, part, alpha=share * step, out=tried)
        slope(slopes[stage + 1])
    for parts, weight in zip(slopes, (1 / 6, 1 / 3, 1 / 3, 1 / 6), strict=True):
        for block, part in zip(state, parts, strict=True):
            block.add_(part, alpha=weight * step)


def largest(blocks: Sequence[Tensor]) -> Tensor:
    """Size of the largest number of every run; NaN where there is one."""
    return torch.stack([block.abs().flatten(1).amax(dim=1) for block in blocks]).amax(dim=0)
