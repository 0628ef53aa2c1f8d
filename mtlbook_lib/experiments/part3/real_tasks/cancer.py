"""The breast-cancer data: does the worst area of other patients help to tell malignant from benign?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data import real
from mtlbook_lib.experiments.part3.real_tasks.benefits import gain, head_errors, own_time_gain
from mtlbook_lib.experiments.part3.real_tasks.maps import held_out_map
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.methods.task_estimate import estimate_task, white_inputs
from mtlbook_lib.methods.transfer_forecast import TransferForecast, forecast_transfer

_INPUTS, _AXES, _AREA = 20, 14, 23  # columns of means and errors, principal axes kept, column of the worst area


@dataclass(frozen=True)
class CancerBenefits:
    """Benefit of the diagnosis from the area, shape (split,), as a fraction of the variance of the labels.

    Attributes
    ----------
    forecast, measured, own_times : ndarray
        Forecast; measured with one stopping time for all splits, and with each split at its own.
    similarity, strength_a, strength_b : ndarray
        Estimates from the training data.
    """

    forecast: Array
    measured: Array
    own_times: Array
    similarity: Array
    strength_a: Array
    strength_b: Array


@sized(quick={"n_splits": 10}, paper={"n_splits": 160}, large={"n_splits": 2560}, large_cost="1 GB, 1 min on one core")
def cancer_benefits(n_a: int = 60, n_b: int = 300, *, n_splits: int) -> CancerBenefits:
    """Forecast and measured benefit of A with `n_a` patients from B with `n_b` others."""
    task = real.breast_cancer()
    rows = real.standardise(task.inputs)
    labels = np.column_stack([task.labels, rows[:, _AREA]])
    runs = [_one_split(rows[:, :_INPUTS], labels, n_a, n_b, seed) for seed in range(n_splits)]
    found, *parts = zip(*runs, strict=True)
    data, target, unit = (np.stack(part) for part in parts)
    alone, joint = (head_errors(maps, target) / unit[:, None] for maps in (data[:, :1], data))
    curves = alone[:, None, None], joint[:, None, None]
    return CancerBenefits(
        np.array([f.benefit_a for f in found]),
        gain(curves)[:, 0, 0],
        own_time_gain(curves)[:, 0, 0],
        np.array([f.similarity.sum() for f in found]),
        np.array([f.strengths_a[0] for f in found]),
        np.array([f.strengths_b[0] for f in found]),
    )


def _one_split(
    inputs: Array, labels: Array, n_a: int, n_b: int, seed: int
) -> tuple[TransferForecast, Array, Array, Array]:
    """Forecast; data of A and B; A's held-out map; unit of A."""
    order = np.random.default_rng(seed).permutation(len(inputs))
    frame = real.whitener(inputs[order[: n_a + n_b]])
    x = frame.apply(inputs)[:, :_AXES]
    a, b, rest = np.split(order, [n_a, n_a + n_b])
    own, x_b = real.symmetric_whitener(x[a]), white_inputs(x[b])
    x_a, y_a, y_b = own.apply(x[a]), labels[a, :1], labels[b, 1:]
    fits = estimate_task(x_a, y_a), estimate_task(x_b, y_b)
    target = np.sqrt(n_a / _AXES) * held_out_map(own.apply(x[rest]), labels[rest, :1] @ fits[0].noise_root)
    data = np.concatenate([fit.data for fit in fits])
    return forecast_transfer(x_a, y_a, x_b, y_b), data, target, fits[0].label_energy
