"""What is kept beside the book: networks for several seeds, and errors in the limit of many inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6.sample_efficiency.networks import ARMS, trained, trained_together
from mtlbook_lib.experiments.sparse_limits import group_limit, limit, probing_limit, single_limit
from mtlbook_lib.experiments.sparse_pairs import DIM, N_AUX, Task
from mtlbook_lib.experiments.stored_results import significant
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.theory.learning_curves import finetuning_threshold, group_threshold, l1_threshold

FILE = "results/part6/sample-efficiency.json"
OVERLAPS = (0, 20, 40)  # of 40 main features, in the paper's Fig. 2b
TASKS: tuple[Task, ...] = (*((40, shared) for shared in OVERLAPS), (5, 0), (10, 0), (80, 0))
SIZES = (16, 32, 64, 128, 256)
JOINT_TASKS: tuple[Task, ...] = (*((40, shared) for shared in OVERLAPS), (5, 0))
JOINT_SIZES = (32, 64, 128)
LIMIT_OVERLAPS = tuple(range(0, 41, 5))
SPARSITIES = (5, 10, 20, 40, 80)  # features of a main task that shares none
LIMIT_SIZES = (16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320)
N_TRAINED, N_JOINT = 6, 4


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
    found = [limits((features, shared), n) for n in sizes]
    return {arm: np.array([one[arm] for one in found]) for arm in found[0]}


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Compute everything that is kept, or what a former call left undone; five minutes on one core."""
    networks = sweep(trained_cells, [{"seed": seed} for seed in range(N_TRAINED)], folder, progress=progress)
    together = sweep(joint_cells, [{"seed": seed} for seed in range(N_JOINT)], folder, progress=progress)
    curves = sweep(limit_cells, _settings(), folder, progress=progress)
    parts = {"networks": networks, "joint": together, "limits": curves}
    return {
        name: {key: significant([cell[key] for cell in cells]) for key in cells[0]} for name, cells in parts.items()
    }


def _settings() -> list[dict[str, Any]]:
    tasks = [*((40, shared) for shared in LIMIT_OVERLAPS), *((k, 0) for k in SPARSITIES if k != 40)]
    return [{"features": k, "shared": shared, "sizes": list(LIMIT_SIZES)} for k, shared in tasks]


def _read(part: str) -> dict[str, Array]:
    with stored_results.reading(FILE) as found:
        return {name: np.array(values) for name, values in found[part].items()}


def stored_networks() -> dict[str, Array]:
    """Stored errors of the networks of each arm, (seed, task, size)."""
    return _read("networks")


def stored_joint() -> dict[str, Array]:
    """Stored networks that learned both tasks: as ``trained_together`` has them, (seed, task, size)."""
    return _read("joint")


def stored_limits() -> dict[Task, dict[str, Array]]:
    """Stored limits by task and way of training, (size,)."""
    found = _read("limits")
    tasks = [(one["features"], one["shared"]) for one in _settings()]
    return {task: {arm: values[i] for arm, values in found.items()} for i, task in enumerate(tasks)}


@own_seeds()
def retrain_sample(draw: int) -> tuple[Array, Array]:
    """Logarithms of errors of networks of one seed, drawn with `draw`, on one task, now and as stored: (arm, size)."""
    rng = np.random.default_rng(draw)
    seed, task = int(rng.integers(N_TRAINED)), int(rng.integers(len(TASKS)))
    now = trained(seed, TASKS[task : task + 1], SIZES[:2], DIM, N_AUX)
    kept = stored_networks()
    pair = ([now[arm][0] for arm in ARMS], [kept[arm][seed, task, :2] for arm in ARMS])
    return np.log(pair[0]), np.log(pair[1])
