"""Several regression tasks of the same features: their arguments checked, their residuals and gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded
from mtlbook_lib.theory._tasks import make_pairs


@dataclass(frozen=True)
class Problem:
    """Inputs (n_o, D) and targets (n_o,) of each task."""

    inputs: list[Array]
    targets: list[Array]

    @cached_property
    def _stacked(self) -> tuple[Array, Array, Array]:
        """Inputs (n_tasks, most, D), targets (n_tasks, most), where short tasks end in zeros, and 1/n (n_tasks, 1)."""
        most = max(map(len, self.targets))
        inputs, targets = np.zeros((len(self.inputs), most, self.shape[1])), np.zeros((len(self.inputs), most))
        for place, (x, y) in enumerate(zip(self.inputs, self.targets, strict=True)):
            inputs[place, : len(y)], targets[place, : len(y)] = x, y
        return inputs, targets, 1.0 / np.array([[len(y)] for y in self.targets])

    @property
    def shape(self) -> tuple[int, int]:
        """Tasks and features."""
        return len(self.inputs), self.inputs[0].shape[1]

    def residuals(self, betas: Array) -> list[Array]:
        """What coefficients (n_tasks, D) leave of each task's targets."""
        return [y - x @ beta for x, y, beta in zip(self.inputs, self.targets, betas, strict=True)]

    def pull(self, residuals: list[Array]) -> Array:
        """Minus the gradient of the loss with respect to the coefficients, (n_tasks, D)."""
        return np.array([2 / len(r) * r @ x for x, r in zip(self.inputs, residuals, strict=True)])

    def loss_and_pull(self, betas: Array) -> tuple[float, Array]:
        """The loss of coefficients (n_tasks, D) and their pull, of all tasks at once."""
        inputs, targets, share = self._stacked
        left = targets - np.matmul(inputs, betas[..., None])[..., 0]
        weighed = share * left
        return float((weighed * left).sum()), 2.0 * np.matmul(weighed[:, None], inputs)[:, 0]

    def curvatures(self) -> Array:
        """By how much each task's pull falls with its coefficients, (n_tasks, D, D)."""
        return np.array([2 / len(x) * x.T @ x for x in self.inputs])

    def fitted(self, residuals: list[Array], tol: float) -> bool:
        """Every task's residual is at most `tol` of its targets."""
        pairs = zip(residuals, self.targets, strict=True)
        return all(bool(np.linalg.norm(r) <= tol * np.linalg.norm(y)) for r, y in pairs)


def loss(residuals: list[Array]) -> float:
    """Sum over tasks of the mean squared errors."""
    return float(sum(np.mean(r**2) for r in residuals))


def problem(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> Problem:
    """The tasks, checked."""
    pairs = make_pairs(xs, ys)
    inputs = [bounded(f"xs[{task}]", x) for task, (x, _) in enumerate(pairs)]
    return Problem(inputs, [bounded(f"ys[{task}]", y) for task, (_, y) in enumerate(pairs)])
