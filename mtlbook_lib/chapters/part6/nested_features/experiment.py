"""Finetuning after the pretrained weights were rescaled: sparse tasks on pretrained features and on new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part6._diagonal import growth, widths_and_starts
from mtlbook_lib.chapters.part6.nested_features import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.sparse_pairs import (
    ALPHA,
    DIM,
    GAMMA,
    N_AUX,
    Task,
    copies,
    group_limit,
    joint,
    limit,
    pretrained,
    relative_errors,
    teachers,
    trained_on,
)
from mtlbook_lib.chapters.stored_results import read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.simulation.diagonal import equal_pathways, gradient_flow
from mtlbook_lib.statistics import relative_distance
from mtlbook_lib.theory.interpolation import min_penalty

FILE = "part6/nested_features/nested-features.json"
K_AUX, TASKS, JOINT_TASKS = SETTINGS.k_aux, SETTINGS.tasks, SETTINGS.joint_tasks
FACTORS, SIZES = SETTINGS.factors, SETTINGS.sizes
LIMIT_TASKS: tuple[Task, ...] = tuple((k, k) for k in SETTINGS.limit_subsets)
LIMIT_FACTORS = tuple(float(s) for s in np.geomspace(0.01, 10.0, 19))


def trained(
    seed: int, tasks: Sequence[Task], factors: Sequence[float], sizes: Sequence[int], dim: int, n_aux: int
) -> dict[str, Array]:
    """Pretrain once, then rescale the first layer, reset the readout, and finetune on every task.

    Each (task, factor, size): "error" is relative to predicting zero, "distance" the relative one to the minimiser of
    the exact penalty, whose width and start come from the rescaled weights. "loss" is that of pretraining.
    """
    aux, main = teachers(seed, tasks, dim)
    first = pretrained(seed, aux, n_aux)
    scale = np.tile(factors, len(tasks))[None, :, None]
    weights = copies(first.weights, len(tasks) * len(factors)).rescaled(scale).with_readout(GAMMA)
    inputs, truth = sphere_inputs(dim, max(sizes), [seed])[0], np.repeat(main, len(factors), axis=0)
    kappa, start = (part[0] for part in widths_and_starts(weights))
    error, distance = np.empty((2, len(truth), len(sizes)))
    for place, n in enumerate(sizes):
        beta = trained_on(weights, inputs[:n], truth).beta[0, :, 0]
        error[:, place] = relative_errors(beta, truth)
        some = np.broadcast_to(inputs[:n], (len(truth), n, dim))
        best = min_penalty(some, truth @ inputs[:n].T, kappa, start)
        distance[:, place] = relative_distance(beta, best)
    shape = len(tasks), len(factors), len(sizes)
    return {"error": error.reshape(shape), "distance": distance.reshape(shape), "loss": first.loss[0, 0]}


def measured_orders(ratios: Array) -> tuple[Array, Array]:
    r"""Order :math:`d\log Q/d\log\beta` of the finetuning penalty, and Q, at ratios to the pretrained coefficient.

    Networks of one input are pretrained, and finetuned to 60 coefficients from zero to 1. Their weights tell the slope
    of the penalty; Q is the integral of the slopes. For l1 the order is 1, for l2 it is 2.
    """
    grid = np.geomspace(1e-3, 1.0, 60)
    slopes = np.array([_slopes(1 / ratio, grid) for ratio in ratios])
    # Up to the first coefficient the slope is a line; further on it is smooth in the logarithm.
    penalty = slopes[:, 0] * grid[0] / 2 + np.trapezoid(slopes * grid, np.log(grid), axis=1)
    return slopes[:, -1] / penalty, penalty


def _slopes(aux: float, grid: Array) -> Array:
    """Slopes of the penalty at the coefficients of the grid, after pretraining to `aux`."""
    one = np.ones((1, 1))
    start = equal_pathways(ALPHA, ALPHA, (1, len(grid), 1))
    weights = gradient_flow(start, one, np.array([aux]), aux**2 * 1e-20).weights.with_readout(SETTINGS.order_gamma)
    return 4 * growth(weights, gradient_flow(weights, one, grid[None, :, None], 1e-20).weights)


def trained_cells(seed: int) -> dict[str, Array]:
    """Networks of one seed at the sizes of the book."""
    return trained(seed, TASKS, SETTINGS.trained_factors, SETTINGS.trained_sizes, DIM, N_AUX)


def joint_cells(seed: int) -> dict[str, Array]:
    """Errors of networks of one seed that learn both tasks together, (task, size)."""
    main = teachers(seed, JOINT_TASKS, DIM)[1]
    return {"error": relative_errors(joint(seed, JOINT_TASKS, SETTINGS.joint_sizes, DIM, N_AUX), main[:, None])}


def limit_cells(features: int, shared: int, factors: list[float], sizes: list[int]) -> dict[str, Array]:
    """Limits for one task: finetuning (factor, size), and the group norm (size,)."""
    task = (features, shared)
    return {
        "finetune": np.array([[limit(task, factor, n) for n in sizes] for factor in factors]),
        "multi": np.array([group_limit(task, n) for n in sizes]),
    }


@sized(file=FILE, minutes=5)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Compute everything that is kept, or what a former call left undone; five minutes on one core."""
    scans = sweep_to_lists(limit_cells, _settings(LIMIT_TASKS, LIMIT_FACTORS, SETTINGS.limit_sizes), folder)
    return {
        "networks": sweep_to_lists(trained_cells, combinations(seed=range(SETTINGS.n_trained)), folder),
        "joint": sweep_to_lists(joint_cells, combinations(seed=range(SETTINGS.n_joint)), folder)["error"],
        "curves": sweep_to_lists(limit_cells, _settings(TASKS, FACTORS, SIZES), folder),
        "scans": scans["finetune"],
    }


