"""Least squares pooled over two tasks at a given ratio of the heads, and under shifts: simulated, and in the limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import GaussianTask, gaussian_pair, gaussian_task, models_of_cosine
from mtlbook_lib.simulation.pooled import pooled_models
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import asymptotic_risk

N_INPUTS = 40


@dataclass(frozen=True)
class Case:
    """Two tasks: condition numbers of the covariances, examples, cosine of the models, noise levels, ratio of heads."""

    conditions: tuple[float, float]
    n: tuple[int, int]
    cosine: float
    sigma: tuple[float, float]
    ratio: float

    def covariances(self) -> tuple[Array, Array]:
        """Eigenvalues in equal ratios around 1, in random axes of each task."""
        return _covariance(self.conditions[0], "source"), _covariance(self.conditions[1], "target")

    def models(self) -> tuple[Array, Array]:
        """Models of norm 1 with the given cosine."""
        return models_of_cosine(self.cosine, N_INPUTS)

    def predicted(self, ratio: ArrayLike) -> tuple[Array, Array]:
        """Excess risk of the target and training loss in the limit."""
        return asymptotic_risk(*self.covariances(), *self.n, *self.models(), *self.sigma, ratio)

    def tasks(self, n_draws: int) -> tuple[GaussianTask, GaussianTask]:
        """Source and target, a row a draw; cases of other sizes have random numbers of their own."""
        part = 1000 * self.n[0] + self.n[1]
        return gaussian_pair(self.n, self.covariances(), self.models(), self.sigma, range(n_draws), part)


CASES = (
    Case((1.0, 1.0), (100, 60), 0.8, (1.0, 1.0), 1.0),
    Case((10.0, 1.0), (60, 100), 0.8, (1.0, 1.0), 1.0),
    Case((10.0, 10.0), (200, 60), 0.5, (0.5, 1.0), 0.7),
    Case((100.0, 10.0), (400, 80), 0.9, (2.0, 0.5), 1.5),
    Case((1.0, 100.0), (45, 45), 0.9, (1.0, 0.3), 2.0),
    Case((30.0, 30.0), (60, 20), 0.0, (1.0, 1.0), 0.5),
)


@dataclass(frozen=True)
class Compared:
    """Excess risks of the target, shared (draw, case) and alone (draw, case), and the prediction of the first."""

    shared: Array
    alone: Array
    predicted: Array

    @property
    def ratio(self) -> tuple[Array, Array]:
        """Mean shared risk over its prediction, with a standard error, (case,)."""
        return mean_and_error(self.shared / self.predicted)

    @property
    def gain(self) -> tuple[Array, Array]:
        """Mean of the risk alone less the risk shared, paired, (case,)."""
        return mean_and_error(self.alone - self.shared)


def alone(task: GaussianTask) -> Array:
    """Excess risk of the task's own least squares."""
    return task.excess_risk(np.linalg.solve(task.gram, task.products[..., None])[..., 0])


def shared(source: GaussianTask, target: GaussianTask, ratio: float) -> Array:
    """Excess risk of the target when both tasks are pooled at one ratio of the heads."""
    return target.excess_risk(fit(source, target, ratio)[0])


def fit(source: GaussianTask, target: GaussianTask, ratio: float) -> tuple[Array, Array]:
    """Target models and loss on all training examples, pooled at one ratio of the heads."""
    models, explained = pooled_models(*source.moments, *target.moments, ratio)
    return models, source.energy + target.energy - explained


def _covariance(condition: float, role: str) -> Array:
    axes = haar(N_INPUTS, N_INPUTS, [0], f"covariance of the {role}")[0]
    return np.asarray((axes * condition ** np.linspace(-0.5, 0.5, N_INPUTS)) @ axes.T)


@sized(n_draws=(200, 20_000, 1_000_000), cost="4 GB, 1 min on one core")
def fixed_inputs(*, n_draws: int) -> tuple[tuple[Array, Array], tuple[Array, Array], tuple[Array, Array]]:
    """Inputs of a source (30 × 20) and a target (40 × 20), their models, and labels with fresh noise, (draw, example).

    The source's inputs are stretched by up to 3 along the axes. Noise has standard deviations 1 and 0.5.
    """
    d, counts = 20, (30, 40)
    x1, x2 = (normal((n, d), [0], f"fixed inputs: {i}")[0] for i, n in enumerate(counts))
    x1 = x1 * np.linspace(1.0, 3.0, d)
    models = models_of_cosine(0.8, d)
    noises = (normal((n_draws, n), [0], f"fixed inputs: noise {i}")[0] for i, n in enumerate(counts))
    y1, y2 = (
        x @ theta + sigma * noise for x, theta, sigma, noise in zip((x1, x2), models, (1.0, 0.5), noises, strict=True)
    )
    return (x1, x2), models, (y1, y2)


@sized(n_draws=(20, 2000, 100_000), cost="4 GB, 10 min on one core")
def any_covariances(*, n_draws: int) -> Compared:
    """The cases of `CASES`: covariances in different axes, unequal noise, ratios of the heads other than 1."""
    return _compared(CASES, n_draws)


@sized(n_draws=(20, 1500, 100_000), cost="4 GB, 20 min on one core")
def near_capacity(spare: Sequence[int], condition: float, *, n_draws: int) -> Compared:
    """Three examples of the source to two of the target, and `spare` more in all than there are inputs."""
    sizes = [(round(0.6 * (N_INPUTS + m)), N_INPUTS + m - round(0.6 * (N_INPUTS + m))) for m in spare]
    return _compared([Case((condition, 1.0), n, 0.8, (1.0, 1.0), 1.0) for n in sizes], n_draws)


@sized(n_draws=(200, 3000, 100_000), cost="4 GB, 5 min on one core")
def bias_alone(sizes: Sequence[tuple[int, int]], *, n_draws: int) -> Compared:
    """White inputs and noise of a thousandth, for each (source, target) number of examples: the risk is all bias."""
    return _compared([Case((1.0, 1.0), n, 0.8, (1e-3, 1e-3), 1.0) for n in sizes], n_draws)


def _compared(cases: Sequence[Case], n_draws: int) -> Compared:
    risks, own, predicted = [], [], []
    for case in cases:
        source, target = case.tasks(n_draws)
        risks.append(shared(source, target, case.ratio))
        own.append(alone(target) if case.n[1] > N_INPUTS else np.full(n_draws, np.inf))
        predicted.append(case.predicted(case.ratio)[0])
    return Compared(np.stack(risks, axis=1), np.stack(own, axis=1), np.array(predicted))


@sized(n_draws=(10, 800, 20_000), cost="2 GB, 10 min on one core")
def by_ratio(ratios: Sequence[float], *, n_draws: int) -> tuple[Array, Array]:
    """Risk of the target and loss per training example over the ratio of the heads, (draw, ratio), third case."""
    source, target = CASES[2].tasks(n_draws)
    fits = [fit(source, target, t) for t in ratios]
    risks = np.stack([target.excess_risk(models) for models, _ in fits], axis=1)
    return risks, np.stack([loss for _, loss in fits], axis=1) / sum(CASES[2].n)


N_BOTH = 240  # examples of both tasks under covariate shift


@sized(n_draws=(20, 600, 50_000), cost="3 GB, 10 min on one core")
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


@sized(n_draws=(20, 1000, 50_000), cost="3 GB, 10 min on one core")
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
