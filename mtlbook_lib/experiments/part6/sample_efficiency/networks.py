"""Networks of one seed trained in every way that the chapter compares, on tasks that share some features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.experiments.sparse_pairs import (
    ALPHA,
    GAMMA,
    Task,
    copies,
    joint,
    pretrained,
    relative_errors,
    teachers,
    trained_on,
)
from mtlbook_lib.simulation.diagonal import equal_pathways
from mtlbook_lib.theory.interpolation import min_group_norm_given

ARMS = ("finetune", "probing", "single", "lazy")  # in turn: all weights or the readout, after pretraining or without


def trained(seed: int, tasks: Sequence[Task], sizes: Sequence[int], dim: int, n_aux: int) -> dict[str, Array]:
    """Relative errors on the main task of each arm, (task, size).

    "finetune" trains all weights after pretraining, "probing" the readout alone; "single" trains all weights from
    0.001 without pretraining, "lazy" the readout alone, from zero above a first layer of ones.
    """
    aux, main = teachers(seed, tasks, dim)
    after = copies(pretrained(seed, aux, n_aux).weights, len(tasks)).with_readout(GAMMA)
    shape = (1, len(tasks), dim)
    rich, flat = equal_pathways(ALPHA, ALPHA, shape), equal_pathways(1.0, 0.0, shape)
    starts = {"finetune": (after, "both"), "probing": (after, "readout"),
              "single": (rich, "both"), "lazy": (flat, "readout")}  # fmt: skip
    inputs = sphere_inputs(dim, max(sizes), [seed])[0]

    def errors(arm: str, n: int) -> Array:
        weights, layers = starts[arm]
        return relative_errors(trained_on(weights, inputs[:n], main, layers).beta[0, :, 0], main)

    return {arm: np.transpose([errors(arm, n) for n in sizes]) for arm in ARMS}


def trained_together(seed: int, tasks: Sequence[Task], sizes: Sequence[int], dim: int, n_aux: int) -> dict[str, Array]:
    """Networks that learn both tasks at once, and the least group norm on the same examples, each (task, size).

    Relative errors of the "multi" networks and of the "norm" minimisers, and the "excess" of the networks' group norm
    over the least one, relative to it.
    """
    aux, main = teachers(seed, tasks, dim)
    inputs = sphere_inputs(dim, max(sizes), [seed])[0]
    beta = joint(seed, tasks, sizes, dim, n_aux)
    rows = [inputs[:n] for n in sizes]
    least = np.array([[min_group_norm_given(x, x @ truth, aux) for x in rows] for truth in main])
    norm, smallest = (np.hypot(b, aux).sum(axis=-1) for b in (beta, least))
    return {
        "multi": relative_errors(beta, main[:, None]),
        "norm": relative_errors(least, main[:, None]),
        "excess": norm / smallest - 1,
    }
