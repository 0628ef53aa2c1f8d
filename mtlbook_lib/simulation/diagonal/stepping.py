"""Steps of a stiff flow to a given loss: each run has its own clock, and its last step lands at the tolerance."""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from mtlbook_lib.simulation.engine import looks_apart, next_length, nonzero, put, stretches

_LANDING = 0.5  # the last step ends between this share of the tolerance and the tolerance


class Trial(NamedTuple):
    """Where a step of some runs leads: its end, the residuals there, and the largest angle it is in error by."""

    end: Any
    residual: Tensor
    error: Tensor


class Stepper:
    """Runs with residuals (run, row) and a loss; what a step does is up to the kind of flow.

    A step is more than 50 launches on a device, 130 to 215: it has three solves and three looks at the residuals.
    """

    def __init__(self, residual: Tensor, rest: Tensor, fastest: Tensor, tolerance: float, accuracy: float):
        self._residual, self._rest = residual, rest
        self._tolerance, self._accuracy = tolerance, accuracy
        self._loss = residual.square().sum(dim=1) + rest
        # The first step turns no coordinate by more than a tenth.
        self._step = 0.1 / nonzero(fastest)
        self._time, self._steps = torch.zeros_like(self._loss), torch.zeros_like(self._loss, dtype=torch.int64)
        self._tries = torch.zeros_like(self._steps)

    def begin(self, runs: Tensor) -> None:
        """Take what does not change of the runs that are stepped next: once, not at every evaluation."""
        raise NotImplementedError

    def trial(self, runs: Tensor, step: Tensor) -> Trial:
        """Where a step of the given length leads these runs."""
        raise NotImplementedError

    def keep(self, runs: Tensor, end: Any, good: Tensor) -> None:
        """Move those of `runs` that are `good` to the end of a trial."""
        raise NotImplementedError

    def advance(self, max_steps: int) -> None:
        """Step until every run has converged or used up its steps."""
        for ahead in stretches(looks_apart(self._loss)):
            runs = torch.nonzero(self._waiting(max_steps)).flatten()
            if runs.numel() == 0:
                return
            self.begin(runs)
            for _ in range(ahead):
                self._attempt(runs, self._waiting(max_steps)[runs])

    def _waiting(self, max_steps: int) -> Tensor:
        """Which runs have steps to make."""
        return (self._loss > self._tolerance) & (self._tries < max_steps)

    def _attempt(self, runs: Tensor, waiting: Tensor) -> None:
        """Try one step of some runs; keep it where it is accurate and does not fall far below the tolerance.

        What is chosen is chosen by masks: to select is to ask a device how many there are.
        """
        step = self._step[runs]
        end, new, error = self.trial(runs, step)
        accurate, change = next_length(error, self._accuracy)
        loss = new.square().sum(dim=1) + self._rest[runs]
        beyond = accurate & (loss < _LANDING * self._tolerance)
        # The loss falls about exponentially: aim at the middle of where to land.
        fall = torch.log(self._loss[runs] / loss)
        wanted = torch.log(self._loss[runs] / (0.75 * self._tolerance))
        change = torch.where(beyond, (wanted / fall).clamp(0.05, 0.95), change)
        good = accurate & ~beyond & waiting
        self._tries[runs] += waiting
        self._step[runs] = torch.where(waiting, step * change, step)
        self.keep(runs, end, good)
        put(self._residual, runs, new, good)
        put(self._loss, runs, loss, good)
        self._time[runs] += torch.where(good, step, 0.0)
        self._steps[runs] += good
