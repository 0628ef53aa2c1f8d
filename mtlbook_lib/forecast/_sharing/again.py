r"""What the gains become when rows of both tables are drawn again, with replacement.

A row that is drawn w times is one row of weight w, and is left out with all its copies: as two rows, one would tell
what the other is asked. Penalties, noises and scales stay those of all rows, so that each draw is a few closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._alone import INTERCEPT, Alone
from mtlbook_lib.forecast._joint import left_out
from mtlbook_lib.forecast._sharing.ridge import SharedRidge, design_of, units_of
from mtlbook_lib.forecast._sharing.ways import WAYS, LeftOut, Models
from mtlbook_lib.forecast._tasks import Task
from mtlbook_lib.forecast.evidence import Pair, coupled, evidence_of


@dataclass(frozen=True)
class WeightedRidge:
    """Rows that a ridge is fitted to, shape (n, p), labels, the place of each row's task, and the penalty."""

    design: Array
    labels: Array
    places: NDArray[np.int64]
    penalty: float

    def left_out(self, weights: Array) -> Array:
        """Label minus prediction of each row by the others, shape (n,); weights are at least 0."""
        rows, aims, share = self.design.copy(), self.labels.copy(), np.zeros(len(self.labels))
        for place in range(int(self.places.max()) + 1):
            part = self.places == place
            own = weights[part] / weights[part].sum()
            rows[part] -= own @ rows[part]
            aims[part] -= own @ aims[part]
            share[part] = own
        weighted = rows * weights[:, None]
        system = cho_factor(rows.T @ weighted + self.penalty * np.eye(rows.shape[1]))
        leverage = np.einsum("np,np->n", weighted, cho_solve(system, rows.T).T) + share
        errors = aims - rows @ cho_solve(system, weighted.T @ aims)
        return np.asarray(errors / np.maximum(1 - leverage, 1e-9))


def weighted_ridge(model: SharedRidge, inputs: Array, labels: Array, places: NDArray[np.int64]) -> WeightedRidge:
    """For other weights of the rows that the model was fitted to."""
    design = design_of(inputs / units_of(inputs), places, len(model.tasks_), model.own_)
    if design.shape[1] > len(design):  # a ridge sees no direction in which no row lies
        design = design @ np.linalg.svd(design, full_matrices=False)[2].T
    return WeightedRidge(design, labels, places, model.penalty_)


def weighted_pair(tasks: Pair, a: Task, b: Task, weights_a: Array, weights_b: Array) -> Pair:
    """Both processes on the rows of positive weight: a row of weight w has the noise of its mean, 1/w."""
    parts = []
    for task, own, weights in ((a, tasks.a, weights_a), (b, tasks.b, weights_b)):
        kept = weights > 0
        gram = tasks.kernel(task.inputs[kept], task.inputs[kept]) + INTERCEPT
        factor = np.asarray(np.linalg.cholesky(gram + np.diag(own.noise / weights[kept])), dtype=np.float64)
        rest = Alone(factor, np.zeros(len(factor)), own.scale, own.noise)
        labels = task.labels[kept] / np.sqrt(own.scale)
        parts.append(Alone(factor, rest.whiten(labels), own.scale, own.noise))
    return coupled(tasks.kernel, parts[0], parts[1], tasks.kernel(a.inputs[weights_a > 0], b.inputs[weights_b > 0]))


class DrawnAgain:
    """Errors of A's rows left out, for other weights of the rows of both tables."""

    def __init__(self, models: Models, a: Task, b: Task) -> None:
        rows, labels = np.concatenate([a.inputs, b.inputs]), np.concatenate([a.labels, b.labels])
        places, own = np.repeat([0, 1], [len(a.labels), len(b.labels)]), np.zeros(len(a.labels), dtype=np.int64)
        self._a, self._b, self._process = a, b, models.process
        self._alone = weighted_ridge(models.alone, a.inputs, a.labels, own)
        self._feature = weighted_ridge(models.feature, models.seen, a.labels, own)
        both = [models.pool] if models.own.own_ == 0 else [models.pool, models.own]
        self._both = [weighted_ridge(model, rows, labels, places) for model in both]

    def left_out(self, weights_a: Array, weights_b: Array) -> LeftOut:
        """Rows of weight 0 have errors of 0."""
        n, weights = len(weights_a), np.concatenate([weights_a, weights_b])
        shared = [ridge.left_out(weights)[:n] for ridge in self._both]
        tasks = weighted_pair(self._process, self._a, self._b, weights_a, weights_b)
        evidence, found = evidence_of(tasks), np.zeros((2, n))
        found[:, weights_a > 0] = tasks.a.left_out(), left_out(tasks, evidence.correlation)
        together = [shared[0], shared[-1], self._feature.left_out(weights_a), found[1]]
        squares = [np.square(errors) for errors in (self._alone.left_out(weights_a), found[0], *together)]
        return LeftOut(squares[0], squares[1], dict(zip(WAYS, squares[2:], strict=True)), evidence)