def _settings(tasks: Sequence[Task], factors: Sequence[float], sizes: Sequence[int]) -> list[dict[str, Any]]:
    return [{"features": k, "shared": old, "factors": list(factors), "sizes": list(sizes)} for k, old in tasks]


@dataclass(frozen=True)
class Errors:
    """Errors relative to predicting zero, (..., task, factor, size): of networks by seed, or of many inputs."""

    tasks: tuple[Task, ...]
    factors: tuple[float, ...]
    sizes: tuple[int, ...]
    values: Array

    def at(self, task: Task, factor: float = 1.0) -> Array:
        """Against the number of examples, (..., size)."""
        return np.asarray(self.values[..., self.tasks.index(task), self.factors.index(factor), :])

    def along(self, task: Task, size: int) -> Array:
        """Against the factor, (..., factor)."""
        return np.asarray(self.values[..., self.tasks.index(task), :, self.sizes.index(size)])


def stored_networks() -> Errors:
    """Stored errors of finetuned networks."""
    return Errors(TASKS, SETTINGS.trained_factors, SETTINGS.trained_sizes, read(FILE, "networks", "error"))


def stored_distances() -> Array:
    """Stored distances of the same networks, as ``trained`` has them, first axis seed."""
    return np.asarray(read(FILE, "networks", "distance"))


def stored_joint() -> Errors:
    """Stored errors of networks that learned both tasks together."""
    return Errors(JOINT_TASKS, (1.0,), SETTINGS.joint_sizes, read(FILE, "joint")[:, :, None])


def stored_curves() -> tuple[Errors, Errors]:
    """Stored limits of finetuning, and those of the group norm."""
    limits = read(FILE, "curves")
    return Errors(TASKS, FACTORS, SIZES, limits["finetune"]), Errors(TASKS, (1.0,), SIZES, limits["multi"][:, None])


def stored_scans() -> Errors:
    """Stored limits of finetuning for more tasks, on a finer grid of factors."""
    return Errors(LIMIT_TASKS, LIMIT_FACTORS, SETTINGS.limit_sizes, read(FILE, "scans"))


@spot_check(FILE, 1e-3, relative=True, seed=range(SETTINGS.n_trained), task=range(len(TASKS)))
def recomputed(seed: int, task: int) -> tuple[Array, Array]:
    """Errors of the networks of one seed on one task with few examples, (factor, size)."""
    now = trained(seed, TASKS[task : task + 1], SETTINGS.trained_factors, SETTINGS.trained_sizes[:2], DIM, N_AUX)
    return now["error"][0], stored_networks().values[seed, task, :, :2]
