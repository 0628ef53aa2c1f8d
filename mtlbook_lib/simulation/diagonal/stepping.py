"""Steps of a stiff flow to a given loss: each run has its own clock, and its last step lands at the tolerance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

_D, _E = 1 / (2 + np.sqrt(2.0)), 6 + np.sqrt(2.0)
_SHORTER, _LONGER = 0.2, 5.0
_LANDING = 0.5  # the last step ends between this share of the tolerance and the tolerance


class Trial(NamedTuple):
    """Where a step of some runs leads: its end, the residuals there, and the largest angle it is in error by."""

    end: Any
    residual: Tensor
    error: Tensor


class Stepper:
    """Runs with residuals (run, row) and a loss; what a step does is up to the kind of flow."""

    def __init__(self, residual: Tensor, rest: Tensor, fastest: Tensor, tolerance: float, accuracy: float):
        self._residual, self._rest = residual, rest
        self._tolerance, self._accuracy = tolerance, accuracy
        self._loss = residual.square().sum(dim=1) + rest
        # The first step turns no coordinate by more than a tenth.
        self._step = 0.1 / fastest.clamp_min(1e-300)
        self._time, self._steps = torch.zeros_like(self._loss), torch.zeros_like(self._loss, dtype=torch.int64)
        self._tries = torch.zeros_like(self._steps)

    def trial(self, runs: Tensor, step: Tensor) -> Trial:
        """Where a step of the given length leads some runs."""
        raise NotImplementedError

    def keep(self, runs: Tensor, end: Any, good: Tensor) -> None:
        """Move `runs`, which are those of a trial that are `good`, to its end."""
        raise NotImplementedError

    def advance(self, max_steps: int) -> None:
        """Step until every run has converged or used up its steps."""
        while True:
            going = (self._loss > self._tolerance) & (self._tries < max_steps) & (self._step > 0)
            runs = torch.nonzero(going).flatten()
            if runs.numel() == 0:
                return
            self._attempt(runs)

    def _attempt(self, runs: Tensor) -> None:
        """Try one step of some runs; keep it where it is accurate and does not fall far below the tolerance."""
        step = self._step[runs]
        end, new, error = self.trial(runs, step)
        ratio = torch.nan_to_num(error / self._accuracy, nan=1e6, posinf=1e6)
        loss = new.square().sum(dim=1) + self._rest[runs]
        after = step * (0.8 * ratio.clamp_min(1e-9) ** (-1 / 3)).clamp(_SHORTER, _LONGER)
        good = (ratio <= 1) & torch.isfinite(loss)
        beyond = good & (loss < _LANDING * self._tolerance)
        # The loss falls about exponentially: aim at the middle of where to land.
        fall = torch.log(self._loss[runs] / loss.clamp_min(1e-300)).clamp_min(1e-12)
        wanted = torch.log(self._loss[runs] / (0.75 * self._tolerance))
        after = torch.where(beyond, step * (wanted / fall).clamp(0.05, 0.95), after)
        good &= ~beyond
        self._tries[runs] += 1
        self._step[runs] = after
        kept = runs[good]
        self.keep(kept, end, good)
        self._residual[kept], self._loss[kept] = new[good], loss[good]
        self._time[kept] += step[good]
        self._steps[kept] += 1


def rosenbrock(step: Tensor, start: Tensor, matrix: Tensor, field: Any) -> tuple[Tensor, Tensor, Tensor]:
    """A step of the impulse, its time derivative being twice the residuals: its end, their value, the end's error.

    `start` are the residuals at the beginning, `matrix` minus the derivative of the residuals there times the step, and
    `field` gives the residuals after a change of the impulse.
    """
    h, f0 = step[:, None], 2 * start
    matrix = 2 * _D * matrix
    matrix.diagonal(dim1=1, dim2=2).add_(1.0)
    factor = torch.linalg.cholesky_ex(matrix)[0]

    def solve(right: Tensor) -> Tensor:
        return torch.cholesky_solve(right[..., None], factor)[..., 0]

    k1 = solve(f0)
    f1 = 2 * field(0.5 * h * k1)
    k2 = solve(f1 - k1) + k1
    end = h * k2
    residual = field(end)
    f2 = 2 * residual
    k3 = solve(f2 - _E * (k2 - f1) - 2 * (k1 - f0))
    return end, residual, h / 6 * (k1 - 2 * k2 + k3)
