"""Early stopping: descent against the path of the flow, and errors along the path with and without noisy labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import normal
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.part6.other_losses._seeds import fresh
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import equal_pathways
from mtlbook_lib.simulation.diagonal_variants import fixed_steps
from mtlbook_lib.theory.interpolation import min_penalty
from mtlbook_lib.theory.training_paths import flow_path, penalised

DIM, N, FEATURES = 200, 80, 10
TIMES = np.geomspace(10, 1e5, 25)
STRENGTHS = np.geomspace(1e-7, 0.1, 19)


def task(noise: float, n_seeds: int) -> tuple[Array, Array, Array]:
    """Inputs, labels and teachers; the noise is in units of the standard deviation of a clean label."""
    seeds = fresh(n_seeds)
    teacher, x = sparse_teachers(DIM, FEATURES, FEATURES, 0, seeds).main, sphere_inputs(DIM, N, seeds)
    added = normal((N,), seeds, "stopping: noise")
    return x, (x @ teacher[..., None])[..., 0] + noise * np.sqrt(FEATURES / DIM) * added, teacher


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


@sized(
    quick={"n_seeds": 4},
    paper={"n_seeds": 24},
    large={"n_seeds": 400},
    large_cost="1 GB, 5 min on one core",
)
def stopped(alpha: float, noise: float, *, n_seeds: int) -> Stopped:
    """Errors of flow from weights of `alpha` along time, of penalised solutions, and of the interpolator at the end."""
    x, y, teacher = task(noise, n_seeds)
    kappa, rows = 2 * alpha**2, list(zip(x, y, teacher, strict=True))
    path = [_error(flow_path(a, b, kappa, 0.0, TIMES, rtol=1e-6), t) for a, b, t in rows]
    weighted = [[_error(penalised(a, b, kappa, 0.0, s), t) for s in STRENGTHS] for a, b, t in rows]
    end = [_error(min_penalty(a, b, kappa), t) for a, b, t in rows]
    return Stopped(TIMES, np.array(path).T, np.array(weighted).T, np.array(end))


def _error(beta: Array, teacher: Array) -> Array:
    return np.asarray(((beta - teacher) ** 2).sum(axis=-1) / (teacher**2).sum())


@dataclass(frozen=True)
class Followed:
    """Networks trained by descent and the path of the flow: errors (time, seed), largest distance of each seed."""

    times: Array
    error: Array
    distance: Array
    own: Array


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 8},
    large={"n_seeds": 100},
    large_cost="1 GB, 2 min on one core",
)
def followed(alpha: float, noise: float, rate: float, *, n_seeds: int) -> Followed:
    """Descent of all layers at one rate, stopped at times from 10 to 3000.

    `distance` is to the path at the same time, the largest over times relative to the norm on the path; `own` that to
    the least-penalty interpolator of the network's own outputs.
    """
    x, y, teacher = task(noise, n_seeds)
    times = np.geomspace(10, 3000, 12)
    steps = np.unique(np.rint(times / rate).astype(int))
    start = equal_pathways(alpha, alpha, (n_seeds, 1, DIM))
    states = fixed_steps(start, x, y, rate, [int(s) for s in steps])
    beta = np.stack([w.beta[:, 0, 0] for w in states])
    kappa, rows = 2 * alpha**2, list(zip(x, y, strict=True))
    path = np.stack([flow_path(a, b, kappa, 0.0, steps * rate) for a, b in rows], axis=1)
    least = np.array([[min_penalty(a, a @ b, kappa) for (a, _), b in zip(rows, some, strict=True)] for some in beta])
    errors = np.stack([_error(b, t) for b, t in zip(beta.swapaxes(0, 1), teacher, strict=True)], axis=1)
    return Followed(steps * rate, errors, relative(beta, path).max(axis=0), relative(beta, least).max(axis=0))
