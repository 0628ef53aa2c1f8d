r"""Tasks of more rows than a covariance matrix can hold, or of rows that count more than others: by their sums.

With Z some of all rows, :math:`K_Z = V \Lambda V^T`, functions are those of the kernel

.. math:: \tilde k(x, x') = \varphi(x)^T \varphi(x'), \qquad \varphi(x) = \Lambda^{-1/2} V^T k(Z, x),

which is k itself where both rows are among Z. A task's function is then :math:`w^T\varphi`, with a constant beside the
features; with F its rows' features, :math:`F^T F` and :math:`F^T y` are all that is asked of them. The weights of task
a given the partner's labels are normal, where the diagonal matrix K has :math:`\rho` for features, and for the constant
1 where levels are the same and 0 elsewhere,

.. math:: w \sim N\big(K \mu_B,\; I - K (I - C_B) K\big), \qquad
    C_B = \tau_B (F_B^T F_B + \tau_B I)^{-1}, \qquad \mu_B = (F_B^T F_B + \tau_B I)^{-1} F_B^T y_B / \sqrt{a_B}.

Source: the projected process, or deterministic training conditional, of Quiñonero-Candela & Rasmussen (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cholesky, eigh

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast import prior as priors
from mtlbook_lib.forecast._related.average import NEGLIGIBLE
from mtlbook_lib.forecast._related.kernels import Bent
from mtlbook_lib.forecast._related.members import Members
from mtlbook_lib.forecast._related.relations import Learned, Relation, Single

SMALL = 1e-13  # of the largest eigenvalue: directions of less are rounding
CHUNK = 1024  # rows whose features are held at once


@dataclass(frozen=True)
class Features:
    """A kernel, the rows Z, shape (m, d), and what makes features of its values there, shape (m, r - 1)."""

    kernel: Bent
    rows: Array
    turn: Array

    def __call__(self, rows: Array) -> Array:
        """Features of rows, and the constant, shape (n, r)."""
        constant = np.full((len(rows), 1), np.sqrt(priors.INTERCEPT))
        return np.concatenate([self.kernel(rows, self.rows) @ self.turn, constant], axis=1)


def features_of(kernel: Bent, rows: Array) -> Features:
    """Those of a kernel and the rows Z."""
    values, axes = eigh(kernel(rows, rows), check_finite=False, driver="evd")
    kept = values > SMALL * values[-1]
    return Features(kernel, rows, axes[:, kept] / np.sqrt(values[kept]))


@dataclass(frozen=True)
class Posterior:
    """Of a task's weights given its rows: mean, shape (r,), covariance C, shape (r, r), and the rows' log evidence."""

    mean: Array
    covariance: Array
    log_evidence: float


@dataclass(frozen=True)
class Held:
    """Rows of a task that are left out one at a time: features, labels, and how many rows each stands for."""

    features: Array
    labels: Array
    counts: Array


@dataclass(frozen=True)
class Moments:
    r"""A task by its sums, labels of mean 0 and variance 1.

    Attributes
    ----------
    features : Features
    gram, level, product : ndarray, shapes (r, r), (r,) and (r,)
        :math:`F^T F`, :math:`F^T 1` and :math:`F^T y`.
    size : float
        How many rows there are, or count.
    mean, scale : float
        They lead back to the labels' units.
    held : Held or None
    """

    features: Features
    gram: Array
    level: Array
    product: Array
    size: float
    mean: float
    scale: float
    held: Held | None = None

    def learned(self) -> Learned:
        """By itself, on the grid of noises."""
        values, axes = _spectrum(self.gram)
        along = axes.T @ self.product
        noises, spectra = priors.NOISES, values[:, None] + priors.NOISES
        squares = (self.size - (np.square(along)[:, None] / spectra).sum(axis=0)) / noises
        logs = np.log(spectra).sum(axis=0) + (self.size - len(values)) * np.log(noises)
        best = int(np.argmin(logs + self.size * np.log(squares / self.size)))
        own = Single(float(noises[best]), float(squares[best] / self.size))
        spectrum = spectra[:, best]
        mean = axes @ (along / spectrum) / np.sqrt(own.scale)
        left = (axes * (own.noise / spectrum)) @ axes.T
        return Learned(self, own, Posterior(mean, left, -0.5 * float(self.size + logs[best])))

    def joined(self, others: Sequence[Moments]) -> Moments:
        """The rows of this task and of others as those of one, in the labels' units."""
        tasks = [self, *others]
        size = sum(one.size for one in tasks)
        mean = sum(one.size * one.mean for one in tasks) / size
        square = sum(one.size * (one.scale**2 + (one.mean - mean) ** 2) for one in tasks) / size
        gram, level = np.sum([one.gram for one in tasks], axis=0), np.sum([one.level for one in tasks], axis=0)
        product = np.sum([one.scale * one.product + (one.mean - mean) * one.level for one in tasks], axis=0)
        scale = float(np.sqrt(square))
        return Moments(self.features, gram, level, product / scale, size, float(mean), scale)

    def members(self, relations: Sequence[Relation], least: float = -np.inf) -> list[Weighed]:
        """All of them; this is task a.

        What will have no weight, beside these or others of prior times evidence `least`, a logarithm, keeps no axes,
        which are all that takes memory.
        """
        found: list[Weighed] = []
        for relation in relations:
            found.append(_weighed(relation, self))
            best = max(least, *(one.highest for one in found))
            found = [one if one.highest > best + np.log(NEGLIGIBLE) else one.bare for one in found]
        return found


