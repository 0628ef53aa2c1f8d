"""Diagonal networks on an auxiliary task and on main tasks that share some of its features, one seed at a time.

What three chapters train in common, and errors of interpolators in the limit of many inputs. Inputs are uniform on the
unit sphere; training stops at a mean squared error that is for both tasks together that of their sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import sparse_settings as SETTINGS
from mtlbook_lib.data.sparse_tasks import sparse_teachers, sphere_inputs
from mtlbook_lib.simulation.diagonal import Fits, Weights, equal_pathways, gradient_flow
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width
from mtlbook_lib.theory.learning_curves import group_error, overlap_classes, penalty_error, weighted_l2_error

DIM, N_AUX, K_AUX = SETTINGS.dim, SETTINGS.n_aux, SETTINGS.k_aux
ALPHA, GAMMA, LOSS = SETTINGS.alpha, SETTINGS.gamma, SETTINGS.loss
Task = tuple[int, int]  # features of the main task, and how many of them the auxiliary task has
_ACCURACY = 0.1  # of the angles in a step of both tasks together: test errors are right to half a percent


def relative_errors(beta: Array, truth: Array) -> Array:
    """Squared error over that of predicting zero, along the last axis."""
    return np.asarray(((beta - truth) ** 2).sum(axis=-1) / (truth**2).sum(axis=-1))


def teachers(seed: int, tasks: Sequence[Task], dim: int) -> tuple[Array, Array]:
    """Coefficients of the auxiliary task, (D,), which is the same beside all main tasks, and of these, (task, D)."""
    pairs = [sparse_teachers(dim, K_AUX, k, shared, [seed]) for k, shared in tasks]
    return pairs[0].aux[0], np.array([pair.main[0] for pair in pairs])


def pretrained(seed: int, aux: Array, n_aux: int) -> Fits:
    """One network, trained on the auxiliary task."""
    x = sphere_inputs(len(aux), n_aux, [seed], "aux")[0]
    start = equal_pathways(ALPHA, ALPHA, (1, 1, len(aux)))
    return gradient_flow(start, x, x @ aux, tolerance=LOSS).finished()


def copies(weights: Weights, number: int) -> Weights:
    """The weights of one network, as settings of a batch."""
    parts = (weights.u_plus, weights.u_minus, weights.v_plus, weights.v_minus)
    return Weights(*(np.repeat(part, number, axis=1) for part in parts))


def trained_on(weights: Weights, x: Array, truth: Array, layers: str = "both") -> Fits:
    """Networks (1, setting, D) after training on the same examples (n, D) of their own tasks (setting, D)."""
    return gradient_flow(weights, x, (truth @ x.T)[None], tolerance=LOSS, layers=layers).finished()


def trained_on_both(first: Array, aux: Array, x: Array, main: Array, accuracy: float = _ACCURACY) -> Fits:
    """Networks (1, setting, D) after training on examples (N, D) of the auxiliary task (D,), and at once on examples
    (n, D) of their main tasks (setting, D), from small weights."""
    start = equal_pathways(ALPHA, ALPHA, (1, *main.shape), n_tasks=2)
    labels = [first @ aux, (main @ x.T)[None]]
    return gradient_flow(start, [first, x], labels, LOSS, accuracy=accuracy).finished()


def joint(seed: int, tasks: Sequence[Task], sizes: Sequence[int], dim: int, n_aux: int) -> Array:
    """Coefficients of the main task, (task, size, D), of networks that learned it together with the auxiliary task."""
    aux, main = teachers(seed, tasks, dim)
    first, inputs = sphere_inputs(dim, n_aux, [seed], "aux")[0], sphere_inputs(dim, max(sizes), [seed])[0]
    solutions = [trained_on_both(first, aux, inputs[:n], main).beta[0, :, 1] for n in sizes]
    return np.stack(solutions, axis=1)


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
