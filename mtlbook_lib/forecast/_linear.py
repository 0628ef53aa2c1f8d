"""The linear forecast of a target, on the principal axes along which both tasks have spread.

Up to `LARGE` rows it is ``forecast_transfer`` on the rows themselves. Beyond, sums of products of the columns say all
that least squares asks of the rows, so that millions of them take seconds, and no copy is made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._input.directions import NULL, relations, seen_axes
from mtlbook_lib.forecast._tasks import Task
from mtlbook_lib.methods.task_estimate import TaskEstimate, white_inputs
from mtlbook_lib.methods.transfer_forecast import forecast_estimates, forecast_transfer

LARGE = 4000
CHUNK = 20_000
_NULL_OF_SUMS = 1e-6  # products of columns hold half as many digits as the columns
_RELATED_ROWS = 2000  # enough to see which columns hang together


@dataclass(frozen=True)
class LinearGain:
    """The forecast for task a, NaN where there is none; what was in its way; and what was left out for it."""

    gain: float
    failure: str = ""
    note: str = ""


@dataclass(frozen=True)
class Sums:
    """Rows n, their mean, shape (d,), their scatter around it, (d, d), and its products with the labels, (d,)."""

    n: int
    mean: Array
    scatter: Array
    products: Array


def linear_gain(a: Task, b: Task, same_rows: bool, large: int = LARGE) -> LinearGain:
    """The forecast for task a, from the leading min(d, n // 3) axes, n the rows of the smaller task."""
    n = min(len(a.labels), len(b.labels))
    n_axes = min(a.inputs.shape[1], n // 3)
    in_sums = max(len(a.labels), len(b.labels)) > large
    sums = [sums_of(task) for task in (a, b)] if in_sums else []
    factors = [_root(one.scatter) for one in sums] or [t.inputs - t.inputs.mean(axis=0) for t in (a, b)]
    axes = _axes_of_sums(sums, n_axes) if in_sums else _principal_axes(np.concatenate([a.inputs, b.inputs]), n_axes)
    kept = seen_axes(axes, factors, _NULL_OF_SUMS if in_sums else NULL)
    note = _note(a, b, axes.shape[1] - kept.shape[1])
    if not kept.shape[1]:
        return LinearGain(float("nan"), "there is no direction along which both tasks have spread.", note)
    try:
        if in_sums:
            found = forecast_estimates(_estimate(a, sums[0], kept), _estimate(b, sums[1], kept), same_rows)
        else:
            rows = [white_inputs(task.inputs @ kept) for task in (a, b)]
            found = forecast_transfer(rows[0], a.labels, rows[1], b.labels, same_rows)
    except ValueError as error:
        return LinearGain(float("nan"), str(error), note)
    return LinearGain(found.benefit_a, "", note)


def sums_of(task: Task) -> Sums:
    """In two passes, a chunk of rows at a time."""
    mean, d = task.inputs.mean(axis=0), task.inputs.shape[1]
    scatter, products = np.zeros((d, d)), np.zeros(d)
    for start in range(0, len(task.labels), CHUNK):
        rows = task.inputs[start : start + CHUNK] - mean
        scatter += rows.T @ rows
        products += rows.T @ task.labels[start : start + CHUNK]
    return Sums(len(task.labels), mean, scatter, products)


def _estimate(task: Task, sums: Sums, axes: Array) -> TaskEstimate:
    """What ``estimate_task`` finds on the axes made white."""
    n, d = sums.n, axes.shape[1]
    values, turn = np.linalg.eigh(axes.T @ sums.scatter @ axes / n)
    whitening = (turn / np.sqrt(values)) @ turn.T
    coefficients = whitening @ (axes.T @ sums.products) / n
    slope = axes @ whitening @ coefficients
    residuals = task.labels - (task.inputs @ slope - sums.mean @ slope)
    variance = float(residuals @ residuals) / (n - d - 1)
    if variance <= 1e-12:  # of labels with variance 1
        raise ValueError("targets must vary, each with noise of its own; an output is constant or fitted exactly.")
    root = np.array([[variance**-0.5]])
    energy = np.asarray(n / d / variance)
    return TaskEstimate(np.sqrt(n / d / variance) * coefficients[None], root, residuals[:, None] * root, energy)


def _principal_axes(rows: Array, n_axes: int) -> Array:
    return np.asarray(np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2][:n_axes].T)


def _axes_of_sums(sums: list[Sums], n_axes: int) -> Array:
    a, b = sums
    between = np.outer(a.mean - b.mean, a.mean - b.mean) * (a.n * b.n / (a.n + b.n))
    return np.asarray(np.linalg.eigh(a.scatter + b.scatter + between)[1][:, ::-1][:, :n_axes])


def _root(scatter: Array) -> Array:
    values, axes = np.linalg.eigh(scatter)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * axes.T)


def _note(a: Task, b: Task, dropped: int) -> str:
    if not dropped:
        return ""
    found = [(name, relations(_few(task.inputs), task.names)) for name, task in (("A", a), ("B", b))]
    why = ". ".join(f"In {name}, {told}" for name, told in found if told)
    what = "1 direction" if dropped == 1 else f"{dropped} directions"
    return f"The linear forecast leaves out {what} along which a task has no spread. {why}".strip().rstrip(".") + "."


def _few(rows: Array) -> Array:
    """Some rows of a large table, evenly spaced."""
    return rows[:: -(-len(rows) // max(_RELATED_ROWS, 4 * rows.shape[1]))]
