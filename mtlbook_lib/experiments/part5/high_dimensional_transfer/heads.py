"""The ratio of the heads fitted too: what it costs, and what sharing does when examples are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.data.gaussian_pairs import GaussianTask, gaussian_task
from mtlbook_lib.experiments.part5.high_dimensional_transfer.pooled import (
    N_INPUTS,
    Case,
    alone,
    excess_risk,
    pair_of_models,
)
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.theory.hard_sharing import asymptotic_transfer

N_GRID = 101  # ratios of either sign; the sections refine them
FREE = (
    Case((1.0, 1.0), (100, 60), 0.8, (1.0, 1.0), 1.0),
    Case((1.0, 1.0), (400, 80), 0.95, (0.5, 0.5), 1.0),
    Case((10.0, 1.0), (200, 60), 0.8, (1.0, 1.0), 1.0),
    Case((10.0, 10.0), (400, 80), 0.9, (1.0, 1.0), 1.0),
)
LOOSE = Case((1.0, 1.0), (60, 60), 0.8, (2.0, 2.0), 1.0)  # the ratio varies widely


@dataclass(frozen=True)
class Free:
    """Risk of the target at the fitted ratio (draw, case), the ratios, and the limits with and without their noise."""

    risks: Array
    ratios: Array
    fixed: Array
    free: Array

    @property
    def spread(self) -> Array:
        """Quartile distance of the ratios over draws, (case,)."""
        return np.asarray(np.diff(np.quantile(self.ratios, [0.25, 0.75], axis=0), axis=0)[0])


def share(source: GaussianTask, target: GaussianTask) -> tuple[Array, Array]:
    """Models of source and target, (draw, 2, d), with one shared direction and the best heads; ratios of the heads."""
    direction, heads, _ = rank_one_directions(source.gram, source.products, target.gram, target.products, N_GRID)
    ratio = np.divide(heads[:, 1], heads[:, 0], out=np.full(len(heads), np.inf), where=heads[:, 0] != 0)
    return heads[..., None] * direction[:, None], ratio


@sized(
    quick={"n_draws": 20},
    paper={"n_draws": 2000},
    large={"n_draws": 100_000},
    large_cost="8 GB, 20 min on one core",
)
def free_heads(*, n_draws: int) -> Free:
    """The cases of `FREE` and, last, `LOOSE`."""
    cases = (*FREE, LOOSE)
    risks, ratios, fixed, free = [], [], [], []
    for case in cases:
        source, target = case.tasks(n_draws)
        models, found = share(source, target)
        risks.append(excess_risk(models[:, 1], target))
        ratios.append(found)
        given = (*case.covariances(), *case.n, *case.models(), *case.sigma)
        fixed.append(asymptotic_transfer(*given)[1])
        free.append(asymptotic_transfer(*given, free_ratio=True)[1])
    return Free(np.stack(risks, axis=1), np.stack(ratios, axis=1), np.array(fixed), np.array(free))


def relative_gains(source: GaussianTask, target: GaussianTask) -> Array:
    """How much less than alone each task risks when they share a direction, as a share of alone, (draw, 2)."""
    models, _ = share(source, target)
    own = [alone(task) for task in (source, target)]
    together = [excess_risk(models[:, i], task) for i, task in enumerate((source, target))]
    return np.stack([(one - both) / one.mean() for one, both in zip(own, together, strict=True)], axis=1)


@sized(
    quick={"n_draws": 10},
    paper={"n_draws": 400},
    large={"n_draws": 20_000},
    large_cost="4 GB, 20 min on one core",
)
def many_examples(noises: Sequence[float], n: tuple[int, int], cosine: float, *, n_draws: int) -> Array:
    """Relative gains of source and target over the noise level, white inputs, (draw, noise, task)."""
    white, models = np.eye(N_INPUTS), pair_of_models(cosine)
    gains = [
        relative_gains(
            *(gaussian_task(m, white, theta, sigma, range(n_draws), role)
              for m, theta, role in zip(n, models, ("source", "target"), strict=True))
        )
        for sigma in noises
    ]  # fmt: skip
    return np.stack(gains, axis=1)
