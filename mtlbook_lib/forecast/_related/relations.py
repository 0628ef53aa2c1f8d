"""How a task may hang together with others: by itself, with one of them, or with all through what they have in common.

Covariances are in units of each task's scale; cross-covariances between functions are a multiple of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular

from mtlbook_lib._checks import Array

NOISES = np.logspace(-4, 2, 13)  # noise variance over the mean prior variance of the function
INTERCEPT = 1.0  # prior variance of a task's level, in the same unit
# How probable each correlation of two tasks' functions is, and each share that the functions of several have in common
# of their variance: half for unrelated tasks; related ones mostly go the same way, and closely.
PRIOR = {
    0.0: 0.5,
    **dict.fromkeys((-0.97, -0.8, -0.3), 0.02),
    **dict.fromkeys((0.3, 0.6, 0.8, 0.9, 0.97, 0.995), 0.44 / 6),
}
SHARES = {0.0: 0.5, **dict.fromkeys((0.3, 0.6, 0.8, 0.92, 0.98), 0.1)}

GramOf = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Task:
    """Inputs, shape (n, d), labels of mean 0 and variance 1, shape (n,), and the kernel of the rows, (n, n)."""

    inputs: Array
    labels: Array
    gram: Array


@dataclass(frozen=True)
class Single:
    """The noise and the scale that a task's own evidence prefers."""

    noise: float
    scale: float


@dataclass(frozen=True)
class Partners:
    """Rows of other tasks, the factor of their labels' covariance, shape (m, m), and its inverse times the labels."""

    rows: Array
    factor: Array
    whitened: Array

    @property
    def log_evidence(self) -> float:
        """Up to a constant of the number of rows."""
        return -0.5 * float(self.whitened @ self.whitened) - float(np.log(np.diag(self.factor)).sum())

    def whiten(self, columns: Array) -> Array:
        """The factor's inverse times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True, check_finite=False))

    def unwhiten(self, columns: Array) -> Array:
        """The transposed factor's inverse times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True, trans="T", check_finite=False))


@dataclass(frozen=True)
class Relation:
    """Partners, None for a task by itself; size and signs of what multiplies the kernel; and the prior of each sign.

    `which` are the places of the partners among all, `turned` is -1 where labels are taken with the other sign.
    """

    partners: Partners | None
    size: float
    signs: tuple[int, ...]
    log_priors: tuple[float, ...]
    which: tuple[int, ...] = ()
    turned: tuple[float, ...] = ()


def single(task: Task) -> Single:
    """As the class says, on the grid of noises."""
    values, axes = eigh(task.gram + INTERCEPT, check_finite=False, driver="evd")
    spectra = np.maximum(values, 0.0) + NOISES[:, None]
    scales = (np.square(axes.T @ task.labels) / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + len(task.labels) * np.log(scales)))
    return Single(float(NOISES[best]), float(scales[best]))


def pairs_of(
    tasks: Sequence[Task], singles: Sequence[Single], prior: dict[float, float], share: float
) -> list[Relation]:
    """Each partner with task a, at every correlation but 0; `share` of the whole prior is theirs, with what is at 0."""
    found = []
    for place, (task, own) in enumerate(zip(tasks, singles, strict=True)):
        covariance = task.gram + INTERCEPT + own.noise * np.eye(len(task.labels))
        partners = _partners(task.inputs, task.labels / np.sqrt(own.scale), covariance)
        for size in sorted({abs(rho) for rho in prior if rho}):
            signs = tuple(sign for sign in (1, -1) if sign * size in prior)
            logs = tuple(float(np.log(prior[sign * size] * share / len(tasks))) for sign in signs)
            found.append(Relation(partners, size, signs, logs, (place,), (1.0,)))
    return found


def in_common(
    tasks: Sequence[Task],
    singles: Sequence[Single],
    which: Sequence[int],
    turned: Sequence[float],
    kernel: GramOf,
    share: float,
) -> list[Relation]:
    r"""What several tasks and a have in common: :math:`f_k = \pm(\sqrt r\, g + \sqrt{1 - r}\, h_k)`, at r but 0.

    `share` of the whole prior is theirs, with what is at 0, times how likely r makes the partners' labels.
    """
    place = np.repeat(np.arange(len(which)), [len(tasks[k].labels) for k in which])
    same = (place[:, None] == place).astype(np.float64)
    rows = np.concatenate([tasks[k].inputs for k in which])
    labels = [sign * tasks[k].labels / np.sqrt(singles[k].scale) for k, sign in zip(which, turned, strict=True)]
    gram, noise = kernel(rows, rows), np.diag(np.array([singles[k].noise for k in which])[place])
    partners = {
        r: _partners(rows, np.concatenate(labels), gram * (r + (1 - r) * same) + INTERCEPT * same + noise)
        for r in SHARES
    }
    apart = partners[0.0].log_evidence
    logs = {r: float(np.log(share * SHARES[r])) + one.log_evidence - apart for r, one in partners.items()}
    return [Relation(one, r, (1,), (logs[r],), tuple(which), tuple(turned)) for r, one in partners.items() if r]


def _partners(rows: Array, labels: Array, covariance: Array) -> Partners:
    factor = np.asarray(cholesky(covariance, lower=True, check_finite=False))
    whitened = np.asarray(solve_triangular(factor, labels, lower=True, check_finite=False))
    return Partners(rows, factor, whitened)
