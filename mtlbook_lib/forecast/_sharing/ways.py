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
from mtlbook_lib.forecast.evidence import CorrelationEvidence, evidence_of, fit_pair

ALONE = "none"
WAYS = ("pool", "shared + own", "feature", "process")
RIDGES = WAYS[:3]


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
    cosine : float
        Of the coefficients of both tasks, each learned by a ridge of its own.
    """

    ridge: Array
    process: Array
    together: dict[str, Array]
    evidence: CorrelationEvidence
    cosine: float

    def differences(self, way: str) -> Array:
        """What each row gains from B, shape (n_a,)."""
        return (self.process if way == "process" else self.ridge) - self.together[way]

    def gain(self, way: str) -> tuple[float, float]:
        """Mean gain of a way over A alone, learned by the same model, and its standard error over the rows."""
        rows = self.differences(way)
        return float(rows.mean()), float(rows.std(ddof=1) / np.sqrt(len(rows)))


def left_out_of(a: Task, b: Task) -> LeftOut:
    """From two tasks in the same columns and units."""
    alone, other = (SharedRidge(own=0.0).fit(task.inputs, task.labels) for task in (a, b))
    pooled, both = (_both(a, b, own) for own in (0.0, None))
    seen = np.column_stack([a.inputs, other.predict(a.inputs)])
    feature = SharedRidge(own=0.0).fit(seen, a.labels)
    tasks = fit_pair(a, b)
    evidence = evidence_of(tasks)
    n, slopes = len(a.labels), [alone.coef_[0], other.coef_[0]]
    size = float(np.linalg.norm(slopes[0]) * np.linalg.norm(slopes[1]))
    return LeftOut(
        ridge=np.square(alone.left_out_),
        process=np.square(tasks.a.left_out()),
        together={
            "pool": np.square(pooled.left_out_[:n]),
            "shared + own": np.square(both.left_out_[:n]),
            "feature": np.square(feature.left_out_),
            "process": np.square(left_out(tasks, evidence.correlation)),
        },
        evidence=evidence,
        cosine=float(slopes[0] @ slopes[1]) / size if size > 0 else 0.0,
    )


def _both(a: Task, b: Task, own: float | None) -> SharedRidge:
    rows, labels = np.concatenate([a.inputs, b.inputs]), np.concatenate([a.labels, b.labels])
    return SharedRidge(own).fit(rows, labels, np.repeat([0, 1], [len(a.labels), len(b.labels)]))


