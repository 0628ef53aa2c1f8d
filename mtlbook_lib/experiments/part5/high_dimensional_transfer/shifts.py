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
    quick={"n_draws": 20},
    paper={"n_draws": 600},
    large={"n_draws": 50_000},
    large_cost="3 GB, 10 min on one core",
)
def model_shift(sources: Sequence[int], distance: float, n_target: int, *, n_draws: int) -> Compared:
    """Pooled least squares with white inputs, noise 1, and models at a squared distance, over the source's size.

    Sources of all sizes meet the same targets.
    """
    white, zero, model = np.eye(N_INPUTS), np.zeros(N_INPUTS), _shift(distance)
    target = gaussian_task(n_target, white, zero, 1.0, range(n_draws), "target")
    drawn = [gaussian_task(n, white, model, 1.0, range(n_draws), "source", n) for n in sources]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    own = np.tile(alone(target)[:, None], len(drawn))
    return Compared(risks, own, model_shift_limits(sources, distance, n_target))


def model_shift_limits(sources: Sequence[float] | Array, distance: float, n_target: int) -> Array:
    """Limit of the pooled risk under model shift, over the source's size."""
    white, zero = np.eye(N_INPUTS), np.zeros(N_INPUTS)
    found = asymptotic_risk(white, white, np.asarray(sources), n_target, _shift(distance), zero, 1.0, 1.0, 1.0)[0]
    return np.asarray(found)


def _shift(distance: float) -> Array:
    return np.asarray(np.sqrt(distance) * np.eye(N_INPUTS)[0])


@sized(
    quick={"n_draws": 20},
    paper={"n_draws": 1000},
    large={"n_draws": 50_000},
    large_cost="3 GB, 10 min on one core",
)
def covariate_shift(stretches: Sequence[float], n_source: int, *, n_draws: int) -> Compared:
    """Pooled least squares with one model, 240 examples in all, over the stretch of the source's inputs.

    Half of the source's directions have their variance multiplied, the other half divided, by the stretch; the target's
    inputs are white. Sources of all stretches have the same random numbers, and meet the same targets.
    """
    model, draws = np.zeros(N_INPUTS), range(n_draws)
    target = gaussian_task(N_BOTH - n_source, np.eye(N_INPUTS), model, 1.0, draws, "target")
    drawn = [gaussian_task(n_source, stretched(value), model, 1.0, draws, "source") for value in stretches]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    own = np.tile(alone(target)[:, None], len(drawn))
    return Compared(risks, own, covariate_shift_limits(stretches, n_source))


def covariate_shift_limits(stretches: Sequence[float] | Array, n_source: int) -> Array:
    """Limit of the pooled risk under covariate shift, over the stretch of the source's inputs."""
    given = (np.eye(N_INPUTS), n_source, N_BOTH - n_source, np.zeros(N_INPUTS), np.zeros(N_INPUTS), 1.0, 1.0, 1.0)
    return np.array([asymptotic_risk(stretched(float(value)), *given)[0] for value in stretches])


def stretched(value: float) -> Array:
    """A covariance with half of its variances multiplied and half divided by a number."""
    half = N_INPUTS // 2
    return np.diag(np.repeat([value, 1 / value], half))
