"""Errors of A's rows left out one at a time: of a ridge and of a process alone, and of every way of sharing.

All of them are closed forms. Nothing is fitted twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._joint import left_out
from mtlbook_lib.forecast._sharing.ridge import SharedRidge
from mtlbook_lib.forecast._tasks import Task
from mtlbook_lib.forecast.evidence import CorrelationEvidence, Pair, evidence_of, fit_pair

WAYS = ("pool", "shared + own", "feature", "process")


@dataclass(frozen=True)
class LeftOut:
    """Squared errors of A's rows, in units of the variance of its labels.

    Attributes
    ----------
    ridge, process : ndarray, shape (n_a,)
        Of A alone.
    together : dict
        For each of WAYS, with B.
    evidence : CorrelationEvidence
        Of the process.
    """

    ridge: Array
    process: Array
    together: dict[str, Array]
    evidence: CorrelationEvidence

    def differences(self, way: str) -> Array:
        """What each row gains from B, shape (n_a,)."""
        return (self.process if way == "process" else self.ridge) - self.together[way]

    def gains(self, weights: Array | None = None) -> dict[str, tuple[float, float]]:
        """For each way the mean gain over A alone, learned by the same model, and its standard error over the rows."""
        return {way: _mean(self.differences(way), weights) for way in WAYS}

    def alone(self, weights: Array | None = None) -> dict[str, float]:
        """For each way the mean error of A alone, learned by the same model: what could be gained at most."""
        return {way: _mean(self.process if way == "process" else self.ridge, weights)[0] for way in WAYS}


@dataclass(frozen=True)
class Models:
    """What the errors are of: ridges of A, of both pooled, of both with own parts, of A with B's prediction."""

    alone: SharedRidge
    pool: SharedRidge
    own: SharedRidge
    feature: SharedRidge
    seen: Array
    process: Pair

    def left_out(self) -> LeftOut:
        """Errors of A's rows, each predicted by all the others."""
        n, evidence = len(self.seen), evidence_of(self.process)
        together = [self.pool.left_out_[:n], self.own.left_out_[:n], self.feature.left_out_]
        together.append(left_out(self.process, evidence.correlation))
        squares = [np.square(errors) for errors in (self.alone.left_out_, self.process.a.left_out(), *together)]
        return LeftOut(squares[0], squares[1], dict(zip(WAYS, squares[2:], strict=True)), evidence)


def models_of(a: Task, b: Task) -> Models:
    """Fitted to two tasks in the same columns and units."""
    alone, other = (SharedRidge(own=0.0).fit(task.inputs, task.labels) for task in (a, b))
    rows, labels = np.concatenate([a.inputs, b.inputs]), np.concatenate([a.labels, b.labels])
    places = np.repeat([0, 1], [len(a.labels), len(b.labels)])
    pool, own = (SharedRidge(share).fit(rows, labels, places) for share in (0.0, None))
    seen = np.column_stack([a.inputs, other.predict(a.inputs)])
    return Models(alone, pool, own, SharedRidge(own=0.0).fit(seen, a.labels), seen, fit_pair(a, b))


def _mean(rows: Array, weights: Array | None) -> tuple[float, float]:
    if weights is None:
        weights = np.ones(len(rows))
    n = weights.sum()
    mean = float(weights @ rows) / n
    return mean, float(np.sqrt(weights @ np.square(rows - mean) / (n - 1) / n))
