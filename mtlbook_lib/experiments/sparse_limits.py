"""Errors of interpolators of two sparse tasks in the limit of many inputs, at the proportions of ``sparse_pairs``."""

from __future__ import annotations

import numpy as np

from mtlbook_lib.experiments.sparse_pairs import ALPHA, DIM, GAMMA, K_AUX, Task
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width
from mtlbook_lib.theory.learning_curves import group_error, overlap_classes, penalty_error, weighted_l2_error


def limit(task: Task, factor: float, n_examples: int) -> float:
    """Relative error of the least exact penalty after ideal pretraining, in the limit of many inputs.

    The proportions are those of 1,000 inputs and 40 auxiliary features.
    """
    weights, truth, aux = overlap_classes(DIM, K_AUX, *task)
    width = finetuning_width(aux, ALPHA, GAMMA, rescale=factor)
    start = finetuning_start(aux, ALPHA, GAMMA, rescale=factor)
    return penalty_error(n_examples / DIM, weights, truth, width, start)[0] * DIM / task[0]


def group_limit(task: Task, n_examples: int) -> float:
    """The same for the least group norm with the auxiliary task known."""
    return group_error(n_examples / DIM, *overlap_classes(DIM, K_AUX, *task)) * DIM / task[0]


def probing_limit(task: Task, n_examples: int) -> float:
    """The same for the readout alone, trained after ideal pretraining."""
    weights, truth, aux = overlap_classes(DIM, K_AUX, *task)
    energy, start = np.sqrt(aux**2 + 4 * ALPHA**4), finetuning_start(aux, ALPHA, GAMMA)
    return weighted_l2_error(n_examples / DIM, weights, truth, energy, start) * DIM / task[0]


def single_limit(task: Task, n_examples: int) -> float:
    """The same for the main task alone, all weights from 0.001."""
    weights, truth, _ = overlap_classes(DIM, K_AUX, *task)
    return penalty_error(n_examples / DIM, weights, truth, 2 * ALPHA**2)[0] * DIM / task[0]