@dataclass(frozen=True)
class Weighed(Members):
    """The same by the weights of features.

    `errors` and `deviations` are of the rows that are held. `weights`, shape (r, members), is the posterior mean of the
    weights, in units of a's standardised labels; with `values`, shape (r,), and t the columns of `axes`, shape (r, r),
    their covariance is :math:`\\sum_i \\tau / (\\lambda_i + \\tau)\\, t_i t_i^T / s^2`.
    """

    @property
    def highest(self) -> float:
        """The highest prior times evidence among them, its logarithm."""
        return float((self.log_evidence + np.repeat(self.relation.log_priors, len(priors.NOISES))).max())

    @property
    def bare(self) -> Weighed:
        """Without axes."""
        return replace(self, axes=np.empty((0, len(self.weights))))  # no view, which would keep them all


@dataclass(frozen=True)
class FeatureAverage:
    """Members of one kernel with their weights, as they predict; the same as ``Average``."""

    features: Features
    weights: Array
    counted: list[tuple[Weighed, Array]]

    def mean(self, new: Array) -> Array:
        """Weighted means at new rows, in units of a's standardised labels."""
        return np.concatenate([self.features(rows) @ self.weights for rows in _chunks(new)])

    def squares(self, new: Array) -> Array:
        """Weighted sum of a new label's variance and squared mean."""
        return np.concatenate([self._squares(rows) for rows in _chunks(new)])

    def _squares(self, new: Array) -> Array:
        at, total = self.features(new), np.zeros(len(new))
        prior = self.features.kernel.diagonal(new) + priors.INTERCEPT
        rest = np.maximum(prior - np.square(at).sum(axis=1), 0.0)  # of the kernel, in what no feature sees
        for one, weights in self.counted:
            along = np.square(at @ one.axes)
            for place in np.flatnonzero(weights):
                s, tau = one.scales[place], one.noises[place]
                variance = (rest + tau + along @ (tau / (one.values + tau))) / s**2
                total += weights[place] * (variance + np.square(at @ one.weights[:, place]))
        return total


def feature_average(task: Moments, members: Sequence[Weighed], weights: Sequence[Array]) -> FeatureAverage:
    """Folds the members into one weight for each feature."""
    mean = np.sum([one.weights @ weight for one, weight in zip(members, weights, strict=True)], axis=0)
    kept = [(one, np.where(weight > NEGLIGIBLE, weight, 0.0)) for one, weight in zip(members, weights, strict=True)]
    return FeatureAverage(task.features, mean, [(one, weight) for one, weight in kept if weight.any()])


