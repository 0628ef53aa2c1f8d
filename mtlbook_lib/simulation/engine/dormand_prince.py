"""An adaptive Runge-Kutta method for a batch of independent runs, each with its own clock and its own step."""

from __future__ import annotations

import torch
from torch import Tensor

from mtlbook_lib.simulation.engine.fixed_step import Field, divergence_limit

# The pair of orders 5 and 4 of Dormand and Prince (1980) and its continuous extension of order 4 (Shampine 1986).
_STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (-71 / 57600, 0.0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40)
_DENSE = (  # one row per stage, one column per power (1 to 4) of the fraction of the step
    (1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
    (0.0, 0.0, 0.0, 0.0),
    (0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
    (0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
    (0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
    (0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
    (0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
)


class DormandPrince:
    """Fifth-order method that keeps the error of every step below `rtol` times the norm of each block of the state.

    `reach(t)` advances every run to time t or a part of a step beyond, and `at(t)` gives the states there. A run's
    result does not depend on which other runs share the batch.
    """

    def __init__(self, field: Field, state: Tensor, blocks: list[int], rtol: float, max_steps: int, group: int):
        n_runs, size = state.shape
        self._field, self._blocks, self._rtol, self._max_steps, self._group = field, blocks, rtol, max_steps, group
        self._limit = divergence_limit(state)
        self._weights = [state.new_tensor(row) for row in (*_STAGES, _ERROR)]
        self._dense = torch.tensor(_DENSE, dtype=torch.float64, device=state.device)
        self._state, self._before = state, state.clone()
        self._slopes = state.new_zeros(n_runs, 7, size)
        for runs in torch.split(torch.arange(n_runs, device=state.device), group):
            self._slopes[runs, 6] = field(runs)(state[runs])
        self._time = torch.zeros(n_runs, dtype=torch.float64, device=state.device)
        self._start, self._taken = torch.zeros_like(self._time), torch.ones_like(self._time)
        self._next = _first_step(state, self._slopes[:, 6])
        self.steps = torch.zeros(n_runs, dtype=torch.int64, device=state.device)
        self._tries = torch.zeros_like(self.steps)
        self.diverged = torch.zeros(n_runs, dtype=torch.bool, device=state.device)

    def reach(self, target: float) -> None:
        """Advance every run to time `target` or beyond."""
        while True:
            behind = torch.nonzero(~(self.diverged | self.reached(target)) & (self._tries < self._max_steps)).flatten()
            if behind.numel() == 0:
                return
            for runs in torch.split(behind, self._group):
                self._attempt(runs)

    def reached(self, target: float) -> Tensor:
        """Which runs are valid up to `target`."""
        return ~self.diverged & (self._time >= target)

    def at(self, target: float) -> Tensor:
        """States at `target`, a time within the last step, from the continuous extension of the method."""
        fraction = (target - self._start) / self._taken
        powers = torch.stack([fraction, fraction**2, fraction**3, fraction**4], dim=1)
        weights = (self._taken[:, None] * (powers @ self._dense.T)).to(self._before.dtype)
        return torch.baddbmm(self._before[:, None], weights[:, None], self._slopes).squeeze(1)

    def _attempt(self, runs: Tensor) -> None:
        """Try one step of `runs`; keep it where its error is small enough, and choose the next step either way."""
        state, step = self._state[runs], self._next[runs]
        slopes, trial = self._stages(runs, state, step)
        error = self._relative_error(state, trial, slopes, step)
        good = error <= 1
        factor = torch.nan_to_num(0.9 * error**-0.2, nan=0.2).clamp(0.2, 10.0)
        self._next[runs] = step * factor
        self._tries[runs] += 1
        self._accept(runs, good, state, trial, slopes, step)
        stuck = self._time[runs] + self._next[runs] == self._time[runs]
        self.diverged[runs] = stuck | (good & ~(trial.abs().amax(dim=1) <= self._limit[runs]))

    def _stages(self, runs: Tensor, state: Tensor, step: Tensor) -> tuple[Tensor, Tensor]:
        """Slopes of the seven stages, (run, 7, n), and the new state, at which the last of them is taken."""
        slope, size = self._field(runs), step.to(state.dtype)[:, None, None]
        slopes = state.new_empty(runs.numel(), 7, state.shape[1])
        slopes[:, 0] = self._slopes[runs, 6]
        trial = state
        for row, weights in enumerate(self._weights[:-1], start=1):
            trial = torch.baddbmm(state[:, None], size * weights, slopes[:, :row]).squeeze(1)
            slopes[:, row] = slope(trial)
        return slopes, trial

    def _relative_error(self, state: Tensor, trial: Tensor, slopes: Tensor, step: Tensor) -> Tensor:
        """Estimated error of the step over what is allowed, the worst block of each run."""
        error = torch.matmul(self._weights[-1], slopes)
        sizes, old, new = (self._block_norms(x) for x in (error, state, trial))
        allowed = (self._rtol * torch.maximum(old, new)).clamp_min(torch.finfo(state.dtype).tiny)
        return step * (sizes / allowed).amax(dim=1)

    def _block_norms(self, flat: Tensor) -> Tensor:
        blocks = torch.split(flat, self._blocks, dim=1)
        return torch.stack([torch.linalg.vector_norm(block, dim=1) for block in blocks], dim=1)

    def _accept(
        self, runs: Tensor, good: Tensor, state: Tensor, trial: Tensor, slopes: Tensor, step: Tensor
    ) -> None:
        if not bool(good.all()):  # selecting copies; most of the time there is nothing to leave out
            runs, state, trial, slopes, step = (x[good] for x in (runs, state, trial, slopes, step))
        self._before[runs], self._state[runs], self._slopes[runs] = state, trial, slopes
        self._start[runs], self._taken[runs] = self._time[runs], step
        self._time[runs] += step
        self.steps[runs] += 1


def _first_step(state: Tensor, slope: Tensor) -> Tensor:
    """A step that changes the state by about a hundredth."""
    size, rate = (torch.linalg.vector_norm(x, dim=1).double() for x in (state, slope))
    return torch.where(rate > 0, 0.01 * size / rate, 1.0).clamp_min(1e-6)
