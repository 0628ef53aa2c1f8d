"""What is kept beside the book: predictions and networks for many seeds, and the limit of many inputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6.nested_features.networks import (
    ALPHA,
    GAMMA,
    K_AUX,
    Networks,
    Task,
    predicted,
    trained,
)
from mtlbook_lib.experiments.sweep import sweep
from mtlbook_lib.theory.implicit_bias import finetuning_start, finetuning_width
from mtlbook_lib.theory.learning_curves import overlap_classes, penalty_error

FILE = "results/part6/nested-features.json"
DIM, N_AUX = 1000, 1024
TASKS: tuple[Task, ...] = ((2, 2), (5, 5), (10, 10), (20, 20), (40, 40), (5, 0))
FACTORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
SIZES = (16, 24, 32, 48, 64, 96, 128)
TRAINED_FACTORS, TRAINED_SIZES = (0.01, 0.1, 1.0, 10.0), (16, 32, 64, 128)
LIMIT_TASKS: tuple[Task, ...] = tuple((k, k) for k in (2, 5, 10, 12, 14, 16, 18, 20, 40))
LIMIT_FACTORS = tuple(float(s) for s in np.geomspace(0.01, 10.0, 19))
LIMIT_SIZES = (32, 64)
N_PREDICTED, N_TRAINED, DIGITS = 16, 12, 5


def limits(task: Task, factors: Sequence[float], n_examples: int) -> Array:
    """Relative error of the least exact penalty in the limit of many inputs at the proportions of 1,000, (factor,)."""
    weights, truth, aux = overlap_classes(DIM, K_AUX, *task)
    found = [
        penalty_error(
            n_examples / DIM,
            weights,
            truth,
            finetuning_width(aux, ALPHA, GAMMA, rescale=factor),
            finetuning_start(aux, ALPHA, GAMMA, rescale=factor),
        )[0]
        for factor in factors
    ]
    return np.array(found) * DIM / task[0]


def predicted_cells(seed: int) -> dict[str, Array]:
    """Predictions for one seed at the sizes of the book."""
    penalty, group = predicted(seed, TASKS, FACTORS, SIZES, DIM)
    return {"finetune": penalty, "multi": group}


def trained_cells(seed: int) -> dict[str, Array]:
    """Networks of one seed at the sizes of the book."""
    found = trained(seed, TASKS, TRAINED_FACTORS, TRAINED_SIZES, DIM, N_AUX)
    return {"error": found.error, "distance": found.distance, "loss": np.array(found.loss)}


def limit_cells(task: list[int], n_examples: int) -> dict[str, Array]:
    """The limit of many inputs for one task and number of examples."""
    return {"error": limits((task[0], task[1]), LIMIT_FACTORS, n_examples)}


def run(folder: str | Path, progress: Any = None) -> dict[str, Any]:
    """Compute everything that is kept, or what a former call left undone; a quarter of an hour on one core."""
    networks = sweep(trained_cells, [{"seed": seed} for seed in range(N_TRAINED)], folder, progress=progress)
    theory = sweep(predicted_cells, [{"seed": seed} for seed in range(N_PREDICTED)], folder, progress=progress)
    cases = [{"task": list(task), "n_examples": n} for task in LIMIT_TASKS for n in LIMIT_SIZES]
    asymptotic = sweep(limit_cells, cases, folder, progress=progress)
    return {
        "networks": {name: _rounded([part[name] for part in networks]) for name in ("error", "distance", "loss")},
        "predicted": {name: _rounded([part[name] for part in theory]) for name in ("finetune", "multi")},
        "limits": _rounded([part["error"] for part in asymptotic]),
    }


def _rounded(parts: Sequence[Array]) -> Any:
    """As lists of numbers with five significant digits."""
    whole = np.array(parts)
    digits = [float(f"{value:.{DIGITS}g}") for value in whole.ravel()]
    return np.reshape(digits, whole.shape).tolist()


def stored_networks() -> Networks:
    """Stored networks: error and distance (seed, task, factor, size); the largest loss of pretraining."""
    with stored_results.reading(FILE) as found:
        parts = found["networks"]
        return Networks(np.array(parts["error"]), np.array(parts["distance"]), float(np.max(parts["loss"])))


def stored_predicted() -> tuple[Array, Array]:
    """Stored predictions: finetuning (seed, task, factor, size), multi-task (seed, task, size)."""
    with stored_results.reading(FILE) as found:
        parts = found["predicted"]
        return np.array(parts["finetune"]), np.array(parts["multi"])


def stored_limits() -> dict[int, Array]:
    """Stored limits by number of examples, (task, factor)."""
    with stored_results.reading(FILE) as found:
        parts = np.array(found["limits"]).reshape(len(LIMIT_TASKS), len(LIMIT_SIZES), len(LIMIT_FACTORS))
        return {n: parts[:, i] for i, n in enumerate(LIMIT_SIZES)}


def train_again(draw: int) -> tuple[Array, Array]:
    """Logarithms of errors of the networks of one seed, drawn with `draw`, on one task, now and as stored."""
    rng = np.random.default_rng(draw)
    seed, task = int(rng.integers(N_TRAINED)), int(rng.integers(len(TASKS)))
    now = trained(seed, TASKS[task : task + 1], TRAINED_FACTORS, TRAINED_SIZES[:2], DIM, N_AUX)
    kept = stored_networks().error[seed, task, :, :2]
    return np.log(now.error[0]), np.log(kept)
