"""Ridge regression of several tasks with coefficients that they share and coefficients of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import WIDE, Array, as_given, bounded, nonnegative, place, scalar, varies
from mtlbook_lib._fields import Checked
from mtlbook_lib._threads import suited

PENALTIES = np.logspace(-4, 4, 33)  # times the mean square of the design's rows; chosen by leaving rows out
OWN = (0.0, 0.1, 0.3, 1.0)  # 0: one set of coefficients for all tasks


@dataclass(frozen=True)
class SharedRidge(Checked):
    """Result of ``shared_ridge``.

    Attributes
    ----------
    slopes, intercepts : ndarray, shapes (tasks, d) and (tasks,)
        In the units of inputs and labels.
    own, penalty : float
        What is used.
    left_out : ndarray, shape (n,)
        Label minus prediction of each training row by all other rows, at `own` and `penalty`.
    error : float
        Mean square of `left_out` in units of each task's labels.
    """

    slopes: Array
    intercepts: Array
    own: float
    penalty: float
    left_out: Array
    error: float

    def predict(self, x: ArrayLike, task: int = 0) -> Array:
        """Labels of new rows of one task, shape (n,)."""
        at, rows = place("task", task, len(self.slopes), "task"), bounded("x", x, ndim=2, most=WIDE)
        if rows.shape[1] != self.slopes.shape[1]:
            raise ValueError(f"x must have {self.slopes.shape[1]} columns as in the fit; got shape {rows.shape}.")
        return np.asarray(self.intercepts[at] + rows @ self.slopes[at])


@suited
def shared_ridge(x: ArrayLike, y: ArrayLike, task: ArrayLike | None = None, own: float | None = None) -> SharedRidge:
    r"""Ridge regression of one task or more.

    .. math:: \hat y_t(x) = b_t + x^T (w + v_t), \qquad \min \sum_{t,i} (y_{ti} - \hat y_t(x_{ti}))^2
        + \lambda \Big( |w|^2 + \frac{1}{\kappa} \sum_t |v_t|^2 \Big)

    with columns and labels of each task in units of their standard deviations, an intercept for each task, and
    :math:`\lambda, \kappa` those of the least mean squared error on rows left out one at a time. At :math:`\kappa = 0`
    it is a pooled ridge; many own coefficients at large :math:`\kappa` learn the tasks apart.

    Parameters
    ----------
    x : array_like, shape (n, d)
        Inputs of all rows.
    y : array_like, shape (n,)
        Labels.
    task : array_like of int, shape (n,), optional
        The task of each row, from 0 on; by default all rows are of one.
    own : float, optional
        :math:`\kappa`, at least 0. By default the best of 0, 0.1, 0.3 and 1.

    Raises
    ------
    ValueError
        If shapes do not match, or there are fewer than two rows or a task without rows.

    Notes
    -----
    Source: the shared and own parts are those of Evgeniou & Pontil (2004), "Regularized multi-task learning".
    """
    inputs, labels = bounded("x", x, ndim=2), bounded("y", y, ndim=1)
    if labels.shape != inputs.shape[:1] or len(labels) < 2 or not inputs.shape[1]:
        raise ValueError(f"x and y must have as many rows, at least 2; got shapes {inputs.shape}, {labels.shape}.")
    places = _places(task, len(labels))
    shares = OWN if own is None else (scalar("own", own, lambda name, value: bounded(name, value, nonnegative)),)
    spread = inputs.std(axis=0)
    unit = np.where(varies(inputs) & (spread > 0), spread, np.inf)  # a constant column drops out
    fits = (_best(inputs / unit, labels, places, share) for share in shares)
    best = min(fits, key=lambda one: one.error)
    return SharedRidge(best.slopes / unit, best.intercepts, best.own, best.penalty, best.left_out, best.error)


def _places(task: ArrayLike | None, n: int) -> NDArray[np.int64]:
    if task is None:
        return np.zeros(n, dtype=np.int64)
    given = as_given("task", task)
    if given.shape != (n,) or given.dtype.kind not in "iu" or given.min() < 0 or len(np.unique(given)) <= given.max():
        raise ValueError(f"task must have a whole number for each of the {n} rows, all from 0 on; got {given.shape}.")
    return given.astype(np.int64)


def _best(inputs: Array, labels: Array, places: NDArray[np.int64], share: float) -> SharedRidge:
    """The best penalty, for inputs in their units."""
    counts, d = np.bincount(places), inputs.shape[1]
    parts = [places == place for place in range(len(counts))]
    scale = np.array([labels[part].std() or 1.0 for part in parts])
    mean_x, mean_y = (np.array([values[part].mean(axis=0) for part in parts]) for values in (inputs, labels))
    rows, aims = inputs - mean_x[places], (labels - mean_y[places]) / scale[places]
    own_columns = [np.sqrt(share) * rows * part[:, None] for part in parts] if share else []
    left, values, right = np.linalg.svd(np.hstack([rows, *own_columns]), full_matrices=False)
    size = max(float(np.square(values).sum()) / len(rows), 1e-300)
    along = left.T @ aims
    shrunk = np.square(values) / (np.square(values) + size * PENALTIES[:, None])
    # The mean of a task is fitted too: it takes 1/n of the leverage.
    rest = 1 - np.square(left) @ shrunk.T - 1 / np.maximum(counts[places], 2)[:, None]
    errors = (aims[:, None] - left @ (shrunk * along).T) / np.maximum(rest, 1e-12)
    best = int(np.argmin(np.square(errors).mean(axis=0)))
    penalty = float(size * PENALTIES[best])
    weights = right.T @ (values / (np.square(values) + penalty) * along)
    own = weights[d:].reshape(len(counts), d) * np.sqrt(share) if share else np.zeros((len(counts), d))
    slopes = (weights[:d] + own) * scale[:, None]
    intercepts = mean_y - (mean_x * slopes).sum(axis=1)
    error = float(np.square(errors[:, best]).mean())
    return SharedRidge(slopes, intercepts, share, penalty, errors[:, best] * scale[places], error)
