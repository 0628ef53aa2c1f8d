"""An adaptive Runge-Kutta method for a batch of independent runs, each with its own clock and its own step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from mtlbook_lib.simulation.engine.linear_algebra import Calls, array_view, product, run_calls
from mtlbook_lib.simulation.engine.runtime import finest, looks_apart, stretches

State = list[Tensor]  # its blocks, each (run, ...)
Slope = Callable[[State], object]  # where to write the slopes of the states as they are now
Field = Callable[[Tensor, State], Slope]  # of which runs, by index, and where their states are found

_GROWTH_LIMIT = 1e8  # no gradient flow gets near this multiple of its start: beyond it, a run counts as diverged
# The pair of orders 5 and 4 of Dormand and Prince (1980). One row per state at which a slope is taken: the weights of
# the slopes so far, in units of the step.
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (-71 / 57600, 0.0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40)
# The continuous extension of order 4 (Shampine 1986) is the cubic through both ends of a step with their slopes, plus
# this combination of the slopes times x^2 (1 - x)^2, with x the fraction of the step.
_BEND = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)


# Weights of the state and of the slopes, which are multiplied by the step: six states, the error, and the bend.
_COMBINATIONS = (*((1.0, *row) for row in _STAGES), (0.0, *_ERROR), (0.0, *_BEND))
_ERROR_ROW, _ROWS = 9, 10  # of the workspace: state, seven slopes, the state on trial, and its error or the bend


def divergence_limit(start: Tensor) -> Tensor:
    """Size of a state beyond which a run that started at this size counts as diverged."""
    return _GROWTH_LIMIT * (1 + start)


class DormandPrince:
    """Fifth-order method that keeps the error of every step below `rtol` times the norm of each block of the state.

    The state is a list of blocks, (run, ...). `reach(t)` advances every run to time t or a part of a step beyond, and
    `at(t)` gives the states there. A run's result does not depend on which other runs share the batch.

    A host looks at each step's outcome, and computes only what is needed. For a device to be asked means to be waited
    for: there several steps are taken between two looks, and runs that are done, or whose step failed, are masked. A
    step is some 140 launches for two layers, more than 50: six stages of three products, their sums, and masks.
    """

    def __init__(self, field: Field, state: Sequence[Tensor], rtol: float, max_steps: int, group: int):
        n_runs, device = state[0].shape[0], state[0].device
        self._field, self._rtol, self._max_steps, self._group = field, rtol, max_steps, min(group, n_runs)
        # Of the last step that ended beyond a target: state and slope at its start, the same at its end, and the bend
        # between them. The end is that of the last step of all. Slopes are multiplied by the step taken.
        self._last = [block.new_zeros(5, *block.shape) for block in state]
        for kept, block in zip(self._last, state, strict=True):
            kept[0] = kept[2] = block
        self._work = _Workspace(state, self._group)
        every = torch.arange(n_runs, device=device)
        for runs in torch.split(every, self._group):
            parts = self._work.views(runs.numel())[0]
            for place, block in zip(parts[8], state, strict=True):
                torch.index_select(block, 0, runs, out=place)
            field(runs, parts[8])(parts[1])
            for kept, slope in zip(self._last, parts[1], strict=True):
                kept[3, runs] = slope
        self._sizes = _norms(state)
        self._limit = divergence_limit(self._sizes)
        self._time = torch.zeros(n_runs, dtype=finest(device), device=device)
        self._start, self._taken = torch.zeros_like(self._time), torch.ones_like(self._time)
        self._next = _first_step(self._sizes, _norms([kept[3] for kept in self._last]))
        self.steps = torch.zeros(n_runs, dtype=torch.int64, device=device)
        self._tries = torch.zeros_like(self.steps)
        self._ahead = looks_apart(device)
        self.diverged = torch.zeros(n_runs, dtype=torch.bool, device=device)

    def reach(self, target: float) -> None:
        """Advance every run to time `target` or beyond, in groups whose numbers stay in the cache during a step."""
        for ahead in stretches(self._ahead):
            waiting = torch.nonzero(self._behind(target)).flatten()
            if waiting.numel() == 0:
                break
            for runs in torch.split(waiting, self._group):
                for _ in range(ahead):
                    self._attempt(runs, target)

    def _behind(self, target: float, runs: Tensor | slice = slice(None)) -> Tensor:
        """Which of the runs have steps to make."""
        return (self._time[runs] < target) & ~self.diverged[runs] & (self._tries[runs] < self._max_steps)

    def reached(self, target: float) -> Tensor:
        """Which runs are valid up to `target`."""
        return ~self.diverged & (self._time >= target)

    def at(self, target: float) -> State:
        """States at `target`, the time last reached, from the continuous extension of the method."""
        x = (target - self._start) / self._taken
        rest = 1 - x
        end = x**2 * (3 - 2 * x)
        weights = torch.stack([1 - end, x * rest**2, end, -(x**2) * rest, x**2 * rest**2], dim=1)[:, None]
        weights = weights.to(self._last[0].dtype)
        return [torch.bmm(weights, k.flatten(2).transpose(0, 1)).view(k.shape[1:]) for k in self._last]

    def _attempt(self, runs: Tensor, target: float) -> None:
        """Try one step of `runs`; keep it where its error is small enough, and choose the next step either way."""
        now, step = self._time[runs], self._next[runs]
        parts, combine = self._work.views(runs.numel())
        self._load(runs, step / self._taken[runs], parts)
        self._stages(runs, step, parts, combine)
        sizes = _norms(parts[8])
        allowed = self._rtol * torch.maximum(self._sizes[runs], sizes)
        ratio = (_norms(parts[_ERROR_ROW]) / allowed.clamp_min(torch.finfo(parts[8][0].dtype).tiny)).amax(dim=1)
        good = ratio <= 1
        after = step * torch.nan_to_num(0.9 * ratio**-0.2, nan=0.2).clamp(0.2, 10.0)
        lost = (now + after == now) | (good & ~(sizes <= self._limit[runs]).all(dim=1))
        if self._ahead > 1:
            behind = self._behind(target, runs)
            good, lost, after = good & behind, lost & behind, torch.where(behind, after, step)
            self._tries[runs] += behind
        else:
            self._tries[runs] += 1
        self._next[runs] = after
        self.diverged[runs] |= lost
        self._accept(runs, good, (now, step, sizes), target)

    def _load(self, runs: Tensor, stretch: Tensor, parts: list[State]) -> None:
        """Where `runs` are, and their slopes there times the new step."""
        for kept, state, slope in zip(self._last, parts[0], parts[1], strict=True):
            torch.index_select(kept[2], 0, runs, out=state)
            torch.index_select(kept[3], 0, runs, out=slope)
        _scale(parts[1], stretch)

    def _stages(self, runs: Tensor, step: Tensor, parts: list[State], combine: list[Calls]) -> None:
        """Fill the slopes of the workspace, times the step; the new state, at which the last is taken; its error."""
        slope = self._field(runs, parts[8])
        for row in range(6):
            run_calls(combine[row])
            slope(parts[row + 2])
            _scale(parts[row + 2], step)
        run_calls(combine[6])

    def _accept(self, runs: Tensor, good: Tensor, outcome: tuple[Tensor, Tensor, Tensor], target: float) -> None:
        parts, combine = self._work.views(runs.numel())
        now, step, sizes = outcome
        crosses = good & (now + step >= target)
        if self._ahead > 1 or bool(crosses.any()):  # only these steps will be looked into
            run_calls(combine[7])
            self._keep(((0, 0), (1, 1), (4, _ERROR_ROW)), self._chosen(runs, crosses), parts)
        chosen = self._chosen(runs, good)
        self._keep(((2, 8), (3, 7)), chosen, parts)
        for kept, values in zip(
            (self._start, self._taken, self._time, self._sizes), (now, step, now + step, sizes), strict=True
        ):
            chosen.write(kept, values)
        self.steps[runs] += good

    def _chosen(self, runs: Tensor, mask: Tensor) -> _Chosen:
        if self._ahead > 1:
            return _Chosen(runs, mask, masked=True)
        everyone = bool(mask.all())  # selecting copies; most of the time there is nothing to leave out
        return _Chosen(runs, None) if everyone else _Chosen(runs[mask], mask)

    def _keep(self, places: Sequence[tuple[int, int]], chosen: _Chosen, parts: list[State]) -> None:
        """Copy rows of the workspace to where the last step is kept."""
        for place, row in places:
            for kept, part in zip(self._last, parts[row], strict=True):
                chosen.write(kept[place], part)


class _Chosen(NamedTuple):
    """Those of a group whose values are written: all of them, those selected, or those that a mask lets through."""

    runs: Tensor
    mask: Tensor | None
    masked: bool = False

    def write(self, kept: Tensor, values: Tensor) -> None:
        """Put the values (run of the group, ...) of the chosen runs into `kept`."""
        if self.mask is not None:
            if self.masked:
                mask = self.mask.view(-1, *(1,) * (values.ndim - 1))
                values = torch.where(mask, values, kept.index_select(0, self.runs))
            else:
                values = values[self.mask]
        kept.index_copy_(0, self.runs, values)


class _Workspace:
    """Rows of memory for a group that takes a step, as blocks of the state, and the sums of rows that a step needs."""

    def __init__(self, state: Sequence[Tensor], group: int):
        self._shapes = [block.shape[1:] for block in state]
        self._memory = state[0].new_empty(_ROWS, group * sum(shape.numel() for shape in self._shapes))
        dtype, device = self._memory.dtype, self._memory.device
        self._weights = [torch.tensor(row, dtype=dtype, device=device) for row in _COMBINATIONS]
        self._known: dict[int, tuple[list[State], list[Calls]]] = {}

    def views(self, n_runs: int) -> tuple[list[State], list[Calls]]:
        """The rows by block, (run, ...), of a group of `n_runs`, and what puts the combinations of rows into rows."""
        if n_runs not in self._known:
            sizes = [n_runs * shape.numel() for shape in self._shapes]
            rows = self._memory[:, : sum(sizes)]
            blocks = [
                [part.view(n_runs, *shape) for part, shape in zip(row.split(sizes), self._shapes, strict=True)]
                for row in rows
            ]
            self._known[n_runs] = blocks, [self._combination(rows, weights) for weights in self._weights]
        return self._known[n_runs]

    @staticmethod
    def _combination(rows: Tensor, weights: Tensor) -> Calls:
        """The states on trial go into one row, the error and the bend into the next."""
        place = rows[_ERROR_ROW if len(weights) == 8 and weights[0] == 0 else 8]
        return product(array_view(weights), array_view(rows[: len(weights)]), array_view(place))


def _scale(blocks: State, factors: Tensor) -> None:
    for block in blocks:
        block.mul_(factors.view(-1, *(1,) * (block.ndim - 1)))


def _norms(blocks: Sequence[Tensor]) -> Tensor:
    """Norm of every block of every run, (run, block), in double precision where there is any."""
    norms = torch.stack([torch.linalg.vector_norm(block.flatten(1), dim=1) for block in blocks], dim=1)
    return norms.to(finest(norms.device))


def _first_step(sizes: Tensor, rates: Tensor) -> Tensor:
    """A step that changes the state by about a hundredth."""
    size, rate = (torch.linalg.vector_norm(x, dim=1) for x in (sizes, rates))
    return torch.where(rate > 0, 0.01 * size / rate, 1.0).clamp_min(1e-6)
