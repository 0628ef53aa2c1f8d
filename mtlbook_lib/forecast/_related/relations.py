"""Relations of a task with others: by itself, with one of them, or with all through what they have in common.

Covariances are in units of each task's scale; cross-covariances between functions are a multiple of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.special import logsumexp

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import prior as priors

GramOf = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Task:
    """Inputs, shape (n, d), labels of mean 0 and variance 1, shape (n,), and the kernel between rows.

    `mean` and `scale` lead back to the labels' units.
    """

    inputs: Array
    labels: Array
    kernel: GramOf
    mean: float = 0.0
    scale: float = 1.0

    @cached_property
    def gram(self) -> Array:
        """The kernel of the rows, shape (n, n)."""
        return self.kernel(self.inputs, self.inputs)

    @property
    def size(self) -> float:
        """Number of rows."""
        return len(self.labels)

    def learned(self) -> Learned:
        """By itself."""
        own = single(self)
        return Learned(self, own, _partners(self, own))

    def joined(self, others: Sequence[Task]) -> Task:
        """The rows of this task and of others as those of one, in the labels' units."""
        tasks = [self, *others]
        labels = np.concatenate([one.mean + one.scale * one.labels for one in tasks])
        rows, mean, scale = np.concatenate([one.inputs for one in tasks]), float(labels.mean()), float(labels.std())
        return Task(rows, (labels - mean) / scale, self.kernel, mean, scale)


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

    @cached_property
    def level(self) -> Array:
        """The factor's inverse times a level that all rows have in common."""
        return self.whiten(np.ones(len(self.whitened)))

    def whiten(self, columns: Array) -> Array:
        """The factor's inverse times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True, check_finite=False))

    def unwhiten(self, columns: Array) -> Array:
        """The transposed factor's inverse times the columns."""
        return np.asarray(solve_triangular(self.factor, columns, lower=True, trans="T", check_finite=False))


@dataclass(frozen=True)
class Relation:
    """Partners, None for a task by itself; size and signs of what multiplies the kernel; and the prior of each sign.

    `partners` are ``Partners``, or what stands for many rows; `which` are their places among all. `units`
    are s and o where labels are taken in the same units, and with one level: s y + o are a's in the partners' scale.
    """

    partners: Any
    size: float
    signs: tuple[int, ...]
    log_priors: tuple[float, ...]
    which: tuple[int, ...] = ()
    units: tuple[float, float] | None = None

    @property
    def offset(self) -> float:
        """How far a's labels lie above the partners', in their scale."""
        return 0.0 if self.units is None else self.units[1]

    def through(self, seen: Array) -> Array:
        """The factor's inverse times the covariance of partners and other rows, whose whitened kernel is `seen`."""
        if self.partners is None or self.units is None:
            return self.size * seen
        return np.asarray(self.size * seen + priors.INTERCEPT * self.partners.level[:, None])


def single(task: Task) -> Single:
    """As the class says, on the grid of noises."""
    values, axes = eigh(task.gram + priors.INTERCEPT, check_finite=False, driver="evd")
    spectra = np.maximum(values, 0.0) + priors.NOISES[:, None]
    scales = (np.square(axes.T @ task.labels) / spectra).mean(axis=1)
    best = int(np.argmin(np.log(spectra).sum(axis=1) + len(task.labels) * np.log(scales)))
    return Single(float(priors.NOISES[best]), float(scales[best]))


@dataclass(frozen=True)
class Learned:
    """A task, the noise and the scale that its own evidence prefers, and what its rows then say of another task."""

    task: Any
    own: Single
    partners: Any  # Partners, or what stands for many rows

    @property
    def log_evidence(self) -> float:
        """Of the labels in their units, integrated over the logarithm of the scale by Laplace; up to a constant."""
        n, scale = self.task.size, self.task.scale * np.sqrt(self.own.scale)
        return float(self.partners.log_evidence - n * float(np.log(scale)) - 0.5 * float(np.log(2 * n)))


def pairs_of(
    target: Any, others: Sequence[Learned], prior: dict[float, float], units: dict[float, float]
) -> list[Relation]:
    """Each partner with task a, at every correlation but 0, with an equal part of the prior.

    `units` is the prior of the correlations of labels in the same units.
    """
    relations = []
    for place, other in enumerate(others):
        each = 1 / len(others)
        for size in sorted({abs(rho) for rho in prior if rho}):
            signs = tuple(sign for sign in (1, -1) if sign * size in prior)
            logs = tuple(float(np.log(prior[sign * size] * each)) for sign in signs)
            relations.append(Relation(other.partners, size, signs, logs, (place,)))
        masses = {size: mass * each for size, mass in units.items()}
        relations += _same_units(target, other, masses, (place,))
    return relations


def pooled(target: Any, others: Sequence[Learned], which: Sequence[int]) -> tuple[list[Relation], float]:
    """Several partners as one of labels in the same units, with task a.

    And the log Bayes factor of one task against several.
    """
    first, *rest = (others[k].task for k in which)
    one = first.joined(rest).learned()
    likelier = one.log_evidence - sum(others[k].log_evidence for k in which)
    prior = {size: mass / sum(priors.SAME_UNITS.values()) for size, mass in priors.SAME_UNITS.items()}
    return _same_units(target, one, prior, tuple(which)), likelier


def log_shares(likelier: Sequence[float]) -> Array:
    """How probable it is that partners are tasks of their own, and that each group is one: by their labels alone.

    What they are to each other says nothing about task a, so that its labels have no part in it.
    """
    if not likelier:
        return np.zeros(1)
    logs = np.log([1 - priors.POOLED, *[priors.POOLED / len(likelier)] * len(likelier)]) + np.array([0.0, *likelier])
    return np.asarray(logs - logsumexp(logs))


def _same_units(target: Any, other: Learned, prior: dict[float, float], which: tuple[int, ...]) -> list[Relation]:
    unit = other.task.scale * np.sqrt(other.own.scale)
    units = float(target.scale / unit), float((target.mean - other.task.mean) / unit)
    return [Relation(other.partners, size, (1,), (float(np.log(mass)),), which, units) for size, mass in prior.items()]


def _partners(task: Task, own: Single) -> Partners:
    covariance = task.gram + priors.INTERCEPT + own.noise * np.eye(len(task.labels))
    factor = np.asarray(cholesky(covariance, lower=True, check_finite=False))
    labels = task.labels / np.sqrt(own.scale)
    whitened = np.asarray(solve_triangular(factor, labels, lower=True, check_finite=False))
    return Partners(task.inputs, factor, whitened)
