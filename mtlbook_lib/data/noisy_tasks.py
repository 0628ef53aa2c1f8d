"""Yes-or-no tasks on the same real inputs, of which some have random labels: random splits, with clean labels held out.

Several tasks of one question are annotators of unequal quality.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, count, counts, in_scale, one_of, scalar, within
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._remembered import remembered
from mtlbook_lib.data.real import RealTask, breast_cancer, digits

NAMES = ("at least 5", "odd", "breast cancer", "ten digits", "six tasks")
SIX: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "even": (0, 2, 4, 6, 8),
        "at least 5": (5, 6, 7, 8, 9),
        "has a loop": (0, 6, 8, 9),
        "prime": (2, 3, 5, 7),
        "1, 4 or 7": (1, 4, 7),
        "3, 5 or 8": (3, 5, 8),
    }
)


@dataclass(frozen=True)
class NoisyTasks(Checked):
    """Training data of tasks on the same inputs, first axis split, and the rows held out.

    Inputs are standardised on the training rows; training labels are centred and of unit variance.

    Attributes
    ----------
    inputs : ndarray, shape (split, n, d)
    labels : ndarray, shape (split, n, task)
    new_inputs : ndarray, shape (split, n_new, d)
    new_labels : ndarray, shape (split, n_new, task)
        0 or 1, all as in the data set.
    """

    inputs: Array
    labels: Array
    new_inputs: Array
    new_labels: Array

    def with_ridge(self, ridge: float) -> tuple[Array, Array]:
        """Inputs and labels with rows for a ridge > 0, reduced to rows with the same products."""
        size = scalar("ridge", ridge, in_scale)
        n_splits, _, d = self.inputs.shape
        k = self.labels.shape[-1]
        added = np.broadcast_to(np.sqrt(size) * np.eye(d, d + k), (n_splits, d, d + k))
        rows = np.concatenate([np.concatenate([self.inputs, self.labels], axis=-1), added], axis=1)
        triangle = np.asarray(np.linalg.qr(rows, mode="r"))
        return triangle[..., :d], triangle[..., d:]


def noisy_tasks(
    name: str, shares: ArrayLike, n_examples: int, seeds: Iterable[int], columns: ArrayLike | None = None
) -> NoisyTasks:
    """Random splits of one data set. Of each task's training labels a share is drawn anew by a fair coin.

    Tasks of other shares have the same rows, and those of a smaller share are random in some of the same places.

    Parameters
    ----------
    name : {"at least 5", "odd", "breast cancer", "ten digits", "six tasks"}
        The first three have one question, about digits or cells.
    shares : array_like, shape (task,) or (split, task)
        Of random labels, in [0, 1].
    n_examples : int
        Training rows of a split; some must be left.
    seeds : iterable of int
        One split for each.
    columns : array_like of int, shape (task,), optional
        Question of each task by its place in the data set; by default in turn, so that tasks of one question are its
        annotators.
    """
    chosen, n = seed_tuple(seeds), count("n_examples", n_examples)
    task, targets = _questions(one_of("name", name, NAMES))
    noise = within("shares", shares, 0.0, 1.0)
    if noise.ndim not in (1, 2) or noise.size == 0 or (noise.ndim == 2 and len(noise) != len(chosen)):
        raise ValueError(f"shares must have shape (task,) or ({len(chosen)}, task); got {noise.shape}.")
    noise = np.broadcast_to(noise, (len(chosen), noise.shape[-1]))
    if n >= len(task.inputs):
        raise ValueError(f"n_examples must be below the {len(task.inputs)} rows of {name!r}; got {n}.")
    asked = _asked(columns, noise.shape[1], targets.shape[1])
    orders, x, x_new = _rows(task.name, n, chosen)
    standard: list[Array] = []
    for split, order, share in zip(chosen, orders, noise, strict=True):
        labels = targets[order[:n]][:, asked]
        for place, noisy in enumerate(share):
            rng = stream(split, "reweighting: labels", place)
            rows = rng.permutation(n)[: round(noisy * n)]
            labels[rows, place] = np.abs(labels[rows, place] - rng.integers(0, 2, rows.size))
        if not np.ptp(labels, axis=0).all():
            raise ValueError(f"n_examples must be enough for both answers of each task; {n} had one in split {split}.")
        standard.append((labels - labels.mean(axis=0)) / labels.std(axis=0))
    return NoisyTasks(x, np.stack(standard), x_new, targets[orders[:, n:]][..., asked])


def _questions(name: str) -> tuple[RealTask, Array]:
    """A data set and the answers to its yes-or-no questions, (row, question)."""
    if name == "breast cancer":
        task = breast_cancer()
        return task, task.targets[:, :1]
    task = digits()
    if name == "ten digits":
        return task, task.targets
    if name == "six tasks":
        return task, np.stack([np.isin(task.labels, group) for group in SIX.values()], axis=1).astype(float)
    answers = {"at least 5": task.labels >= 5, "odd": task.labels % 2 == 1}[name]
    return task, answers[:, None].astype(float)


def _asked(columns: ArrayLike | None, n_tasks: int, n_questions: int) -> NDArray[np.int64]:
    if columns is None:
        return np.arange(n_tasks) % n_questions
    places = counts("columns", columns, 0)
    if places.shape != (n_tasks,) or places.max() >= n_questions:
        raise ValueError(f"columns must be {n_tasks} places below {n_questions}, one for each task; got {places}.")
    return places


@remembered(2)
def _rows(source: str, n: int, seeds: tuple[int, ...]) -> tuple[NDArray[np.int64], Array, Array]:
    """Order of the rows, standardised training inputs and held-out ones by split: the same for all tasks on them."""
    inputs = (breast_cancer() if source == "breast cancer" else digits()).inputs
    orders = np.stack([stream(split, "reweighting: rows").permutation(len(inputs)) for split in seeds])
    training = inputs[orders[:, :n]]
    mean, spread = training.mean(axis=1, keepdims=True), training.std(axis=1, keepdims=True)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    return orders, (training - mean) * scale, (inputs[orders[:, n:]] - mean) * scale
