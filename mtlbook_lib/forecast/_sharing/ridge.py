"""Ridge regression of several tasks with coefficients that they share and coefficients of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import Array, positive, scalar
from mtlbook_lib.forecast._sharing.habits import Estimator, training_rows

PENALTIES = np.logspace(-4, 4, 33)  # times the mean square of the design's rows; chosen by leaving rows out
OWN = (0.0, 0.1, 0.3, 1.0)  # 0: one set of coefficients for all tasks


class SharedRidge(Estimator):
    r"""Ridge regression of two tasks or more, with shared coefficients and own ones.

    .. math:: \hat y_t(x) = b_t + x^T (w + v_t), \qquad \min \sum_{t,i} (y_{ti} - \hat y_t(x_{ti}))^2
        + \lambda \Big( |w|^2 + \frac{1}{\kappa} \sum_t |v_t|^2 \Big)

    with columns and labels of each task in units of their standard deviations, an intercept for each task, and
    :math:`\lambda, \kappa` those of the least mean squared error on rows left out one at a time. At :math:`\kappa = 0`
    it is a pooled ridge; many own coefficients at large :math:`\kappa` learn the tasks apart.

    Parameters
    ----------
    own : float, optional
        :math:`\kappa`, at least 0. By default the best of 0, 0.1, 0.3 and 1.

    Attributes
    ----------
    own_, penalty_ : float
        What is used.
    tasks_ : tuple
        Labels of the tasks, in their order.
    coef_ : ndarray, shape (tasks, d)
        Coefficients of each task, in the units of the labels.
    intercept_ : ndarray, shape (tasks,)
    left_out_ : ndarray, shape (n,)
        Label minus prediction of each training row by all other rows, at `own_` and `penalty_`.

    Notes
    -----
    `task` is an array with one label for each row; without it all rows are of one task. Source: the shared and own
    parts are those of Evgeniou & Pontil (2004), "Regularized multi-task learning".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, task = rng.standard_normal((60, 3)), np.repeat(["few", "many"], [10, 50])
    >>> y = X @ [1.0, -1.0, 0.5] + 0.1 * rng.standard_normal(60)
    >>> model = SharedRidge().fit(X, y, task)
    >>> model.predict(X[:2], task="few").shape
    (2,)
    """

    own_: float
    penalty_: float
    coef_: Array
    intercept_: Array
    left_out_: Array

    def __init__(self, own: float | None = None) -> None:
        self.own = own

    def fit(self, X: Any, y: ArrayLike, task: ArrayLike | None = None) -> SharedRidge:
        """Learn all tasks; `task` has one label for each row, None is one task."""
        shares = OWN if self.own is None else (max(scalar("own", self.own), 0.0),)
        if self.own is not None and self.own:
            scalar("own", self.own, positive)
        inputs, labels, tasks, places = training_rows(X, y, task)
        self._remember(X)
        unit = units_of(inputs)
        found = min(fits(inputs / unit, labels, places, len(tasks), shares), key=lambda one: one.error)
        self.own_, self.penalty_, self.intercept_ = found.share, found.penalty, found.intercepts
        self.left_out_ = found.left_out
        self.coef_, self.tasks_, self.n_features_in_ = found.slopes / unit, tasks, inputs.shape[1]
        return self

    def predict(self, X: Any, task: Any = None) -> Array:
        """Labels of new rows; `task` is the label of all rows or of each, and may be left out if there is one task."""
        rows = self._rows(X)
        places = self._asked(task, len(rows))
        return np.asarray(self.intercept_[places] + (rows * self.coef_[places]).sum(axis=1))


@dataclass(frozen=True)
class Fit:
    """Mean squared error on rows left out in units of each task's labels, and what reaches it."""

    error: float
    share: float
    penalty: float
    slopes: Array
    intercepts: Array
    left_out: Array


def fits(inputs: Array, labels: Array, places: NDArray[np.int64], n_tasks: int, shares: tuple[float, ...]) -> list[Fit]:
    """The best penalty for each share of own coefficients."""
    return [_best(inputs, labels, places, n_tasks, share) for share in shares]


def _best(inputs: Array, labels: Array, places: NDArray[np.int64], n_tasks: int, share: float) -> Fit:
    mean_x, mean_y, scale = _per_task(inputs, labels, places, n_tasks)
    rows, aims = inputs - mean_x[places], (labels - mean_y[places]) / scale[places]
    left, values, right = np.linalg.svd(design_of(rows, places, n_tasks, share), full_matrices=False)
    size = max(float(np.square(values).sum()) / len(rows), 1e-300)
    along, counts = left.T @ aims, np.bincount(places, minlength=n_tasks)[places]
    shrunk = np.square(values) / (np.square(values) + size * PENALTIES[:, None])
    # The mean of a task is fitted too: it takes 1/n of the leverage.
    rest = 1 - np.square(left) @ shrunk.T - 1 / np.maximum(counts, 2)[:, None]
    errors = (aims[:, None] - left @ (shrunk * along).T) / np.maximum(rest, 1e-12)
    best = int(np.argmin(np.square(errors).mean(axis=0)))
    penalty = float(size * PENALTIES[best])
    weights = right.T @ (values / (np.square(values) + penalty) * along)
    d = inputs.shape[1]
    own = weights[d:].reshape(n_tasks, d) * np.sqrt(share) if share else np.zeros((n_tasks, d))
    slopes = (weights[:d] + own) * scale[:, None]
    error = float(np.square(errors[:, best]).mean())
    intercepts = mean_y - (mean_x * slopes).sum(axis=1)
    return Fit(error, share, penalty, slopes, intercepts, errors[:, best] * scale[places])


def units_of(inputs: Array) -> Array:
    """Standard deviations of the columns; infinite for one that is constant, which drops out."""
    spread = inputs.std(axis=0)
    return np.where(spread > 1e-12 * np.abs(inputs).max(axis=0, initial=0.0), spread, np.inf)


def _per_task(inputs: Array, labels: Array, places: NDArray[np.int64], n_tasks: int) -> tuple[Array, Array, Array]:
    """Means of the inputs, shape (tasks, d), and means and standard deviations of the labels."""
    parts = [places == place for place in range(n_tasks)]
    scale = np.array([labels[part].std() for part in parts])
    means = np.array([inputs[part].mean(axis=0) for part in parts]), np.array([labels[part].mean() for part in parts])
    return *means, np.where(scale > 0, scale, 1.0)


def design_of(rows: Array, places: NDArray[np.int64], n_tasks: int, share: float) -> Array:
    """The rows, and beside them each task's own columns times the root of their share."""
    if not share:
        return rows
    own = [rows * (places == place)[:, None] * np.sqrt(share) for place in range(n_tasks)]
    return np.hstack([rows, *own])