def inducing_rows(tables: Sequence[Array], most: int) -> Array:
    """Rows Z: the first ones of the target's table, and as many of the others' together.

    With half of them, on images of digits of which a third of the rows or more was taken, all rows were behind the
    thinned ones.
    """
    each = max(most // max(len(tables) - 1, 1), 1)
    return np.concatenate([tables[0][:most], *(rows[:each] for rows in tables[1:])])


def moments_of(
    features: Features, rows: Array, labels: Array, counts: Array, units: tuple[float, float], held: int
) -> Moments:
    """Sums over all rows, and the first ones, that are left out; labels in units of their mean and scale."""
    r = features.turn.shape[1] + 1
    gram, sums, kept = np.zeros((r, r)), np.zeros((r, 2)), []
    for start in range(0, len(rows), CHUNK):
        part = slice(start, start + CHUNK)
        at, count = features(rows[part]), counts[part]
        if start < held:
            kept.append(at[: held - start])
        each = np.stack([count, count * labels[part]], axis=1)
        sums += at.T @ each
        at = np.sqrt(count)[:, None] * at
        gram += at.T @ at
    left = Held(np.concatenate(kept), labels[:held], counts[:held]) if held else None
    level, product = sums.T
    return Moments(features, gram, level, product, float(counts.sum()), *units, left)


def _weighed(relation: Relation, task: Moments) -> Weighed:
    """All signs and noises of one relation."""
    n, r, held = task.size, len(task.level), task.held
    if held is None:
        raise ValueError("held must not be None for the target.")
    mean, root = np.zeros(r), None
    if relation.partners is not None:
        posterior: Posterior = relation.partners
        shared = np.full(r, relation.size)
        shared[-1] = 0.0 if relation.units is None else 1.0
        left = shared[:, None] * posterior.covariance * shared + np.diag(1 - shared**2)
        root = cholesky(left, lower=True, check_finite=False)
        mean = shared * posterior.mean
        mean[-1] -= relation.offset / np.sqrt(priors.INTERCEPT)
    gram, product, of_mean = task.gram, task.product, task.gram @ mean
    known = float(product @ mean), float(of_mean @ mean)
    if root is not None:
        gram, product, of_mean = root.T @ gram @ root, root.T @ product, root.T @ of_mean
    values, axes = _spectrum(gram)
    signs = np.repeat(relation.signs, len(priors.NOISES)).astype(np.float64)
    noises = np.tile(priors.NOISES, len(relation.signs))
    spectra = values[:, None] + noises
    y, m = (axes.T @ product)[:, None], (axes.T @ of_mean)[:, None] * signs
    wholes = (n, y, y), (known[0] * signs, y, m), (known[1], m, m)
    yy, ym, mm = ((whole - (left * right / spectra).sum(axis=0)) / noises for whole, left, right in wholes)
    s = (ym + np.sqrt(ym**2 + 4 * n * yy)) / (2 * yy) if relation.units is None else relation.units[0] + 0 * yy
    logs = np.log(spectra).sum(axis=0) + (n - r) * np.log(noises)
    evidence = n * np.log(s) - 0.5 * (logs + s**2 * yy - 2 * s * ym + mm)
    if relation.units is None:  # Laplace's approximation of the integral over log s
        evidence -= 0.5 * np.log(n + s**2 * yy)
    turned = axes if root is None else root @ axes
    weights = (mean[:, None] * signs + turned @ ((s * y - m) / spectra)) / s
    leverage = np.square(held.features @ turned) @ (1 / spectra)
    kept = 1 - np.minimum(held.counts, 1.0)[:, None] * leverage
    errors = (held.labels[:, None] - held.features @ weights) / kept
    deviations = np.sqrt(noises * (1 + leverage / kept)) / s
    return Weighed(relation, signs * relation.size, noises, s, evidence, weights, errors, deviations, values, turned)


def _spectrum(gram: Array) -> tuple[Array, Array]:
    values, axes = eigh(gram, check_finite=False, driver="evd")
    return np.maximum(values, 0.0), axes


def _chunks(rows: Array) -> list[Array]:
    return [rows[start : start + CHUNK] for start in range(0, max(len(rows), 1), CHUNK)]
