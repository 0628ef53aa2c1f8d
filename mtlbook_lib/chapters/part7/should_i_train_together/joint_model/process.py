"""A rival of the joint model: a Gaussian process of two tasks at the one correlation that their labels prefer.

Its covariance is that of ``forecast.correlation_evidence``.
"""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast.evidence import evidence_of, fit_pair


def process_predictions(a: tuple[Array, Array], b: tuple[Array, Array], new: Array) -> Array:
    """Labels of a at new rows, from inputs and labels of both tasks."""
    tasks = fit_pair(*a, *b)
    rho = evidence_of(tasks).correlation
    between = tasks.a.factor @ (tasks.left * tasks.singular) @ tasks.right.T @ tasks.b.factor.T
    own, other = (one.factor @ one.factor.T for one in (tasks.a, tasks.b))
    labels = np.concatenate([one.factor @ one.whitened for one in (tasks.a, tasks.b)])
    weights = np.linalg.solve(np.block([[own, rho * between], [rho * between.T, other]]), labels)
    cross = np.hstack([tasks.kernel(new, a[0]) + 1, rho * tasks.kernel(new, b[0])])
    return np.asarray(a[1].mean() + a[1].std() * np.sqrt(tasks.a.scale) * (cross @ weights))
