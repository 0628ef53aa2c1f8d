"""Rich and lazy networks of one task at the paper's size, their limit of many inputs, and two inputs in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import Fits, equal_pathways, gradient_flow
from mtlbook_lib.theory.implicit_bias import penalty_terms
from mtlbook_lib.theory.interpolation import min_l1, min_l2, min_penalty
from mtlbook_lib.theory.learning_curves import penalty_error

DIM = 1000  # inputs of the paper's networks
FEATURES = {"sparse": 40, "dense": DIM}  # non-zero coefficients of the teachers
SCALES = {"rich": 1e-3, "lazy": 1.0}  # initial value of every weight
PLANE = (np.array([[1.0, 0.6]]), np.array([1.0]))  # one equation for two coefficients


@dataclass(frozen=True)
class SingleTask:
    """Networks of one teacher and start at several numbers of examples; arrays (seed, size) unless said.

    Attributes
    ----------
    sizes : ndarray, shape (size,)
    error : ndarray
        Mean squared error of a coefficient over that of predicting zero.
    l1, l2 : ndarray
        Norms of the networks over those of the teacher; `predicted` has those of the minimiser of the penalty.
    to_penalty, to_limit : ndarray
        Relative distance to that minimiser, and to the interpolator of least l1 ("rich") or l2 norm ("lazy"); the
        latter for the first seeds.
    excess : ndarray
        For the same seeds, how much the network's l1 ("rich") or l2 norm ("lazy") exceeds the least, relative to it.
    weight_norm : ndarray
        Sum of the squares of all weights over twice the l1 norm.
    loss : float
        Largest loss at the end of training.
    """

    sizes: Array
    error: Array
    l1: Array
    l2: Array
    predicted: dict[str, Array]
    to_penalty: Array
    to_limit: Array
    excess: Array
    weight_norm: Array
    loss: float


@sized(
    quick={"n_seeds": 2, "n_limits": 1, "sizes": (16, 32, 64, 128)},
    paper={"n_seeds": 8, "n_limits": 4, "sizes": (16, 32, 64, 128, 256, 384)},
    large={"n_seeds": 100, "n_limits": 100, "sizes": (16, 32, 64, 128, 192, 256, 384, 512)},
    large_cost="4 GB, 30 min on one GPU",
)
def single_task(teacher: str, regime: str, *, n_seeds: int, n_limits: int, sizes: Sequence[int]) -> SingleTask:
    """Networks of 1000 inputs trained to a mean squared error of 1e-10, and what is to be compared with them."""
    alpha, seeds = SCALES[regime], range(n_seeds)
    truth = sparse_teachers(DIM, FEATURES[teacher], 1, 1, seeds).aux
    rows, limits, largest = [], [], 0.0
    for n in sizes:
        x = sphere_inputs(DIM, n, seeds)
        y = (x @ truth[..., None])[..., 0]
        fits = train(alpha, x, y).finished()
        largest = max(largest, float(fits.loss.max()))
        norms = fits.weights.squared_norm[:, 0]
        rows.append([_judged(*one, alpha) for one in zip(x, y, truth, fits.beta[:, 0, 0], norms, strict=True)])
        few = zip(x[:n_limits], y[:n_limits], fits.beta[:n_limits, 0, 0], strict=True)
        limits.append([_against_limit(*one, regime) for one in few])
    error, l1, l2, least_1, least_2, to_penalty, weight_norm = np.array(rows).transpose(2, 1, 0)
    to_limit, excess = np.array(limits).transpose(2, 1, 0)
    predicted = {"l1": least_1, "l2": least_2}
    return SingleTask(np.array(sizes), error, l1, l2, predicted, to_penalty, to_limit, excess, weight_norm, largest)


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 24},
    large={"n_seeds": 200},
    large_cost="1 GB, 5 min on one GPU",
)
def sparse_gain(n: int, *, n_seeds: int) -> Array:
    """Error of ``single_task`` from large weights less that from small ones, a sparse teacher, n examples: (seed,)."""
    truth, x = sparse_teachers(DIM, FEATURES["sparse"], 1, 1, range(n_seeds)).aux, sphere_inputs(DIM, n, range(n_seeds))
    y = (x @ truth[..., None])[..., 0]
    lazy, rich = (_error(train(SCALES[kind], x, y).finished().beta[:, 0, 0], truth) for kind in ("lazy", "rich"))
    return lazy - rich


def _error(beta: Array, truth: Array) -> Array:
    return np.asarray(((beta - truth) ** 2).sum(axis=-1) / (truth**2).sum(axis=-1))


def _judged(x: Array, y: Array, truth: Array, beta: Array, norm: float, alpha: float) -> list[float]:
    best = min_penalty(x, y, 2 * alpha**2)
    sizes = [np.linalg.norm(b, p) / np.linalg.norm(truth, p) for b in (beta, best) for p in (1, 2)]
    return [float(v) for v in (_error(beta, truth), *sizes, relative(beta, best), norm / (2 * np.abs(beta).sum()))]


def _against_limit(x: Array, y: Array, beta: Array, regime: str) -> list[float]:
    limit, order = (min_l1(x, y), 1) if regime == "rich" else (min_l2(x, y), 2)
    return [float(relative(beta, limit)), float(np.linalg.norm(beta, order) / np.linalg.norm(limit, order) - 1)]


def train(alpha: float, x: Array, y: Array) -> Fits:
    """Networks whose weights all start at alpha, one for each seed, by gradient flow to a loss of 1e-10."""
    start = equal_pathways(alpha, alpha, (len(x), 1, x.shape[-1]))
    return gradient_flow(start, [x[:, None]], [y[:, None]], tolerance=1e-10, accuracy=0.3)


@sized(
    quick={"n_sizes": 4},
    paper={"n_sizes": 14},
    large={"n_sizes": 100},
    large_cost="1 GB, 1 min on one core",
)
def limit_sizes(*, n_sizes: int) -> dict[str, Array]:
    """Numbers of examples at which the limit is computed, by teacher; the dense one's line bends less."""
    counts = {"sparse": n_sizes, "dense": max(2, 4 * n_sizes // 7)}
    return {name: np.geomspace(16, 400, count) for name, count in counts.items()}


def limit_curve(teacher: str, regime: str, sizes: Array) -> Array:
    """Error relative to predicting zero in the limit of many inputs, (size,)."""
    rho = FEATURES[teacher] / DIM
    weights, truth = ([rho, 1 - rho], [1.0, 0.0]) if rho < 1 else ([1.0], [1.0])
    errors = [penalty_error(n / DIM, weights, truth, 2 * SCALES[regime] ** 2)[0] for n in sizes]
    return np.array(errors) / rho


@dataclass(frozen=True)
class Plane:
    """Networks of two inputs and one example: coefficients, those of least penalty, and the penalty around them.

    Coefficients are (alpha, 2); the penalty (alpha, second, first) is relative to its least value, on `axes`.
    """

    trained: Array
    best: Array
    axes: tuple[Array, Array]
    penalty: Array


def plane(alphas: Array) -> Plane:
    """Networks with two inputs and one example, for each initial value of all weights."""
    x, y = PLANE
    start = equal_pathways(alphas[None, :, None], alphas[None, :, None, None], (1, len(alphas), 2))
    fits = gradient_flow(start, [x[None, None]], [y[None, None]], tolerance=1e-14)
    best = min_penalty(x, y, np.repeat(2 * alphas[:, None] ** 2, 2, axis=1))
    axes = np.linspace(-0.3, 1.4, 120), np.linspace(-0.9, 1.4, 160)
    points = np.stack(np.meshgrid(*axes), axis=-1)
    penalty = [
        penalty_terms(points, 2 * alpha**2).sum(axis=-1) / penalty_terms(beta, 2 * alpha**2).sum()
        for alpha, beta in zip(alphas, best, strict=True)
    ]
    return Plane(fits.beta[0, :, 0], best, axes, np.array(penalty))
