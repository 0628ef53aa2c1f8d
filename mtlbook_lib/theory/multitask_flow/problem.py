"""Several regression tasks of the same features: their arguments checked, their residuals and gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, real_array, sequence


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
    inputs, targets = sequence("xs", xs), sequence("ys", ys)
    if not inputs or len(inputs) != len(targets):
        raise ValueError(
            f"xs and ys must have one entry for each task, and at least one; got {len(inputs)} and {len(targets)}."
        )
    inputs = [bounded(f"xs[{task}]", real_array(f"xs[{task}]", x, ndim=2)) for task, x in enumerate(inputs)]
    targets = [bounded(f"ys[{task}]", real_array(f"ys[{task}]", y, ndim=1)) for task, y in enumerate(targets)]
    for task, (x, y) in enumerate(zip(inputs, targets, strict=True)):
        if len(x) != len(y) or x.size == 0:
            raise ValueError(
                f"xs[{task}] must have one row for each target in ys[{task}], at least one row and one column; got "
                f"shapes {x.shape} and {y.shape}."
            )
    if len(widths := {x.shape[1] for x in inputs}) > 1:
        raise ValueError(f"xs must have the same number of columns in every task; got {sorted(widths)}.")
    return Problem(inputs, targets)
