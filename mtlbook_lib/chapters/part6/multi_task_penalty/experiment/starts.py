"""Networks of two tasks and 60 inputs from many starts: how far from the least group norm, and does speed matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples
from mtlbook_lib.simulation.diagonal import Fits, Weights, equal_pathways, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.implicit_bias import group_norm
from mtlbook_lib.theory.interpolation import min_group_norm, min_l1

DIM, EXAMPLES = 60, (25, 15)
ALPHAS = np.array([1.0, 0.3, 0.1, 0.03, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6])
_ACCURACY = 1e-2


@dataclass(frozen=True)
class Starts:
    """Networks from the starts `ALPHAS`, (seed, start).

    `distance` of the coefficients to those of least group norm, and `excess` of their norm, are relative; `balance` is
    the sum of squared weights over the group norm, less 1; `error` the squared one of the main coefficients over that
    of zero. The least group norm itself, (seed,): `recovers` the teachers or not, and `least_error`. `share` is the
    weight of the lesser pathway over that of both, (seed, start, D), NaN for coefficients below 0.05. `moved`: relative
    distance to networks whose second task weighs ten times as much. `loss` is the largest, and `drift` the largest
    change of a conserved quantity over the square of the start.
    """

    recovers: Array
    distance: Array
    excess: Array
    balance: Array
    error: Array
    least_error: Array
    share: Array
    moved: Array
    loss: float
    drift: float


@sized(n_seeds=(4, 32, 1000), cost="2 GB, 5 min on one core")
def starts(n_features: int, readout: float = 1.0, *, n_seeds: int) -> Starts:
    """Two tasks with the same features, 25 and 15 examples; `readout` is that at the start over the first layer."""
    xs, ys, truth = tasks(n_features, range(n_seeds))
    best = min_group_norm(xs, ys)
    fits = _trained(xs, ys, (1.0, 1.0), readout)
    beta, size = fits.beta, np.sqrt((best**2).sum(axis=(1, 2)))[:, None]
    norms, least = group_norm(beta), np.asarray(group_norm(best))[:, None]
    faster = _trained(xs, ys, (1.0, 10.0), readout).beta
    return Starts(
        np.sqrt(((best - truth) ** 2).sum(axis=(1, 2))) < 1e-6 * np.sqrt((truth**2).sum(axis=(1, 2))),
        _norm(beta - best[:, None]) / size,
        norms / least - 1,
        fits.weights.squared_norm / norms - 1,
        relative_errors(beta[:, :, 1], truth[:, None, 1]),
        relative_errors(best[:, 1], truth[:, 1]),
        _shares(fits.weights),
        _norm(faster - beta) / _norm(beta),
        float(fits.loss.max()),
        float((_drift(fits.weights, readout) / ALPHAS**2).max()),
    )


@sized(n_seeds=(4, 32, 1000), cost="1 GB, 2 min on one core")
def alone(n_features: int, *, n_seeds: int) -> dict[str, Array]:
    """The second task alone, (seed, start): relative distance to the least l1 norm ("distance"), and to the same
    network when half of the examples weigh ten times as much ("moved").
    """
    xs, ys, _ = tasks(n_features, range(n_seeds))
    x, y = xs[1], ys[1]
    best = min_l1(x, y)
    weights = np.where(np.arange(len(y[0])) % 2, 1.0, np.sqrt(10.0))
    plain, other = (_trained([x * w[:, None]], [y * w], (1.0,), 1.0).beta[:, :, 0] for w in (1 + 0 * weights, weights))
    return {"distance": relative_distance(plain, best[:, None]), "moved": relative_distance(other, plain)}


def slope(values: Array, places: slice) -> Array:
    """Slope of the logarithm of values (seed, start) against that of the start, for each seed."""
    return np.asarray(np.polyfit(np.log(ALPHAS[places]), np.log(values[:, places]).T, 1)[0])


def certificate(x: Sequence[Array], y: Sequence[Array], betas: Array) -> tuple[float, float]:
    """Proof that coefficients (task, D) have the least group norm, from multipliers that fit on their support.

    Returns the largest norm of a combination of the inputs, which is at most 1 for a proof, and the relative
    difference between norm and lower bound.
    """
    norms = np.linalg.norm(betas, axis=0)
    used = norms > 1e-9 * norms.max()
    multipliers = [np.linalg.lstsq(rows[:, used].T, (beta / np.where(used, norms, 1.0))[used], rcond=None)[0]
                   for rows, beta in zip(x, betas, strict=True)]  # fmt: skip
    steepest = np.linalg.norm([nu @ rows for nu, rows in zip(multipliers, x, strict=True)], axis=0).max()
    bound = sum(float(nu @ labels) for nu, labels in zip(multipliers, y, strict=True)) / max(1.0, steepest)
    return float(steepest), 1 - bound / float(norms.sum())


def tasks(n_features: int, seeds: range) -> tuple[list[Array], list[Array], Array]:
    """Inputs (seed, n, D) and labels (seed, n) of both tasks, and their teachers (seed, task, D)."""
    teachers = sparse_teachers(DIM, n_features, n_features, n_features, seeds)
    truth = np.stack([teachers.aux, teachers.main], axis=1)
    n_aux, n_main = EXAMPLES
    (x_aux, y_aux), (x, y) = (sphere_examples(teachers.aux, n_aux, seeds, "aux"),
                              sphere_examples(teachers.main, n_main, seeds))  # fmt: skip
    return [x_aux, x], [y_aux, y], truth


def _trained(xs: Sequence[Array], ys: Sequence[Array], weights: Sequence[float], readout: float) -> Fits:
    """Networks from every start, the loss of each task multiplied by its weight; which sets its speed."""
    scales = np.sqrt(weights)
    start = _start(readout, len(xs[0]), len(xs))
    inputs, labels = ([scale * part for scale, part in zip(scales, parts, strict=True)] for parts in (xs, ys))
    return gradient_flow(start, inputs, labels, tolerance=1e-10, accuracy=_ACCURACY).finished()


def _start(readout: float, n_seeds: int, n_tasks: int) -> Weights:
    first = ALPHAS[None, :, None]
    return equal_pathways(first, readout * first[..., None], (n_seeds, len(ALPHAS), DIM), n_tasks)


def _drift(weights: Weights, readout: float) -> Array:
    """Largest change of the three quantities of an input that flow conserves, (seed, start)."""
    start = _start(readout, len(weights.u_plus), weights.v_plus.shape[2])
    return np.asarray(np.abs(conserved(weights) - conserved(start)).max(axis=(0, -1)))


def conserved(weights: Weights) -> Array:
    """Lorentz products of an input's two vectors of weights, (3, seed, setting, D)."""
    u, v = (weights.u_plus, weights.u_minus), (weights.v_plus, -weights.v_minus)
    return np.stack([u[i] * u[j] - (v[i] * v[j]).sum(axis=2) for i, j in ((0, 0), (1, 1), (0, 1))])


def _shares(weights: Weights) -> Array:
    energy = np.stack([weights.u_plus**2 + (weights.v_plus**2).sum(axis=2),
                       weights.u_minus**2 + (weights.v_minus**2).sum(axis=2)])  # fmt: skip
    active = np.linalg.norm(weights.beta, axis=2) > 0.05
    return np.where(active, energy.min(axis=0) / energy.sum(axis=0), np.nan)


def _norm(betas: Array) -> Array:
    return np.asarray(np.sqrt((betas**2).sum(axis=(-2, -1))))
