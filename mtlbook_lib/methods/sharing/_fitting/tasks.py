"""The rows of all tasks in one table: inputs, a column of labels for each task, and which labels are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import WIDE, Array, as_given, bounded, nonnegative, real_array, sequence

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Tasks:
    """Inputs (n, ...), labels (n, k) with 0 where one is missing, and weights (n, k) with 0 there."""

    x: NDArray[Any]
    y: Array
    weights: Array

    def rows(self, chosen: NDArray[Any]) -> Tasks:
        """Some of the rows."""
        return Tasks(self.x[chosen], self.y[chosen], self.weights[chosen])

    def only(self, task: int) -> Tasks:
        """One task, on the rows that have a label for it."""
        return Tasks(self.x, self.y[:, [task]], self.weights[:, [task]]).rows(self.weights[:, task] > 0)


def stack_tasks(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> tuple[NDArray[Any], Array]:
    r"""One table of tasks that have examples of their own, as ``fit`` takes it.

    .. math:: X = \begin{bmatrix} X_1 \\ X_2 \end{bmatrix}, \qquad
        Y = \begin{bmatrix} y_1 & \text{NaN} \\ \text{NaN} & y_2 \end{bmatrix}

    Source: the setting of Wu, Zhang & Ré (2020), Sec. 2.1.

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, ...)
        Inputs of the tasks, of the same shape beyond the first axis.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.

    Returns
    -------
    inputs : ndarray, shape (m_1 + ... + m_k, ...)
    labels : ndarray, shape (m_1 + ... + m_k, k)
        NaN where a row belongs to another task.
    """
    inputs, labels = sequence("xs", xs), sequence("ys", ys)
    if not inputs or len(inputs) != len(labels):
        raise ValueError(f"xs and ys must have one entry a task; got {len(inputs)} and {len(labels)}.")
    inputs = [make_inputs(f"xs[{i}]", x) for i, x in enumerate(inputs)]
    labels = [real_array(f"ys[{i}]", y) for i, y in enumerate(labels)]
    for i, (x, y) in enumerate(zip(inputs, labels, strict=True)):
        if x.shape[1:] != inputs[0].shape[1:]:
            raise ValueError(f"xs[{i}] must have rows of shape {inputs[0].shape[1:]} like xs[0]; got {x.shape[1:]}.")
        if y.shape != (len(x),):
            raise ValueError(f"ys[{i}] must have shape ({len(x)},), a label a row of xs[{i}]; got {y.shape}.")
    table = np.full((sum(map(len, inputs)), len(inputs)), np.nan)
    ends = np.cumsum([len(x) for x in inputs])
    for i, (y, end) in enumerate(zip(labels, ends, strict=True)):
        table[end - len(y) : end, i] = y
    return np.concatenate(inputs), table


def make_inputs(name: str, value: ArrayLike) -> NDArray[Any]:
    """Inputs with an example along the first axis; integers, such as tokens, stay integers."""
    raw = as_given(name, value)
    array = raw.astype(np.int64) if raw.dtype.kind in "iu" else bounded(name, raw, most=WIDE)
    if array.ndim < 2 or array.size == 0:
        raise ValueError(f"{name} must have shape (n, ...) with at least two axes, none empty; got {array.shape}.")
    return array


def make_tasks(x: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Tasks:
    """The table, checked; every task must have a label somewhere."""
    inputs, labels = make_inputs("X", x), _labels(y)
    if labels.shape[0] != inputs.shape[0]:
        raise ValueError(f"Y must have {len(inputs)} rows, one a row of X; got shape {labels.shape}.")
    there = ~np.isnan(labels)
    weights = there * _weights(sample_weight, labels.shape)
    for i in np.flatnonzero(weights.sum(axis=0) == 0):
        raise ValueError(f"Y[:, {i}] must have a label of positive weight; all of task {i} are missing.")
    return Tasks(inputs, np.where(there, labels, 0.0), weights)


def _labels(y: ArrayLike) -> Array:
    raw = as_given("Y", y)
    if raw.dtype.kind not in "biuf":
        raise TypeError(f"Y must be real numbers, classes numbered, NaN where a label is missing; got {raw.dtype}.")
    if raw.ndim != 2 or raw.shape[1] == 0:
        raise ValueError(f"Y must have shape (n, k), a column a task; got {raw.shape}.")
    labels = raw.astype(np.float64)
    if np.isinf(labels).any():
        raise ValueError("Y must be finite, or NaN where a label is missing; got an infinite entry.")
    bounded("Y", np.nan_to_num(labels), most=WIDE)
    return labels


def _weights(sample_weight: ArrayLike | None, shape: tuple[int, ...]) -> Array:
    if sample_weight is None:
        return np.ones(shape)
    weights = nonnegative("sample_weight", sample_weight)
    weights = weights[:, None] if weights.ndim == 1 else weights
    if weights.shape not in (shape, (shape[0], 1)):
        raise ValueError(f"sample_weight must have shape ({shape[0]},) or {shape}; got {weights.shape}.")
    return np.asarray(np.broadcast_to(weights, shape))


def held_out(tasks: Tasks, share: float, seed: int) -> Mask:
    """A share of the rows, the same of those that have labels for the same tasks, and at least one of each."""
    chosen = np.zeros(len(tasks.y), dtype=bool)
    if share > 0:
        for rows, ranks in _shuffled(tasks, seed):
            chosen[rows] = ranks < max(1, round(share * len(rows)))
    left = tasks.weights[~chosen].sum(axis=0)
    for i in np.flatnonzero(left == 0):
        raise ValueError(f"Y[:, {i}] has too few labels to hold a share of {share:g} out; set validation to 0.")
    return chosen


def _shuffled(tasks: Tasks, seed: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Rows of each pattern of labels, and a random rank for each of them."""
    rng = np.random.default_rng([seed, 1])  # a stream of its own: all models of one seed hold the same rows out
    patterns, which = np.unique(tasks.weights > 0, axis=0, return_inverse=True)
    groups = [np.flatnonzero(which.reshape(-1) == i) for i in range(len(patterns)) if patterns[i].any()]
    return [(rows, rng.permutation(len(rows))) for rows in groups]
