"""Early stopping, deeper chains and noisy steps: the path of the flow, and which interpolator each ends at."""

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.chapters.part6._diagonal import fresh, invariants
from mtlbook_lib.chapters.part6.how_training_ends import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import relative_errors
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_examples
from mtlbook_lib.simulation.diagonal import equal_pathways
from mtlbook_lib.simulation.diagonal_variants import descend_chains, fixed_steps
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.interpolation import min_l1, min_penalty
from mtlbook_lib.theory.training_paths import flow_path, min_chain_penalty, penalised, width_loss

TIMES = np.geomspace(10, 1e5, 25)
STRENGTHS = np.geomspace(1e-7, 0.1, 19)


def task(noise: float, n_seeds: int, sizes: tuple[int, int, int] = SETTINGS.stopping) -> tuple[Array, Array, Array]:
    """Inputs, labels and teachers; the noise is in units of the standard deviation of a clean label."""
    (dim, n, features), seeds = sizes, fresh(n_seeds)
    teacher = sparse_teachers(dim, features, features, 0, seeds).main
    x, y = sphere_examples(teacher, n, seeds)
    added = noise * np.sqrt(features / dim) * normal((n,), seeds, "stopping: noise")
    return x, y + added, teacher


@dataclass(frozen=True)
class Stopped:
    """Errors relative to predicting zero: on the path (time, seed), penalised (strength, seed), at the end (seed,)."""

    times: Array
    path: Array
    penalised: Array
    end: Array

    def best(self, kind: str) -> Array:
        """Error at the place of "path" or "penalised" where the mean over the other seeds is least, (seed,)."""
        errors: Array = getattr(self, kind)
        others = errors.sum(axis=1, keepdims=True) - errors
        return np.asarray(errors[others.argmin(axis=0), np.arange(errors.shape[1])])


@sized(n_seeds=SETTINGS.n_stopped, cost="1 GB, 5 min on one core")
def stopped(alpha: float, noise: float, *, n_seeds: int) -> Stopped:
    """Errors of flow from weights of `alpha` along time, of penalised solutions, and of the interpolator at the end."""
    x, y, teacher = task(noise, n_seeds)
    kappa, rows = 2 * alpha**2, list(zip(x, y, teacher, strict=True))
    path = [relative_errors(flow_path(a, b, kappa, 0.0, TIMES, rtol=1e-6), t) for a, b, t in rows]
    weighted = [[relative_errors(penalised(a, b, kappa, 0.0, s), t) for s in STRENGTHS] for a, b, t in rows]
    end = [relative_errors(min_penalty(a, b, kappa), t) for a, b, t in rows]
    return Stopped(TIMES, np.array(path).T, np.array(weighted).T, np.array(end))


@sized(n_seeds=SETTINGS.n_doubtful, cost="1 GB, 5 min on one core")
def stopping_loss(alpha: float, noise: float, *, n_seeds: int) -> Array:
    """Error of stopping less that of the penalty, each at its best, over as many data sets as noise needs, (seed,)."""
    run = stopped(alpha, noise, n_seeds=n_seeds)
    return run.best("path") - run.best("penalised")


@dataclass(frozen=True)
class Followed:
    """Networks trained by descent and the path of the flow: errors (time, seed), largest distance of each seed."""

    times: Array
    error: Array
    distance: Array
    own: Array


@sized(n_seeds=SETTINGS.n_followed, cost="1 GB, 2 min on one core")
def followed(alpha: float, noise: float, rate: float, *, n_seeds: int) -> Followed:
    """Descent of all layers at one rate, stopped at times from 10 to 3000.

    `distance` is to the path at the same time, the largest over times relative to the norm on the path; `own` that to
    the least-penalty interpolator of the network's own outputs.
    """
    x, y, teacher = task(noise, n_seeds)
    steps = np.unique(np.rint(np.geomspace(10, 3000, 12) / rate).astype(int))
    states = fixed_steps(equal_pathways(alpha, alpha, (n_seeds, 1, x.shape[2])), x, y, rate, [int(s) for s in steps])
    beta = np.stack([w.coefficients() for w in states])
    kappa, rows = 2 * alpha**2, list(zip(x, y, strict=True))
    path = np.stack([flow_path(a, b, kappa, 0.0, steps * rate) for a, b in rows], axis=1)
    least = np.stack([min_penalty(x, state.predictions(x), kappa) for state in states])
    error = relative_errors(beta, teacher)
    return Followed(
        steps * rate, error, relative_distance(beta, path).max(axis=0), relative_distance(beta, least).max(axis=0)
    )


