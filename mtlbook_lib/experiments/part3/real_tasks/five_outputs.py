"""Tasks with five outputs: benefits forecast by the expansion for many outputs, its leading order, and simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data import digit_tasks
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.methods.simulated_benefit import simulated_benefit
from mtlbook_lib.methods.task_estimate import estimate_task, similarity, visible_modes
from mtlbook_lib.theory.transfer import transfer_benefit

_OTHER_SPLITS = 10_000  # forecasts are made on splits whose benefits are not measured
_EPS = 1e-3


@dataclass(frozen=True)
class FiveForecasts:
    """Benefits of four tasks with five outputs from each other, each of shape (split, A, B).

    Attributes
    ----------
    expansion : ndarray
        By the theory of composite modes with all terms of order one over the size.
    leading : ndarray
        By its leading order.
    simulated : ndarray
        By drawn teachers of the estimated strengths and similarities.
    modes : ndarray, shape (split, A)
        Visible modes of each task.
    """

    expansion: Array
    leading: Array
    simulated: Array
    modes: Array


@sized(
    quick={"n_splits": 2, "n_draws": 2},
    paper={"n_splits": 12, "n_draws": 40},
    large={"n_splits": 160, "n_draws": 200},
    large_cost="1 GB, 13 min on one core",
)
def five_output_forecasts(n: int = 180, *, n_splits: int, n_draws: int) -> FiveForecasts:
    """Forecasts from `n` images for each task, the mean of both directions of each split."""
    runs = [_one_split(n, _OTHER_SPLITS + split, n_draws) for split in range(n_splits)]
    expansion, leading, simulated = np.stack([found for found, _ in runs]).swapaxes(0, 1)
    return FiveForecasts(expansion, leading, simulated, np.stack([modes for _, modes in runs]))


def _one_split(n: int, seed: int, n_draws: int) -> tuple[Array, Array]:
    sets = digit_tasks.digit_split(n, n, seed)[:2]
    fits = [estimate_task(part.inputs, digit_tasks.group_targets(part.labels)) for part in sets]
    tasks = [list(zip(fit.data, fit.label_energy, strict=True)) for fit in fits]
    found = np.mean([_all_pairs(tasks, n_draws), _all_pairs(tasks[::-1], n_draws)], axis=0)
    return found, np.array([visible_modes(data)[0].size for data, _ in tasks[0]])


def _all_pairs(tasks: Sequence[Sequence[tuple[Array, Array]]], n_draws: int) -> Array:
    """Three forecasts for all pairs, shape (3, A, B)."""
    found = np.empty((3, len(tasks[0]), len(tasks[1])))
    for i, (first, unit) in enumerate(tasks[0]):
        for j, (second, _) in enumerate(tasks[1]):
            found[:, i, j] = _forecasts(first, second, n_draws) / unit
    return found


def _forecasts(first: Array, second: Array, n_draws: int) -> Array:
    s_a, s_b, (k, d) = visible_modes(first)[0], visible_modes(second)[0], first.shape
    if s_a.size == 0 or s_b.size == 0:
        return np.zeros(3)
    q, energy = similarity(first, second), float((s_a**2).sum())
    full, leading = (energy * transfer_benefit(s_a, s_b, q, k / d, k, _EPS, order=order) for order in (1, 0))
    return np.array([full, leading, simulated_benefit(s_a, s_b, q, k, d, _EPS, range(n_draws))[0]])
