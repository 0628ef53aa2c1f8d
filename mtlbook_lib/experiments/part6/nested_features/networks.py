"""Networks pretrained on one task, rescaled, and finetuned on tasks with some or none of its features; and what the
exact penalty says about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.simulation.diagonal import Weights, equal_pathways, gradient_flow
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width, pathway_invariants
from mtlbook_lib.theory.interpolation import min_group_norm_given, min_penalty

K_AUX, ALPHA, GAMMA, LOSS = 40, 1e-3, 1e-3, 1e-10  # features of pretraining; weights; readout; where training stops
Task = tuple[int, int]  # features of the main task, and how many of them are pretrained


@dataclass(frozen=True)
class Networks:
    """Finetuned networks of one seed, each (task, factor, size).

    `error` is relative to predicting zero, `distance` the relative distance to the minimiser of the exact penalty, whose
    width and start come from the weights after pretraining and rescaling; `loss` is that of pretraining.
    """

    error: Array
    distance: Array
    loss: float


def relative_errors(beta: Array, truth: Array) -> Array:
    """Squared error over that of predicting zero, along the last axis."""
    return np.asarray(((beta - truth) ** 2).sum(axis=-1) / (truth**2).sum(axis=-1))


def _teachers(seed: int, tasks: Sequence[Task], dim: int) -> tuple[Array, Array]:
    """Coefficients of pretraining, (D,), which all tasks share, and of the main tasks, (task, D)."""
    pairs = [sparse_teachers(dim, K_AUX, k, shared, [seed]) for k, shared in tasks]
    return pairs[0].aux[0], np.array([pair.main[0] for pair in pairs])


def predicted(
    seed: int, tasks: Sequence[Task], factors: Sequence[float], sizes: Sequence[int], dim: int
) -> tuple[Array, Array]:
    """Relative errors of the least exact penalty, (task, factor, size), and of the least group norm, (task, size).

    Both for ideal pretraining: width and start of a first layer that computes the teacher's coefficients, rescaled.
    """
    aux, main = _teachers(seed, tasks, dim)
    inputs = sphere_inputs(dim, max(sizes), [seed])[0]
    kappas = [np.asarray(finetuning_width(aux, ALPHA, GAMMA, rescale=factor)) for factor in factors]
    starts = [np.asarray(finetuning_start(aux, ALPHA, GAMMA, rescale=factor)) for factor in factors]
    rows = [inputs[:n] for n in sizes]
    penalty = [
        [[min_penalty(x, x @ truth, *case) for x in rows] for case in zip(kappas, starts, strict=True)]
        for truth in main
    ]
    group = [[min_group_norm_given(x, x @ truth, aux) for x in rows] for truth in main]
    return relative_errors(np.array(penalty), main[:, None, None]), relative_errors(np.array(group), main[:, None])


def trained(
    seed: int, tasks: Sequence[Task], factors: Sequence[float], sizes: Sequence[int], dim: int, n_aux: int
) -> Networks:
    """Pretrain once to a mean squared error of 1e-10, then rescale, reset the readout, and finetune on every task."""
    aux, main = _teachers(seed, tasks, dim)
    x = sphere_inputs(dim, n_aux, [seed], "aux")[0]
    start = equal_pathways(ALPHA, ALPHA, (1, 1, dim))
    first = gradient_flow(start, [x[None, None]], [(x @ aux)[None, None]], tolerance=LOSS)
    weights = _settings(first.weights, len(tasks), factors)
    inputs = sphere_inputs(dim, max(sizes), [seed])[0]
    truth = np.repeat(main, len(factors), axis=0)
    found = [_finetuned(weights, inputs[:n], truth) for n in sizes]
    error, distance = (np.array(part).T.reshape(len(tasks), len(factors), len(sizes))
                       for part in zip(*found, strict=True))  # fmt: skip
    return Networks(error, distance, float(first.loss[0, 0]))


def _settings(first: Weights, n_tasks: int, factors: Sequence[float]) -> Weights:
    """Pretrained weights once for every task and factor, (task, factor) unfolded; rescaled, then with a new readout."""
    repeated = n_tasks * len(factors)
    parts = (first.u_plus, first.u_minus, first.v_plus, first.v_minus)
    scale = np.tile(factors, n_tasks)[None, :, None]
    return Weights(*(np.repeat(part, repeated, axis=1) for part in parts)).rescaled(scale).with_readout(GAMMA)


def _finetuned(weights: Weights, x: Array, truth: Array) -> tuple[Array, Array]:
    """Relative errors of networks of all settings, and distances to the minimisers."""
    y = truth @ x.T
    fits = gradient_flow(weights, [x[None, None]], [y[None]], tolerance=LOSS)
    if not fits.converged.all():
        raise RuntimeError(f"finetuning stopped at loss {fits.loss.max():.2g}.")
    beta = fits.beta[0, :, 0]
    parts = (weights.u_plus[0], weights.v_plus[0, :, 0], weights.u_minus[0], weights.v_minus[0, :, 0])
    kappa, _, begin = pathway_invariants(*parts)
    best = np.array([min_penalty(x, *case) for case in zip(y, kappa, begin, strict=True)])
    distance = np.linalg.norm(beta - best, axis=-1) / np.linalg.norm(best, axis=-1)
    return relative_errors(beta, truth), distance
