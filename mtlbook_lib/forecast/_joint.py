r"""What two coupled processes say at rows of either task, in the coordinates in which their coupling is diagonal.

With :math:`R = I + \rho \begin{pmatrix} 0 & C\\ C^T & 0\end{pmatrix}` and :math:`C = U \Sigma V^T`, each singular
direction is a matrix of two rows, :math:`\begin{pmatrix} 1 & \rho\sigma\\ \rho\sigma & 1\end{pmatrix}`.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._alone import INTERCEPT
from mtlbook_lib.forecast.evidence import Pair


def dual_weights(tasks: Pair, correlation: float) -> tuple[Array, Array]:
    """The joint covariance's inverse times all labels, task by task: weights of the kernel's columns."""
    whitened_a, whitened_b = _apart(tasks, tasks.a.whitened, tasks.b.whitened, correlation)
    return _unwhiten(tasks.a.factor, whitened_a), _unwhiten(tasks.b.factor, whitened_b)


def left_out(tasks: Pair, correlation: float) -> Array:
    """Errors of predicting each label of task a from all other labels of both tasks."""
    weights = dual_weights(tasks, correlation)[0]
    inverse = tasks.a.whiten(np.eye(len(weights)))
    squares = np.square(correlation * tasks.singular)
    along = tasks.left.T @ inverse
    precision = np.square(inverse).sum(axis=0) + ((squares / (1 - squares))[:, None] * np.square(along)).sum(axis=0)
    return np.asarray(np.sqrt(tasks.a.scale) * weights / precision)


def mean_at(tasks: Pair, correlation: float, rows_a: Array, rows_b: Array, new: Array) -> Array:
    """Mean of task a's function at new rows, in units of its standardised labels."""
    weights_a, weights_b = dual_weights(tasks, correlation)
    own, other = tasks.kernel(new, rows_a) + INTERCEPT, correlation * tasks.kernel(new, rows_b)
    return np.asarray(np.sqrt(tasks.a.scale) * (own @ weights_a + other @ weights_b))


def variance_at(tasks: Pair, correlation: float, rows_a: Array, rows_b: Array, new: Array) -> Array:
    """Variance of task a's function at new rows, in the same units squared."""
    own = tasks.a.whiten((tasks.kernel(new, rows_a) + INTERCEPT).T)
    other = tasks.b.whiten(correlation * tasks.kernel(new, rows_b).T)
    own_apart, other_apart = _apart(tasks, own, other, correlation)
    known = (own * own_apart).sum(axis=0) + (other * other_apart).sum(axis=0)
    prior = INTERCEPT + np.array([tasks.kernel(row[None], row[None])[0, 0] for row in new])
    return np.asarray(tasks.a.scale * np.maximum(prior - known, 0.0))


def _apart(tasks: Pair, own: Array, other: Array, correlation: float) -> tuple[Array, Array]:
    """The inverse of R times whitened columns of both tasks."""
    along, across = tasks.left.T @ own, tasks.right.T @ other
    shared = (correlation * tasks.singular).reshape(-1, *[1] * (own.ndim - 1))
    rest = 1 - shared**2
    return (
        own + tasks.left @ ((shared**2 * along - shared * across) / rest),
        other + tasks.right @ ((shared**2 * across - shared * along) / rest),
    )


def _unwhiten(factor: Array, whitened: Array) -> Array:
    return np.asarray(solve_triangular(factor, whitened, lower=True, trans="T"))
