r"""Posterior of task a for each relation and each noise, their evidence, and their average.

Given the partners' labels, task a's labels over their scale are normal with mean m and covariance
:math:`\Sigma = K_A + \mathbf 1 \mathbf 1^T - C + \tau I`, where with :math:`L L^T` the partners' covariance and
:math:`K_{BA}` the kernel between partners and a,

.. math:: W = L^{-1} K_{BA}, \qquad m = \rho W^T L^{-1} y_B, \qquad C = \rho^2 W^T W.

One eigendecomposition for each size of the relation serves all noises and both signs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from scipy.special import logsumexp

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import prior
from mtlbook_lib.forecast._related.relations import Relation, Task


@dataclass(frozen=True)
class Members:
    """Every sign and noise of one relation; they stand in the last axis.

    Attributes
    ----------
    relation : Relation
    correlations, noises, scales : ndarray, shape (members,)
        `scales` are s: labels of a times s have the covariance above. The best of each member, in closed form.
    log_evidence : ndarray, shape (members,)
        Of a's labels given the partners', up to a constant.
    weights : ndarray, shape (n, members)
        :math:`\\Sigma^{-1}(s y - m) / s`.
    errors, deviations : ndarray, shape (n, members)
        Of each label predicted by all others: label minus mean, and standard deviation.
    values, axes : ndarray, shapes (n,) and (n, n)
        Eigenvalues and eigenvectors of the covariance without its noise.
    """

    relation: Relation
    correlations: Array
    noises: Array
    scales: Array
    log_evidence: Array
    weights: Array
    errors: Array
    deviations: Array
    values: Array
    axes: Array


@dataclass(frozen=True)
class LeftOut:
    """Each label of a predicted by all others: label minus mean, and standard deviation, shape (n,).

    `counts` is how many rows each stands for, a number or of shape (n,); no more than one of them is left out.
    """

    errors: Array
    deviations: Array
    counts: Array | float = 1.0

    @property
    def total(self) -> float:
        """Rows that all of them stand for."""
        return float(np.broadcast_to(self.counts, self.errors.shape).sum())


def members_of(relation: Relation, task: Task, seen: Array | None) -> Members:
    """`seen` is W, shape (m, n); None for a task by itself."""
    n = len(task.labels)
    covariance, mean = task.gram + prior.INTERCEPT, np.zeros(n)
    if relation.partners is not None and seen is not None:
        through = relation.through(seen)
        covariance = covariance - through.T @ through
        mean = relation.partners.whitened @ through - relation.offset
    values, axes = eigh(covariance, check_finite=False, driver="evd")
    values = np.maximum(values, 0.0)
    signs = np.repeat(relation.signs, len(prior.NOISES)).astype(np.float64)
    noises = np.tile(prior.NOISES, len(relation.signs))
    spectra = values[:, None] + noises
    y, m = (axes.T @ task.labels)[:, None], (axes.T @ mean)[:, None] * signs
    yy, ym, mm = ((left * right / spectra).sum(axis=0) for left, right in ((y, y), (y, m), (m, m)))
    s = (ym + np.sqrt(ym**2 + 4 * n * yy)) / (2 * yy) if relation.units is None else relation.units[0] + 0 * yy
    evidence = n * np.log(s) - 0.5 * (np.log(spectra).sum(axis=0) + s**2 * yy - 2 * s * ym + mm)
    if relation.units is None:  # Laplace's approximation of the integral over log s
        evidence -= 0.5 * np.log(n + s**2 * yy)
    weights = axes @ ((s * y - m) / spectra) / s
    precision = np.square(axes) @ (1 / spectra)
    deviations = 1 / (np.sqrt(precision) * s)
    errors, rho = weights / precision, signs * relation.size
    return Members(relation, rho, noises, s, evidence, weights, errors, deviations, values, axes)


def log_weights(members: Sequence[Members]) -> tuple[list[Array], float]:
    """Logarithms of prior times evidence of all members, normalised, and of what they are divided by."""
    logs = [one.log_evidence + np.repeat(one.relation.log_priors, len(prior.NOISES)) for one in members]
    total = float(logsumexp(np.concatenate(logs)))
    return [one - total for one in logs], total


def left_out(members: Sequence[Members], logs: Sequence[Array], counts: Array | float = 1.0) -> LeftOut:
    r"""Of the average, whose weights leave the row out too: :math:`\propto w_j / p_j(y_i | y_{-i})`.

    Scales and units stay those of all rows.
    """
    errors = np.concatenate([one.errors for one in members], axis=1)
    deviations = np.concatenate([one.deviations for one in members], axis=1)
    out = np.reshape(np.minimum(counts, 1.0), (-1, 1))
    weights = np.concatenate(logs) + out * (0.5 * np.square(errors / deviations)) + out * np.log(deviations)
    weights = np.exp(weights - logsumexp(weights, axis=1, keepdims=True))
    mean = (weights * errors).sum(axis=1)
    variance = (weights * (np.square(deviations) + np.square(errors - mean[:, None]))).sum(axis=1)
    return LeftOut(mean, np.sqrt(variance), counts)


def checked(together: LeftOut, apart: LeftOut) -> tuple[float, LeftOut]:
    r"""How much of the joint average is kept beside that of a alone, and what is left out with as much.

    With errors e of a alone and d, e less those of the joint average, the share
    :math:`(e^T d + k\, d^T d / n) / (d^T d + k\, d^T d / n)`, no less than 0 and no more than 1, errs least on the rows
    left out and on k further ones that are as the joint average has it. Each row's own has neither its error.
    """
    errors, moved = apart.errors, apart.errors - together.errors
    products, squares, counts = moved * errors, np.square(moved), together.counts
    shares = []
    for out in (np.zeros(1), np.minimum(counts, 1.0)):
        n, along = together.total - out, (counts * products).sum() - out * products
        across = (counts * squares).sum() - out * squares
        added = prior.PSEUDO_ROWS / n * across
        least = np.divide(along + added, across + added, out=np.ones_like(errors), where=across > 0)
        shares.append(np.clip(least, 0.0, 1.0))
    kept, each = float(shares[0][0]), shares[1]
    variance = each * np.square(together.deviations) + (1 - each) * np.square(apart.deviations)
    return kept, LeftOut(errors - each * moved, np.sqrt(variance + each * (1 - each) * squares), counts)
