"""The ratio of the heads fitted too: what it costs, and on which side of which border sharing helps the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part5.high_dimensional_transfer.experiment.pooled import N_INPUTS, Case, alone
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import GaussianTask, gaussian_pair, models_of_cosine
from mtlbook_lib.simulation.rank_one import BestDirections, rank_one_directions
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import asymptotic_risk, asymptotic_transfer

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


def share(source: GaussianTask, target: GaussianTask) -> BestDirections:
    """The best shared direction of every draw."""
    return rank_one_directions(*source.moments, *target.moments, N_GRID)


@sized(n_draws=(20, 2000, 100_000), cost="8 GB, 20 min on one core")
def free_heads(*, n_draws: int) -> Free:
    """The cases of `FREE` and, last, `LOOSE`."""
    cases = (*FREE, LOOSE)
    risks, ratios, fixed, free = [], [], [], []
    for case in cases:
        source, target = case.tasks(n_draws)
        best = share(source, target)
        of_source, of_target = best.heads.T
        _, model = best.models
        risks.append(target.excess_risk(model))
        ratios.append(np.divide(of_target, of_source, out=np.full(n_draws, np.inf), where=of_source != 0))
        given = (*case.covariances(), *case.n, *case.models(), *case.sigma)
        fixed.append(asymptotic_transfer(*given)[1])
        free.append(asymptotic_transfer(*given, free_ratio=True)[1])
    return Free(np.stack(risks, axis=1), np.stack(ratios, axis=1), np.array(fixed), np.array(free))


def relative_gains(source: GaussianTask, target: GaussianTask) -> Array:
    """How much less than alone each task risks when they share a direction, as a share of alone, (draw, 2)."""
    tasks = source, target
    own = [alone(task) for task in tasks]
    together = [task.excess_risk(models) for task, models in zip(tasks, share(source, target).models, strict=True)]
    return np.stack([(one - both) / one.mean() for one, both in zip(own, together, strict=True)], axis=1)


@sized(n_draws=(10, 400, 20_000), cost="4 GB, 20 min on one core")
def many_examples(noises: Sequence[float], n: tuple[int, int], cosine: float, *, n_draws: int) -> Array:
    """Relative gains of source and target over the noise level, white inputs, (draw, noise, task)."""
    white, models = np.eye(N_INPUTS), models_of_cosine(cosine, N_INPUTS)
    pairs = (gaussian_pair(n, (white, white), models, (sigma, sigma), range(n_draws)) for sigma in noises)
    return np.stack([relative_gains(*pair) for pair in pairs], axis=1)


D, N_TARGET = 20, 60
LEVELS = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0)  # examples of the source to one of the target
COSINES = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98])
TESTED, FACTOR = (0.2, 0.5, 0.8, 0.95), 1.6  # cosines, and how far from the border, in noise
_NOISES = np.geomspace(0.03, 6.0, 41)
_COARSE, _FINE = np.linspace(-6, 6, 121), np.linspace(-0.1, 0.1, 41)  # logarithm of the ratio of the heads


@dataclass(frozen=True)
class Side:
    """Simulated relative gains of the target (draw, cosine) on one side of the border, at noise levels (cosine,)."""

    level: float
    noises: Array
    gains: Array

    @property
    def gain(self) -> tuple[Array, Array]:
        """Mean and standard error, (cosine,)."""
        return mean_and_error(self.gains)


def limit_risks(cosine: float, levels: Sequence[float], noises: Array) -> Array:
    """Risk of the target over its risk alone, both in the limit, (level, noise); white inputs, fitted ratio of heads.

    Only examples per input matter in the limit, so that two inputs do.
    """
    n2 = 2 * N_TARGET / D
    n1, sigma = np.asarray(levels)[:, None, None] * n2, np.asarray(noises)[None, :, None]
    models = models_of_cosine(cosine, 2)

    def risk_and_loss(log_ratios: Array) -> tuple[Array, Array]:
        return asymptotic_risk(np.eye(2), np.eye(2), n1, n2, *models, sigma, sigma, np.exp(log_ratios))

    best = _COARSE[risk_and_loss(_COARSE)[1].argmin(axis=-1)]
    nearby = best[..., None] + _FINE
    risk, loss = risk_and_loss(nearby)
    shared = np.take_along_axis(risk, loss.argmin(axis=-1)[..., None], axis=-1)[..., 0]
    return np.asarray(shared / (sigma[..., 0] ** 2 * 2 / (n2 - 2)))


def boundaries(levels: Sequence[float] = LEVELS, cosines: Sequence[float] | Array = COSINES) -> Array:
    """Noise level at which the limits of the shared risk and of the risk alone are equal, (level, cosine)."""
    found = np.empty((len(levels), len(cosines)))
    for j, cosine in enumerate(cosines):
        excess = np.log(limit_risks(float(cosine), levels, _NOISES))
        # Sharing harms below the border and helps above it.
        last = (excess > 0).sum(axis=1) - 1
        rows = np.arange(len(levels))
        low, high = excess[rows, last], excess[rows, last + 1]
        place = last + low / (low - high)
        found[:, j] = np.exp(np.interp(place, np.arange(_NOISES.size), np.log(_NOISES)))
    return found


@sized(n_draws=(10, 200, 20_000), cost="4 GB, 30 min on one core")
def sides(*, n_draws: int) -> tuple[list[Side], list[Side]]:
    """The target's gain at noise levels `FACTOR` above and below the border, at four cosines, for every level."""
    borders = boundaries(LEVELS, TESTED)
    return (
        [_side(level, border * FACTOR, n_draws) for level, border in zip(LEVELS, borders, strict=True)],
        [_side(level, border / FACTOR, n_draws) for level, border in zip(LEVELS, borders, strict=True)],
    )


def _side(level: float, noises: Array, n_draws: int) -> Side:
    gains = []
    for cosine, sigma in zip(TESTED, noises, strict=True):
        n1, part = round(level * N_TARGET), round(100 * cosine)
        white, models, numbers = np.eye(D), models_of_cosine(cosine, D), (n1, N_TARGET)
        pair = gaussian_pair(numbers, (white, white), models, (sigma, sigma), range(n_draws), 1000 * n1 + part)
        gains.append(relative_gains(*pair)[:, 1])
    return Side(level, noises, np.stack(gains, axis=1))
