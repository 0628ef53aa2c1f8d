"""Targets of a task, a number or a class: its outputs, its loss for each row, its predictions and score."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from mtlbook_lib._checks import Array, one_of, short
from mtlbook_lib.methods.sharing._fitting.tasks import Tasks

LOSSES = ("squared", "cross-entropy")


@dataclass(frozen=True)
class Target:
    """A number (`classes` None), one of two classes (one output, the log odds of the second) or of several."""

    classes: Array | None

    @property
    def n_outputs(self) -> int:
        return 1 if self.classes is None or len(self.classes) == 2 else len(self.classes)

    def codes(self, labels: Array, name: str) -> Array:
        """Labels as the loss takes them: numbers, or positions in `classes`."""
        if self.classes is None:
            return labels
        unknown = ~np.isin(labels, self.classes)
        if unknown.any():
            raise ValueError(f"{name} must be among the fit's classes {self.classes}; got {labels[unknown][0]:g}.")
        return np.searchsorted(self.classes, labels).astype(np.float64)

    def row_losses(self, outputs: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        """Squared error or cross-entropy of each row."""
        if self.classes is None:
            return (outputs[:, 0] - codes) ** 2
        if self.n_outputs == 1:
            return binary_cross_entropy_with_logits(outputs[:, 0], codes, reduction="none")
        return cross_entropy(outputs, codes.long(), reduction="none")

    def predict(self, outputs: Array) -> Array:
        """The number, or the likeliest class."""
        if self.classes is None:
            return outputs[:, 0]
        chosen = (outputs[:, 0] > 0).astype(int) if self.n_outputs == 1 else outputs.argmax(axis=1)
        return np.asarray(self.classes[chosen])

    def probabilities(self, outputs: Array) -> Array:
        """Of each class, shape (n, n_classes)."""
        scores = outputs if self.n_outputs > 1 else np.column_stack([np.zeros(len(outputs)), outputs[:, 0]])
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def score(self, labels: Array, outputs: Array, weights: Array) -> float:
        """Share of correct classes, or of the labels' variance that is explained."""
        predicted = self.predict(outputs)
        if self.classes is not None:
            return float(np.average(predicted == labels, weights=weights))
        spread = np.average((labels - np.average(labels, weights=weights)) ** 2, weights=weights)
        if spread == 0:
            raise ValueError("Y must vary in each task: of constant labels there is no variance to explain.")
        return float(1 - np.average((predicted - labels) ** 2, weights=weights) / spread)


def make_targets(loss: str | Sequence[str], tasks: Tasks) -> list[Target]:
    """One for each task; the classes are those that its labels hold."""
    n_tasks = tasks.y.shape[1]
    names = [loss] * n_tasks if isinstance(loss, str) else list(check_loss(loss))
    if len(names) != n_tasks:
        raise ValueError(f"loss must be one name, or one for each of {n_tasks} tasks; got {len(names)}.")
    return [_target(one_of("loss", name, LOSSES), tasks, i) for i, name in enumerate(names)]


def check_loss(loss: str | Sequence[str]) -> str | Sequence[str]:
    """`loss`, if it is the name of a loss or a list of such names."""
    if not isinstance(loss, (str, list, tuple)) or len(loss) == 0:
        raise TypeError(f"loss must be one of {LOSSES}, or a list of them; got {short(loss)}.")
    for name in [loss] if isinstance(loss, str) else loss:
        one_of("loss", name, LOSSES)
    return loss


def encoded(targets: Sequence[Target], tasks: Tasks) -> Array:
    """Labels of all tasks as their losses take them, 0 where one is missing."""
    codes = np.zeros_like(tasks.y)
    for i, target in enumerate(targets):
        rows: NDArray[np.bool_] = tasks.weights[:, i] > 0
        codes[rows, i] = target.codes(tasks.y[rows, i], f"Y[:, {i}]")
    return codes


def _target(loss: str, tasks: Tasks, i: int) -> Target:
    if loss == "squared":
        return Target(None)
    classes = np.unique(tasks.y[tasks.weights[:, i] > 0, i])
    if len(classes) < 2:
        raise ValueError(f"Y[:, {i}] must hold at least two classes for the cross-entropy; got only {classes[0]:g}.")
    return Target(classes)
