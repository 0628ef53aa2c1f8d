"""An adaptive Runge-Kutta method for a batch of independent runs, each with its own clock and its own step."""

from __future__ import annotations

import torch
from torch import Tensor

from mtlbook_lib.simulation.engine.fixed_step import Field, Runs, divergence_limit

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


class DormandPrince:
    """Fifth-order method that keeps the error of every step below `rtol` times the norm of each block of the state.

    `reach(t)` advances every run to time t or a part of a step beyond, and `at(t)` gives the states there. A run's
    result does not depend on which other runs share the batch.
    """

    def __init__(self, field: Field, state: Tensor, blocks: list[int], rtol: float, max_steps: int, group: int):
        n_runs, size = state.shape
        self._field, self._blocks, self._rtol, self._max_steps = field, blocks, rtol, max_steps
        self._limit = divergence_limit(state)
        self._constant, self._linear = _tableau(state.device)
        self._groups = torch.split(torch.arange(n_runs, device=state.device), group)
        # The last step of every run: state and slope at its start, the same at its end, and the bend between them.
        self._last = state.new_zeros(5, n_runs, size)
        self._last[0] = self._last[2] = state
        self._work = state.new_empty(8, self._groups[0].numel(), size)  # state and slopes of a group that takes a step
        for runs in self._groups:
            field(_as_slice(runs), state[runs])(self._work[1, : runs.numel()])
            self._last[3, runs] = self._work[1, : runs.numel()]
        self._time = torch.zeros(n_runs, dtype=torch.float64, device=state.device)
        self._start, self._taken = torch.zeros_like(self._time), torch.ones_like(self._time)
        self._next = _first_step(state, self._last[3])
        self.steps = torch.zeros(n_runs, dtype=torch.int64, device=state.device)
        self._tries = torch.zeros_like(self.steps)
        self.diverged = torch.zeros(n_runs, dtype=torch.bool, device=state.device)

    def reach(self, target: float) -> None:
        """Advance every run to time `target` or beyond, each group while its numbers are in the cache."""
        for members in self._groups:
            whole = _as_slice(members)
            while True:
                behind = (self._time[whole] < target) & ~self.diverged[whole] & (self._tries[whole] < self._max_steps)
                runs = members[behind]
                if runs.numel() == 0:
                    break
                self._attempt(runs, whole if runs.numel() == members.numel() else runs)

    def reached(self, target: float) -> Tensor:
        """Which runs are valid up to `target`."""
        return ~self.diverged & (self._time >= target)

    def at(self, target: float) -> Tensor:
        """States at `target`, a time within the last step, from the continuous extension of the method."""
        x = (target - self._start) / self._taken
        rest, size = 1 - x, self._taken
        end = x**2 * (3 - 2 * x)
        weights = torch.stack([1 - end, size * x * rest**2, end, -size * x**2 * rest, x**2 * rest**2], dim=1)
        return torch.bmm(weights[:, None].to(self._last.dtype), self._last.transpose(0, 1)).squeeze(1)

    def _attempt(self, runs: Tensor, choice: Runs) -> None:
        """Try one step of `runs`; keep it where its error is small enough, and choose the next step either way.

        `choice` selects the same runs, as a slice where possible, which spares a copy of their data.
        """
        step, work = self._next[choice], self._work[:, : runs.numel()]
        torch.index_select(self._last[2], 0, runs, out=work[0])
        torch.index_select(self._last[3], 0, runs, out=work[1])
        trial, error, bend = self._stages(choice, work, step)
        ratio = self._relative_error(work[0], trial, error)
        good = ratio <= 1
        factor = torch.nan_to_num(0.9 * ratio**-0.2, nan=0.2).clamp(0.2, 10.0)
        self._accept(runs, good, step, (work[0], work[1], trial, work[7], bend))
        now, after = self._time[choice], step * factor
        self._next[choice] = after
        self._tries[choice] += 1
        largest = torch.linalg.vector_norm(trial, torch.inf, dim=1)
        self.diverged[choice] = (now + after == now) | (good & ~(largest <= self._limit[choice]))

    def _stages(self, choice: Runs, work: Tensor, step: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Fill the slopes of `work`, (8, run, n); new state, at which the last is taken, its error, and bend."""
        weights = torch.addcmul(self._constant, self._linear, step[:, None, None]).to(work.dtype)
        runs_first = work.transpose(0, 1)
        trial = torch.empty_like(work[0])
        slope, out = self._field(choice, trial), trial[:, None]
        for row in range(6):  # one product sums state and slopes of a stage, without a copy of either
            torch.bmm(weights[:, row : row + 1, : row + 2], runs_first[:, : row + 2], out=out)
            slope(work[row + 2])
        error, bend = torch.bmm(weights[:, 6:], runs_first).unbind(1)
        return trial, error, bend

    def _relative_error(self, state: Tensor, trial: Tensor, error: Tensor) -> Tensor:
        """Estimated error of the step over what is allowed, the worst block of each run."""
        sizes, old, new = (self._block_norms(x) for x in (error, state, trial))
        allowed = (self._rtol * torch.maximum(old, new)).clamp_min(torch.finfo(state.dtype).tiny)
        return (sizes / allowed).amax(dim=1).double()

    def _block_norms(self, flat: Tensor) -> Tensor:
        blocks = torch.split(flat, self._blocks, dim=1)
        return torch.stack([torch.linalg.vector_norm(block, dim=1) for block in blocks], dim=1)

    def _accept(self, runs: Tensor, good: Tensor, step: Tensor, parts: tuple[Tensor, ...]) -> None:
        if not bool(good.all()):  # selecting copies; most of the time there is nothing to leave out
            runs, step, parts = runs[good], step[good], tuple(part[good] for part in parts)
        for kept, part in zip(self._last, parts, strict=True):
            kept.index_copy_(0, runs, part)
        self._start[runs], self._taken[runs] = self._time[runs], step
        self._time[runs] += step
        self.steps[runs] += 1


def _tableau(device: torch.device) -> tuple[Tensor, Tensor]:
    """Weights of state and slopes, (8, 8), as constant + step x linear: six states, the error, and the bend."""
    linear = [(0.0, *row, *(0.0,) * (7 - len(row))) for row in (*_STAGES, _ERROR)]
    linear.append((0.0, *_BEND))
    constant = torch.zeros(8, 8, dtype=torch.float64, device=device)
    constant[:6, 0] = 1.0
    return constant, torch.tensor(linear, dtype=torch.float64, device=device)


def _as_slice(members: Tensor) -> slice:
    """A group of neighbouring runs as a slice, which selects without a copy."""
    return slice(int(members[0]), int(members[-1]) + 1)


def _first_step(state: Tensor, slope: Tensor) -> Tensor:
    """A step that changes the state by about a hundredth."""
    size, rate = (torch.linalg.vector_norm(x, dim=1).double() for x in (state, slope))
    return torch.where(rate > 0, 0.01 * size / rate, 1.0).clamp_min(1e-6)
