"""What is kept beside the book: networks for many seeds, and errors in the limit of many inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6.nested_features.networks import Networks, trained
from mtlbook_lib.experiments.sparse_limits import group_limit, limit
from mtlbook_lib.experiments.sparse_pairs import DIM, N_AUX, Task, joint, relative_errors, teachers
from mtlbook_lib.experiments.stored_results import significant
from mtlbook_lib.experiments.sweep import sweep

FILE = "results/part6/nested-features.json"
TASKS: tuple[Task, ...] = ((2, 2), (5, 5), (10, 10), (20, 20), (40, 40), (5, 0))
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SIZES = (16, 20, 24, 28, 32, 40, 48, 64, 96, 128)
TRAINED_FACTORS, TRAINED_SIZES = (0.01, 0.1, 1.0, 10.0), (16, 32, 64, 128)
JOINT_TASKS: tuple[Task, ...] = ((5, 5), (40, 40))
JOINT_SIZES = (16, 32, 64)
LIMIT_TASKS: tuple[Task, ...] = tuple((k, k) for k in (2, 5, 10, 12, 14, 16, 18, 20, 40))
LIMIT_FACTORS = tuple(float(s) for s in np.geomspace(0.01, 10.0, 19))
LIMIT_SIZES = (32, 64)
N_TRAINED, N_JOINT = 12, 6


def trained_cells(seed: int) -> dict[str, Array]:
    """Networks of one seed at the sizes of the book."""
    found = trained(seed, TASKS, TRAINED_FACTORS, TRAINED_SIZES, DIM, N_AUX)
    return {"error": found.error, "distance": found.distance, "loss": np.array(found.loss)}


def joint_cells(seed: int) -> dict[str, Array]:
    """Errors of networks of one seed that learn both tasks together, (task, size)."""
    main = teachers(seed, JOINT_TASKS, DIM)[1]
    return {"error": relative_errors(joint(seed, JOINT_TASKS, JOINT_SIZES, DIM, N_AUX), main[:, None])}


def limit_cells(features: int, shared: int, factors: list[float], sizes: list[int]) -> dict[str, Array]:
    """Limits for one task: finetuning (factor, size), and the group norm (size,)."""
    task = (features, shared)
    return {
        "finetune": np.array([[limit(task, factor, n) for n in sizes] for factor in factors]),
        "multi": np.array([group_limit(task, n) for n in sizes]),
    }


def compute_stored(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Compute everything that is kept, or what a former call left undone; five minutes on one core."""
    networks = sweep(trained_cells, [{"seed": seed} for seed in range(N_TRAINED)], folder, progress=progress)
    together = sweep(joint_cells, [{"seed": seed} for seed in range(N_JOINT)], folder, progress=progress)
    curves = sweep(limit_cells, _settings(TASKS, FACTORS, SIZES), folder, progress=progress)
    scans = sweep(limit_cells, _settings(LIMIT_TASKS, LIMIT_FACTORS, LIMIT_SIZES), folder, progress=progress)
    return {
        "networks": {name: significant([part[name] for part in networks]) for name in ("error", "distance", "loss")},
        "joint": significant([part["error"] for part in together]),
        "curves": {name: significant([part[name] for part in curves]) for name in ("finetune", "multi")},
        "scans": significant([part["finetune"] for part in scans]),
    }


def _settings(tasks: tuple[Task, ...], factors: tuple[float, ...], sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    return [{"features": k, "shared": old, "factors": list(factors), "sizes": list(sizes)} for k, old in tasks]


def stored_networks() -> Networks:
    """Stored networks: error and distance (seed, task, factor, size); the largest loss of pretraining."""
    with stored_results.reading(FILE) as found:
        parts = found["networks"]
        return Networks(np.array(parts["error"]), np.array(parts["distance"]), float(np.max(parts["loss"])))


def stored_joint() -> Array:
    """Stored errors of networks that learned both tasks together, (seed, task, size)."""
    with stored_results.reading(FILE) as found:
        return np.array(found["joint"])


def stored_curves() -> tuple[Array, Array]:
    """Stored limits: finetuning (task, factor, size), and the group norm (task, size)."""
    with stored_results.reading(FILE) as found:
        return np.array(found["curves"]["finetune"]), np.array(found["curves"]["multi"])


def stored_scans() -> dict[int, Array]:
    """Stored limits of finetuning along the factor, by number of examples, (task, factor)."""
    with stored_results.reading(FILE) as found:
        scans = np.array(found["scans"])
        return {n: scans[:, :, i] for i, n in enumerate(LIMIT_SIZES)}


@own_seeds()
def retrain_sample(draw: int) -> tuple[Array, Array]:
    """Logarithms of errors of the networks of one seed, drawn with `draw`, on one task, now and as stored."""
    rng = np.random.default_rng(draw)
    seed, task = int(rng.integers(N_TRAINED)), int(rng.integers(len(TASKS)))
    now = trained(seed, TASKS[task : task + 1], TRAINED_FACTORS, TRAINED_SIZES[:2], DIM, N_AUX)
    return np.log(now.error[0]), np.log(stored_networks().error[seed, task, :, :2])
