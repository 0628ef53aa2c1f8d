"""Deeper chains and noisy steps: which interpolator they end at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.part6.other_losses._seeds import fresh
from mtlbook_lib.experiments.part6.other_losses.classifiers import invariants
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.diagonal import equal_pathways
from mtlbook_lib.simulation.diagonal_variants import descend_chains, fixed_steps
from mtlbook_lib.theory.interpolation import min_l1, min_penalty
from mtlbook_lib.theory.training_paths import min_chain_penalty, width_loss

CHAIN = (60, 20, 4)  # inputs, examples, features
STEPS = (100, 40, 5)
START = 0.1  # of all weights, before noisy steps
TIME = 10_000.0  # rate times number of steps


def _task(sizes: tuple[int, int, int], n_seeds: int) -> tuple[Array, Array, Array]:
    dim, n, features = sizes
    teacher = sparse_teachers(dim, features, features, 0, fresh(n_seeds)).main
    x = sphere_inputs(dim, n, fresh(n_seeds))
    return x, (x @ teacher[..., None])[..., 0], teacher


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 24},
    large={"n_seeds": 400},
    large_cost="1 GB, 2 min on one core",
)
def excess(depth: int, alphas: Array, *, n_seeds: int) -> Array:
    """Norm of the interpolator that a depth ends at over the least l1 norm, less 1, (alpha, seed)."""
    x, y, _ = _task(CHAIN, n_seeds)
    rows = []
    for a, b in zip(x, y, strict=True):
        least = np.abs(min_l1(a, b)).sum()
        rows.append([np.abs(_interpolator(a, b, alpha, depth)).sum() / least - 1 for alpha in alphas])
    return np.array(rows).T


def _interpolator(x: Array, y: Array, alpha: float, depth: int) -> Array:
    return min_penalty(x, y, 2 * alpha**2) if depth == 2 else min_chain_penalty(x, y, alpha, depth)


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 6},
    large={"n_seeds": 50},
    large_cost="1 GB, 5 min on one core",
)
def chains(depth: int, alpha: float, reach: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Trained chains: excess of their l1 norm, and relative distance to the interpolator of their depth, (seed,)."""
    x, y, _ = _task(CHAIN, n_seeds)
    fits = descend_chains(alpha, depth, x, y, 1e-9, reach)
    if not fits.converged.all():
        raise RuntimeError(f"chains of depth {depth} stopped at loss {fits.loss.max():.2g}.")
    best = np.array([_interpolator(a, b, alpha, depth) for a, b in zip(x, y, strict=True)])
    least = np.array([np.abs(min_l1(a, b)).sum() for a, b in zip(x, y, strict=True)])
    return np.abs(fits.beta).sum(axis=-1) / least - 1, relative(fits.beta, best)


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


@sized(
    quick={"n_seeds": 2},
    paper={"n_seeds": 12},
    large={"n_seeds": 200},
    large_cost="1 GB, 10 min on one core",
)
def noisy(batch: int | None, rates: Array, *, n_seeds: int) -> Noisy:
    """Stochastic descent of 100 inputs on 40 examples from weights of 0.1, the same time at each rate."""
    x, y, teacher = _task(STEPS, n_seeds)
    kappa = 2 * START**2
    start = equal_pathways(START, START, (n_seeds, 1, x.shape[2]))
    flow = np.array([min_penalty(a, b, kappa) for a, b in zip(x, y, strict=True)])
    times = np.concatenate([[0.0], np.geomspace(0.1, TIME, 400)])
    predicted = [width_loss(a, b, kappa, 0.0, times, batch).mean() for a, b in zip(x, y, strict=True)]
    rows = []
    for rate in rates:
        seeds = () if batch is None else fresh(n_seeds)
        end = fixed_steps(start, x, y, float(rate), [round(TIME / rate)], batch, seeds)[0]
        beta, widths = end.beta[:, 0, 0], invariants(end)[0]
        own = np.array([min_penalty(*case) for case in zip(x, y, widths, strict=True)])
        rows.append(
            [-np.log(widths / kappa).mean(axis=-1), relative(beta, own), relative(beta, flow), _error(beta, teacher)]
        )
    lost, to_own, to_first, error = np.array(rows).swapaxes(0, 1)
    return Noisy(np.asarray(rates), lost, np.array(predicted), to_own, to_first, error, _error(flow, teacher))


def _error(beta: Array, teacher: Array) -> Array:
    return np.asarray(((beta - teacher) ** 2).sum(axis=-1) / (teacher**2).sum(axis=-1))