@sized(n_seeds=SETTINGS.n_excess, cost="1 GB, 2 min on one core")
def excess(depth: int, alphas: Array, *, n_seeds: int) -> Array:
    """Norm of the interpolator that a depth ends at over the least l1 norm, less 1, (alpha, seed)."""
    x, y, _ = task(0.0, n_seeds, SETTINGS.chain)
    rows = []
    for a, b in zip(x, y, strict=True):
        least = np.abs(min_l1(a, b)).sum()
        rows.append([np.abs(_interpolator(a, b, alpha, depth)).sum() / least - 1 for alpha in alphas])
    return np.array(rows).T


@sized(n_seeds=SETTINGS.n_powers, cost="1 GB, 1 min on one core")
def powers(depth: int, small: float, large: float, *, n_seeds: int) -> Array:
    """Exponent of each data set's excess in the weights at the start, between two starts, (seed,)."""
    first, last = np.log(excess(depth, np.array([small, large]), n_seeds=n_seeds))
    return np.asarray((last - first) / np.log(large / small))


def _interpolator(x: Array, y: Array, alpha: float, depth: int) -> Array:
    return min_penalty(x, y, 2 * alpha**2) if depth == 2 else min_chain_penalty(x, y, alpha, depth)


@sized(n_seeds=SETTINGS.n_chains, cost="1 GB, 5 min on one core")
def chains(depth: int, alpha: float, reach: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Trained chains: excess of their l1 norm, and relative distance to the interpolator of their depth, (seed,)."""
    x, y, _ = task(0.0, n_seeds, SETTINGS.chain)
    fits = descend_chains(alpha, depth, x, y, 1e-9, reach)
    if not fits.converged.all():
        raise RuntimeError(f"chains of depth {depth} stopped at loss {fits.loss.max():.2g}.")
    best = np.array([_interpolator(a, b, alpha, depth) for a, b in zip(x, y, strict=True)])
    least = np.abs(min_l1(x, y)).sum(axis=-1)
    return np.abs(fits.beta).sum(axis=-1) / least - 1, relative_distance(fits.beta, best)


@dataclass(frozen=True)
class Noisy:
    """Networks after noisy steps at each rate, all (rate, seed).

    `lost` is what the mean logarithm of the widths fell by, `predicted` what the flow says for small rates (seed,);
    distances are relative, to the interpolator of the weights' own widths at the end ("own") and at the start
    ("first"); errors are relative to predicting zero, `flow` that of gradient flow (seed,).
    """

    rates: Array
    lost: Array
    predicted: Array
    own: Array
    first: Array
    error: Array
    flow: Array


@sized(n_seeds=SETTINGS.n_noisy, cost="1 GB, 10 min on one core")
def noisy(batch: int | None, rates: Array, *, n_seeds: int) -> Noisy:
    """Stochastic descent of 100 inputs on 40 examples from weights of 0.1, the same time at each rate."""
    x, y, teacher = task(0.0, n_seeds, SETTINGS.steps)
    kappa = 2 * SETTINGS.start**2
    start = equal_pathways(SETTINGS.start, SETTINGS.start, (n_seeds, 1, x.shape[2]))
    flow = min_penalty(x, y, kappa)
    times = np.concatenate([[0.0], np.geomspace(0.1, SETTINGS.time, 400)])
    predicted = [width_loss(a, b, kappa, 0.0, times, batch).mean() for a, b in zip(x, y, strict=True)]
    rows = []
    for rate in rates:
        seeds = () if batch is None else fresh(n_seeds)
        end = fixed_steps(start, x, y, float(rate), [round(SETTINGS.time / rate)], batch, seeds)[0]
        beta, widths = end.coefficients(), invariants(end)[0]
        own = min_penalty(x, y, widths)
        fallen, error = -np.log(widths / kappa).mean(axis=-1), relative_errors(beta, teacher)
        rows.append([fallen, relative_distance(beta, own), relative_distance(beta, flow), error])
    lost, to_own, to_first, errors = np.array(rows).swapaxes(0, 1)
    return Noisy(np.asarray(rates), lost, np.array(predicted), to_own, to_first, errors, relative_errors(flow, teacher))
