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
        """Targets less predictions of coefficients (n_tasks, D), one array for each task."""
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

    def lines(self) -> tuple[Array, float]:
        """Unit vectors (n_tasks, D) along which features are pulled, and the part of their pulls that leaves them.

        The part is zero for one task, and for tasks whose labels are multiples of each other on common inputs.
        """
        first, curvatures = self.pull(self.targets)[..., None], self.curvatures()
        lines, found = _units(first), np.ones(())
        while found.any():  # a feature that only others pull goes along their pull
            reached = curvatures * lines[:, None]  # (n_tasks, on feature, by feature)
            found = np.where(lines.any(axis=0), 0.0, _units(reached))
            lines = lines + found
        forces = [f / max(float(np.abs(f).max()), 1e-300) for f in (first, reached)]
        leaving = [f - lines[..., None] * np.einsum("od,odk->dk", lines, f)[None] for f in forces]
        return lines, max(float(np.abs(part).max()) for part in leaving)

    def along(self, lines: Array) -> Problem:
        """The one task whose coefficients times `lines` move as those of all tasks do, with the same loss."""
        share = np.sqrt(sum(map(len, self.targets)) / np.concatenate([np.full(len(y), len(y)) for y in self.targets]))
        inputs = np.concatenate([x * line for x, line in zip(self.inputs, lines, strict=True)])
        return Problem([share[:, None] * inputs], [share * np.concatenate(self.targets)])

    def fitted(self, residuals: list[Array], tol: float) -> bool:
        """Every task's residual is at most `tol` of its targets."""
        pairs = zip(residuals, self.targets, strict=True)
        return all(bool(np.linalg.norm(r) <= tol * np.linalg.norm(y)) for r, y in pairs)


def _units(pulls: Array) -> Array:
    """Directions (n_tasks, D) of the strongest of the pulls (n_tasks, D, some); zero where they are rounding."""
    sizes = np.linalg.norm(pulls, axis=0)
    strongest = sizes.argmax(axis=1)
    places = np.arange(len(strongest)), strongest
    some = sizes[places] > 1e-14 * sizes.max(initial=0.0)
    return np.where(some, pulls[:, *places] / np.where(some, sizes[places], 1.0), 0.0)


def loss(residuals: list[Array]) -> float:
    """Sum over tasks of the mean squared errors."""
    return float(sum(np.mean(r**2) for r in residuals))


def problem(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> Problem:
    """The tasks, checked."""
    pairs = make_pairs(xs, ys)
    inputs = [bounded(f"xs[{task}]", x) for task, (x, _) in enumerate(pairs)]
    return Problem(inputs, [bounded(f"ys[{task}]", y) for task, (_, y) in enumerate(pairs)])
