"""How many examples a task needs when another one shares its features: every way of training, trained and predicted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part6.sample_efficiency import settings as SETTINGS
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
    probing_limit,
    relative_errors,
    single_limit,
    teachers,
    trained_on,
)
from mtlbook_lib.chapters.stored_results import read, spot_check, sweep_to_lists
from mtlbook_lib.chapters.sweep import combinations
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.simulation.diagonal import equal_pathways
from mtlbook_lib.theory.interpolation import min_group_norm_given
from mtlbook_lib.theory.learning_curves import finetuning_threshold, group_threshold, l1_threshold

FILE = "part6/sample_efficiency/sample-efficiency.json"
OVERLAPS, SIZES, JOINT_SIZES = SETTINGS.overlaps, SETTINGS.sizes, SETTINGS.joint_sizes
_PAIRED: tuple[Task, ...] = tuple((SETTINGS.k_aux, shared) for shared in OVERLAPS)
TASKS: tuple[Task, ...] = (*_PAIRED, *((k, 0) for k in SETTINGS.others))
JOINT_TASKS: tuple[Task, ...] = (*_PAIRED, (SETTINGS.joint_other, 0))
LIMIT_OVERLAPS = tuple(range(0, SETTINGS.k_aux + 1, 5))
SPARSITIES, LIMIT_SIZES = SETTINGS.sparsities, SETTINGS.limit_sizes
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


def limits(task: Task, n_examples: int) -> dict[str, float]:
    """Relative error in the limit of many inputs for each way of training, at the proportions of 1,000 inputs.

    "multi" is the least group norm with the auxiliary task known, not multi-task networks.
    """
    return {
        "finetune": limit(task, 1.0, n_examples),
        "multi": group_limit(task, n_examples),
        "probing": probing_limit(task, n_examples),
        "single": single_limit(task, n_examples),
        "lazy": 1 - n_examples / DIM,
    }


def needed(overlap: int, features: int = 40) -> dict[str, float]:
    """Examples needed in the limit of small starts and many inputs, where both tasks have as many of 1,000 features."""
    same, rest = overlap / DIM, (features - overlap) / DIM
    return {
        "finetune": DIM * finetuning_threshold(features / DIM, rest),
        "multi": DIM * group_threshold(same, rest, rest),
        "single": DIM * l1_threshold(features / DIM),
    }


def trained_cells(seed: int) -> dict[str, Array]:
    """Networks of one seed in all arms but one."""
    return trained(seed, TASKS, SIZES, DIM, N_AUX)


def joint_cells(seed: int) -> dict[str, Array]:
    """Networks of one seed that learn both tasks together."""
    return trained_together(seed, JOINT_TASKS, JOINT_SIZES, DIM, N_AUX)


def limit_cells(features: int, shared: int, sizes: list[int]) -> dict[str, Array]:
    """Limits of one task, (size,)."""
    by_size = [limits((features, shared), n) for n in sizes]
    return {arm: np.array([one[arm] for one in by_size]) for arm in by_size[0]}


@sized(file=FILE, minutes=5)
def compute_stored(folder: Path) -> dict[str, Any]:
    """Compute everything that is kept, or what a former call left undone; five minutes on one core."""
    return {
        "networks": sweep_to_lists(trained_cells, combinations(seed=range(SETTINGS.n_trained)), folder),
        "joint": sweep_to_lists(joint_cells, combinations(seed=range(SETTINGS.n_joint)), folder),
        "limits": sweep_to_lists(limit_cells, _settings(), folder),
    }


def _settings() -> list[dict[str, Any]]:
    tasks = [*((40, shared) for shared in LIMIT_OVERLAPS), *((k, 0) for k in SPARSITIES if k != 40)]
    return [{"features": k, "shared": shared, "sizes": list(LIMIT_SIZES)} for k, shared in tasks]


def stored_networks() -> dict[str, Array]:
    """Stored errors of the networks of each arm, (seed, task, size)."""
    networks: dict[str, Array] = read(FILE, "networks")
    return networks


def stored_joint() -> dict[str, Array]:
    """Stored networks that learned both tasks: as ``trained_together`` has them, (seed, task, size)."""
    joint: dict[str, Array] = read(FILE, "joint")
    return joint


def stored_limits() -> dict[Task, dict[str, Array]]:
    """Stored limits by task and way of training, (size,)."""
    limits = read(FILE, "limits")
    tasks = [(one["features"], one["shared"]) for one in _settings()]
    return {task: {arm: values[i] for arm, values in limits.items()} for i, task in enumerate(tasks)}


@spot_check(FILE, 1e-3, relative=True, seed=range(SETTINGS.n_trained), task=range(len(TASKS)))
def recomputed(seed: int, task: int) -> tuple[Array, Array]:
    """Errors of the networks of one seed on one task with few examples, (arm, size)."""
    now, kept = trained(seed, TASKS[task : task + 1], SIZES[:2], DIM, N_AUX), stored_networks()
    return np.array([now[arm][0] for arm in ARMS]), np.array([kept[arm][seed, task, :2] for arm in ARMS])
