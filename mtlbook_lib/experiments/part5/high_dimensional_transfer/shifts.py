"""Shifts between source and target that are pooled as if they were one task: of the model, and of the covariance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.gaussian_pairs import gaussian_task
from mtlbook_lib.experiments.part5.high_dimensional_transfer.pooled import N_INPUTS, Compared, alone, shared
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.theory.hard_sharing import asymptotic_risk

N_BOTH = 240  # examples of both tasks under covariate shift


@sized(
    quick={"n_draws": 100},
    paper={"n_draws": 600},
    large={"n_draws": 50_000},
    large_cost="3 GB, 10 min on one core",
)
def model_shift(sources: Sequence[int], distance: float, n_target: int, *, n_draws: int) -> Compared:
    """Pooled least squares with white inputs, noise 1, and models at a squared distance, over the source's size."""
    white, zero = np.eye(N_INPUTS), np.zeros(N_INPUTS)
    model = zero.copy()
    model[0] = np.sqrt(distance)
    target = gaussian_task(n_target, white, zero, 1.0, range(n_draws), "target")
    drawn = [gaussian_task(n, white, model, 1.0, range(n_draws), "source") for n in sources]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    predicted = asymptotic_risk(white, white, list(sources), n_target, model, zero, 1.0, 1.0, 1.0)[0]
    return Compared(risks, np.tile(alone(target)[:, None], len(drawn)), np.asarray(predicted))


@sized(
    quick={"n_draws": 100},
    paper={"n_draws": 1000},
    large={"n_draws": 50_000},
    large_cost="3 GB, 10 min on one core",
)
def covariate_shift(stretches: Sequence[float], n_source: int, *, n_draws: int) -> Compared:
    """Pooled least squares with one model, 240 examples in all, over the stretch of the source's inputs.

    Half of the source's directions have their variance multiplied, the other half divided, by the stretch; the target's
    inputs are white. Unlike elsewhere, all draws of one size share their random numbers.
    """
    model, draws = np.zeros(N_INPUTS), range(n_draws)
    target = gaussian_task(N_BOTH - n_source, np.eye(N_INPUTS), model, 1.0, draws, "target")
    covariances = [stretched(value) for value in stretches]
    drawn = [gaussian_task(n_source, spread, model, 1.0, draws, "source") for spread in covariances]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    predicted = [
        asymptotic_risk(spread, np.eye(N_INPUTS), n_source, N_BOTH - n_source, model, model, 1.0, 1.0, 1.0)[0]
        for spread in covariances
    ]
    return Compared(risks, np.tile(alone(target)[:, None], len(drawn)), np.array(predicted))


def stretched(value: float) -> Array:
    """A covariance with half of its variances multiplied and half divided by a number."""
    half = N_INPUTS // 2
    return np.diag(np.repeat([value, 1 / value], half))
