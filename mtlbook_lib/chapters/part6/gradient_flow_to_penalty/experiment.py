"""Diagonal networks of one task: what their flow conserves, where it ends, and the paper's single-task figure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_simpson

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib._remembered import remembered
from mtlbook_lib.chapters.part6 import _diagonal
from mtlbook_lib.chapters.part6._diagonal import PLANE, Plane, conserved, invariants, labels
from mtlbook_lib.chapters.part6.gradient_flow_to_penalty import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples, sphere_inputs
from mtlbook_lib.simulation.diagonal import (
    Fits,
    Weights,
    descend,
    equal_pathways,
    gradient_flow,
    sampled_flow,
    start_from,
)
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.interpolation import min_l1, min_l2, min_penalty, stationarity_residual
from mtlbook_lib.theory.learning_curves import penalty_error


@dataclass(frozen=True)
class Course:
    """A flow of all weights: states at `times`, loss (seed, 1, time), angles G (time, seed, D)."""

    times: Array
    states: list[Weights]
    loss: Array
    angles: Array

    @property
    def conserved(self) -> Array:
        """The energy differences of both pathways, and what mixes them, (time, 3, seed, D)."""
        return np.stack([conserved(state)[:, :, 0] for state in self.states])


def course(start: str, n_seeds: int = 5, n_times: int = 401) -> Course:
    """Flow of 30 inputs and 10 examples from random weights, by a Runge–Kutta method that knows the gradient alone.

    `start` is "equal", both pathways alike, or "unequal", four independent layers. Angles are the time integral of the
    pulls, by Simpson's rule.
    """
    n, dim = 10, 30
    x, y = sphere_inputs(dim, n, range(n_seeds)), normal((n,), range(n_seeds), "course: labels")
    weights, times = random_start(start, dim, n_seeds), np.linspace(0.0, 20.0, n_times)
    states, loss = sampled_flow(weights, x, y, times, rtol=1e-10)
    residuals = y - np.stack([labels(x, state.coefficients()) for state in states])
    pulls = 2 / n * (residuals[..., None, :] @ x)[..., 0, :]
    angles = cumulative_simpson(pulls, x=times, axis=0, initial=0)
    return Course(times, states, loss, np.asarray(angles))


def random_start(start: str, dim: int, n_seeds: int) -> Weights:
    """Weights of standard deviation 0.3, in both pathways the same or not; one setting and one task."""
    layers = 0.3 * normal((4, dim), range(n_seeds), "diagonal start")[:, None]
    plus, minus = (0, 1), (0, 1) if start == "equal" else (2, 3)
    u, v = ([layers[:, :, pathway[part]] for pathway in (plus, minus)] for part in (0, 1))
    return start_from(*u, *(readout[:, :, None] for readout in v))


def slopes() -> tuple[Array, Array]:
    """Right-hand side of eqs. 5 and 6 and the gradient of the loss by central differences, each (layer, weight).

    At random weights: both pathways in one vector, the loss a sum.
    """
    n, dim, step = 4, 6, 1e-5
    x, y, weights = (
        normal(shape, [0], f"slopes: {part}")[0] for part, shape in enumerate(((n, dim), (n,), (2, 2 * dim)))
    )
    both = np.hstack([x, -x])

    def loss(change: Array) -> float:
        first, second = weights + change
        return float(((both @ (first * second) - y) ** 2).sum())

    moves = step * np.eye(weights.size).reshape(-1, *weights.shape)
    gradient = np.array([(loss(move) - loss(-move)) / (2 * step) for move in moves]).reshape(weights.shape)
    pull = -2 * both.T @ (both @ weights.prod(axis=0) - y)
    return pull * weights[::-1], gradient


@sized(n_seeds=SETTINGS.n_descents, cost="1 GB, 10 min on one core")
def descent_ends(start: str, width: str = "exact", *, n_seeds: int) -> tuple[Array, Array]:
    """Gradient descent of 60 inputs and 20 examples from random weights, against the minimiser for a width.

    Width "exact" is that of the conserved quantities, "layers" the mean over pathways of u² + v² with start 0. Relative
    distance, and stationarity residual, each (seed,).
    """
    x, y, weights, beta = _descended(start, n_seeds)
    kappa, beta0 = invariants(weights) if width == "exact" else (_mean_energy(weights), np.zeros_like(beta))
    residuals = [stationarity_residual(*one) for one in zip(x, beta, kappa, beta0, strict=True)]
    return relative_distance(beta, min_penalty(x, y, kappa, beta0)), np.array(residuals)


@remembered(2)
def _descended(start: str, n_seeds: int) -> tuple[Array, Array, Weights, Array]:
    """Inputs, labels, weights at the start, and coefficients at the end, which are compared with several widths."""
    n, dim = 20, 60
    x, y = sphere_inputs(dim, n, range(n_seeds)), normal((n,), range(n_seeds), "ends: labels")
    weights = random_start(start, dim, n_seeds)
    return x, y, weights, descend(weights, x, y, tolerance=1e-12, reach=0.01).finished().coefficients()


def _mean_energy(weights: Weights) -> Array:
    first = weights.u_plus**2 + weights.u_minus**2
    return np.asarray((first + (weights.v_plus**2 + weights.v_minus**2)[:, :, 0])[:, 0] / 2)


FEATURES = {"sparse": 40, "dense": SETTINGS.dim}  # non-zero coefficients of the teachers
SCALES = {"rich": 1e-3, "lazy": 1.0}  # initial value of every weight


@dataclass(frozen=True)
class SingleTask:
    """Networks of one teacher and start at the numbers of examples `sizes`; arrays (seed, size).

    `error` is the squared one over that of predicting zero; `l1` and `l2` are norms over those of the teacher, and
    `predicted` has those of the minimiser of the penalty. `to_penalty` is the relative distance to that minimiser. For
    the first seeds, `to_limit` is that to the interpolator of least l1 ("rich") or l2 norm ("lazy"), and `excess` how
    much the network's norm exceeds the least. `weight_norm`: squares of all weights over twice the l1 norm.
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


