"""Networks that are pretrained, rescaled and finetuned, and how far they are from the exact penalty's minimisers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.experiments.part6._distance import relative
from mtlbook_lib.experiments.sparse_pairs import (
    GAMMA,
    Task,
    copies,
    pretrained,
    relative_errors,
    teachers,
    trained_on,
)
from mtlbook_lib.simulation.diagonal import Weights
from mtlbook_lib.theory.implicit_bias import pathway_invariants
from mtlbook_lib.theory.interpolation import min_penalty


@dataclass(frozen=True)
class Networks:
    """Finetuned networks of one seed, each (task, factor, size).

    `error` is relative to predicting zero, `distance` the relative distance to the minimiser of the exact penalty,
    whose width and start come from the weights after pretraining and rescaling; `loss` is that of pretraining.
    """

    error: Array
    distance: Array
    loss: float


def trained(
    seed: int, tasks: Sequence[Task], factors: Sequence[float], sizes: Sequence[int], dim: int, n_aux: int
) -> Networks:
    """Pretrain once, then rescale the first layer, reset the readout, and finetune on every task."""
    aux, main = teachers(seed, tasks, dim)
    first = pretrained(seed, aux, n_aux)
    scale = np.tile(factors, len(tasks))[None, :, None]
    weights = copies(first.weights, len(tasks) * len(factors)).rescaled(scale).with_readout(GAMMA)
    inputs, truth = sphere_inputs(dim, max(sizes), [seed])[0], np.repeat(main, len(factors), axis=0)
    found = [_finetuned(weights, inputs[:n], truth) for n in sizes]
    error, distance = (
        np.transpose(part).reshape(len(tasks), len(factors), len(sizes)) for part in zip(*found, strict=True)
    )
    return Networks(error, distance, float(first.loss[0, 0]))


def _finetuned(weights: Weights, x: Array, truth: Array) -> tuple[Array, Array]:
    """Relative errors of networks of all settings, and distances to the minimisers."""
    beta = trained_on(weights, x, truth).beta[0, :, 0]
    parts = (weights.u_plus[0], weights.v_plus[0, :, 0], weights.u_minus[0], weights.v_minus[0, :, 0])
    kappa, _, begin = pathway_invariants(*parts)
    best = np.array([min_penalty(x, *case) for case in zip(truth @ x.T, kappa, begin, strict=True)])
    return relative_errors(beta, truth), relative(beta, best)