@sized(n_seeds=SETTINGS.n_seeds, n_limits=SETTINGS.n_limits, sizes=SETTINGS.sizes, cost="4 GB, 30 min on one GPU")
def single_task(teacher: str, regime: str, *, n_seeds: int, n_limits: int, sizes: Sequence[int]) -> SingleTask:
    """Networks of 1000 inputs trained to a mean squared error of 1e-10, and what is to be compared with them."""
    alpha, seeds = SCALES[regime], range(n_seeds)
    truth = sparse_teachers(SETTINGS.dim, FEATURES[teacher], 1, 1, seeds).aux
    rows, limits, largest = [], [], 0.0
    for n in sizes:
        x, y = sphere_examples(truth, n, seeds)
        fits = train(alpha, x, y).finished()
        largest = max(largest, float(fits.loss.max()))
        norms = fits.weights.squared_norm[:, 0]
        rows.append([_judged(*one, alpha) for one in zip(x, y, truth, fits.coefficients(), norms, strict=True)])
        few = zip(x[:n_limits], y[:n_limits], fits.beta[:n_limits, 0, 0], strict=True)
        limits.append([_against_limit(*one, regime) for one in few])
    error, l1, l2, least_1, least_2, to_penalty, weight_norm = np.array(rows).transpose(2, 1, 0)
    to_limit, excess = np.array(limits).transpose(2, 1, 0)
    predicted = {"l1": least_1, "l2": least_2}
    return SingleTask(np.array(sizes), error, l1, l2, predicted, to_penalty, to_limit, excess, weight_norm, largest)


@sized(n_seeds=SETTINGS.n_errors, cost="1 GB, 5 min on one GPU")
def errors(teacher: str, n: int, *, n_seeds: int) -> dict[str, Array]:
    """Errors of ``single_task`` with n examples by start, (seed,), over more seeds: few examples cost little."""
    truth = sparse_teachers(SETTINGS.dim, FEATURES[teacher], 1, 1, range(n_seeds)).aux
    x, y = sphere_examples(truth, n, range(n_seeds))
    return {
        kind: relative_errors(train(alpha, x, y).finished().coefficients(), truth) for kind, alpha in SCALES.items()
    }


def _judged(x: Array, y: Array, truth: Array, beta: Array, norm: float, alpha: float) -> list[float]:
    best = min_penalty(x, y, 2 * alpha**2)
    sizes = [np.linalg.norm(b, p) / np.linalg.norm(truth, p) for b in (beta, best) for p in (1, 2)]
    return [
        float(v)
        for v in (relative_errors(beta, truth), *sizes, relative_distance(beta, best), norm / (2 * np.abs(beta).sum()))
    ]


def _against_limit(x: Array, y: Array, beta: Array, regime: str) -> list[float]:
    limit, order = (min_l1(x, y), 1) if regime == "rich" else (min_l2(x, y), 2)
    return [
        float(relative_distance(beta, limit)),
        float(np.linalg.norm(beta, order) / np.linalg.norm(limit, order) - 1),
    ]


def train(alpha: float, x: Array, y: Array) -> Fits:
    """Networks whose weights all start at alpha, one for each seed, by gradient flow to a loss of 1e-10."""
    return gradient_flow(equal_pathways(alpha, alpha, (len(x), 1, x.shape[-1])), x, y, tolerance=1e-10, accuracy=0.3)


@sized(n_sizes=SETTINGS.n_sizes, cost="1 GB, 1 min on one core")
def limit_sizes(*, n_sizes: int) -> dict[str, Array]:
    """Numbers of examples at which the limit is computed, by teacher; the dense one's line bends less."""
    counts = {"sparse": n_sizes, "dense": max(2, 4 * n_sizes // 7)}
    return {name: np.geomspace(16, 400, count) for name, count in counts.items()}


def limit_curve(teacher: str, regime: str, sizes: Array) -> Array:
    """Error relative to predicting zero in the limit of many inputs, (size,)."""
    rho = FEATURES[teacher] / SETTINGS.dim
    weights, truth = ([rho, 1 - rho], [1.0, 0.0]) if rho < 1 else ([1.0], [1.0])
    errors = [penalty_error(n / SETTINGS.dim, weights, truth, 2 * SCALES[regime] ** 2)[0] for n in sizes]
    return np.array(errors) / rho


def plane(alphas: Array) -> Plane:
    """Networks with two inputs and one example, for each initial value of all weights."""
    start = equal_pathways(alphas[None, :, None], alphas[None, :, None, None], (1, len(alphas), 2))
    x, y = PLANE
    fits = gradient_flow(start, x, y, tolerance=1e-14)
    widths = np.repeat(2 * alphas[:, None] ** 2, 2, axis=1)
    axes = np.linspace(-0.3, 1.4, 120), np.linspace(-0.9, 1.4, 160)
    return _diagonal.plane(fits.beta[0, :, 0], widths, np.zeros_like(widths), axes)
