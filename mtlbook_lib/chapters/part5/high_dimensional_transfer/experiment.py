"""Two linear tasks that share a direction, at sizes proportional to the dimension: simulated, and in the exact limit.

The target's model has norm 1 unless said otherwise, and so sets the unit of noise and risk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.part5.high_dimensional_transfer import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.gaussian_pairs import GaussianTask, gaussian_pair, gaussian_task, models_of_cosine
from mtlbook_lib.simulation.pooled import pooled_models
from mtlbook_lib.simulation.rank_one import BestDirections, rank_one_directions
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import asymptotic_risk, asymptotic_transfer

N_INPUTS = SETTINGS.n_inputs


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
        risk, loss = asymptotic_risk(*self.covariances(), *self.n, *self.models(), *self.sigma, ratio)
        return np.asarray(risk), np.asarray(loss)

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


@sized(n_draws=SETTINGS.n_draws_fixed_inputs, cost="4 GB, 1 min on one core")
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


@sized(n_draws=SETTINGS.n_draws_any_covariances, cost="4 GB, 10 min on one core")
def any_covariances(*, n_draws: int) -> Compared:
    """The cases of `CASES`: covariances in different axes, unequal noise, ratios of the heads other than 1."""
    return _compared(CASES, n_draws)


@sized(n_draws=SETTINGS.n_draws_near_capacity, cost="4 GB, 20 min on one core")
def near_capacity(spare: Sequence[int], condition: float, *, n_draws: int) -> Compared:
    """Three examples of the source to two of the target, and `spare` more in all than there are inputs."""
    sizes = [(round(0.6 * (N_INPUTS + m)), N_INPUTS + m - round(0.6 * (N_INPUTS + m))) for m in spare]
    return _compared([Case((condition, 1.0), n, 0.8, (1.0, 1.0), 1.0) for n in sizes], n_draws)


@sized(n_draws=SETTINGS.n_draws_bias_alone, cost="4 GB, 5 min on one core")
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


@sized(n_draws=SETTINGS.n_draws_by_ratio, cost="2 GB, 10 min on one core")
def by_ratio(ratios: Sequence[float], *, n_draws: int) -> tuple[Array, Array]:
    """Risk of the target and loss per training example over the ratio of the heads, (draw, ratio), third case."""
    source, target = CASES[2].tasks(n_draws)
    fits = [fit(source, target, t) for t in ratios]
    risks = np.stack([target.excess_risk(models) for models, _ in fits], axis=1)
    return risks, np.stack([loss for _, loss in fits], axis=1) / sum(CASES[2].n)


N_BOTH = SETTINGS.n_both


@sized(n_draws=SETTINGS.n_draws_model_shift, cost="3 GB, 10 min on one core")
def model_shift(sources: Sequence[int], distance: float, n_target: int, *, n_draws: int) -> Compared:
    """Pooled least squares with white inputs, noise 1, and models at a squared distance, over the source's size.

    Sources of all sizes meet the same targets.
    """
    white, zero, model = np.eye(N_INPUTS), np.zeros(N_INPUTS), _shift(distance)
    target = gaussian_task(n_target, white, zero, 1.0, range(n_draws), "target")
    drawn = [gaussian_task(n, white, model, 1.0, range(n_draws), "source", n) for n in sources]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    return Compared(risks, np.tile(alone(target)[:, None], len(drawn)), model_shift_limits(sources, distance, n_target))


@sized(n_draws=SETTINGS.n_draws_few_source_examples, cost="3 GB, 10 min on one core")
def few_source_examples(n_source: int, distance: float, n_target: int, *, n_draws: int) -> Compared:
    """``model_shift`` with one small source, over the draws that its small harm needs."""
    return model_shift([n_source], distance, n_target, n_draws=n_draws)


def model_shift_limits(sources: Sequence[float] | Array, distance: float, n_target: int) -> Array:
    """Limit of the pooled risk under model shift, over the source's size."""
    white, zero = np.eye(N_INPUTS), np.zeros(N_INPUTS)
    risks = asymptotic_risk(white, white, np.asarray(sources), n_target, _shift(distance), zero, 1.0, 1.0, 1.0)[0]
    return np.asarray(risks)


def _shift(distance: float) -> Array:
    return np.asarray(np.sqrt(distance) * np.eye(N_INPUTS)[0])


@sized(n_draws=SETTINGS.n_draws_covariate_shift, cost="3 GB, 10 min on one core")
def covariate_shift(stretches: Sequence[float], n_source: int, *, n_draws: int) -> Compared:
    """Pooled least squares with one model, 240 examples in all, over the stretch of the source's inputs.

    Half of the source's directions have their variance multiplied, the other half divided, by the stretch; the target's
    inputs are white. Sources of all stretches have the same random numbers, and meet the same targets.
    """
    model, draws = np.zeros(N_INPUTS), range(n_draws)
    target = gaussian_task(N_BOTH - n_source, np.eye(N_INPUTS), model, 1.0, draws, "target")
    drawn = [gaussian_task(n_source, stretched(value), model, 1.0, draws, "source") for value in stretches]
    risks = np.stack([shared(source, target, 1.0) for source in drawn], axis=1)
    return Compared(risks, np.tile(alone(target)[:, None], len(drawn)), covariate_shift_limits(stretches, n_source))


def covariate_shift_limits(stretches: Sequence[float] | Array, n_source: int) -> Array:
    """Limit of the pooled risk under covariate shift, over the stretch of the source's inputs."""
    given = (np.eye(N_INPUTS), n_source, N_BOTH - n_source, np.zeros(N_INPUTS), np.zeros(N_INPUTS), 1.0, 1.0, 1.0)
    return np.array([asymptotic_risk(stretched(float(value)), *given)[0] for value in stretches])


def stretched(value: float) -> Array:
    """A covariance with half of its variances multiplied and half divided by a number."""
    return np.diag(np.repeat([value, 1 / value], N_INPUTS // 2))


FREE = (
    Case((1.0, 1.0), (100, 60), 0.8, (1.0, 1.0), 1.0),
    Case((1.0, 1.0), (400, 80), 0.95, (0.5, 0.5), 1.0),
    Case((10.0, 1.0), (200, 60), 0.8, (1.0, 1.0), 1.0),
    Case((10.0, 10.0), (400, 80), 0.9, (1.0, 1.0), 1.0),
)
LOOSE = Case((1.0, 1.0), (60, 60), 0.8, (2.0, 2.0), 1.0)  # the ratio varies widely


@dataclass(frozen=True)
class Free:
    """Risk of the target at the fitted ratio (draw, case), and its limits with and without the ratios' noise."""

    risks: Array
    fixed: Array
    free: Array


def share(source: GaussianTask, target: GaussianTask) -> BestDirections:
    """The best shared direction of every draw."""
    return rank_one_directions(*source.moments, *target.moments, SETTINGS.n_grid)


@sized(n_draws=SETTINGS.n_draws_free_heads, cost="8 GB, 20 min on one core")
def free_heads(*, n_draws: int) -> Free:
    """The cases of `FREE` and, last, `LOOSE`."""
    cases = (*FREE, LOOSE)
    risks, fixed, free = [], [], []
    for case in cases:
        source, target = case.tasks(n_draws)
        _, model = share(source, target).models
        risks.append(target.excess_risk(model))
        given = (*case.covariances(), *case.n, *case.models(), *case.sigma)
        fixed.append(asymptotic_transfer(*given)[1])
        free.append(asymptotic_transfer(*given, free_ratio=True)[1])
    return Free(np.stack(risks, axis=1), np.array(fixed), np.array(free))


def relative_gains(source: GaussianTask, target: GaussianTask) -> Array:
    """How much less than alone each task risks when they share a direction, as a share of alone, (draw, 2)."""
    tasks = source, target
    own = [alone(task) for task in tasks]
    together = [task.excess_risk(models) for task, models in zip(tasks, share(source, target).models, strict=True)]
    return np.stack([(one - both) / one.mean() for one, both in zip(own, together, strict=True)], axis=1)


@sized(n_draws=SETTINGS.n_draws_many_examples, cost="4 GB, 20 min on one core")
def many_examples(noises: Sequence[float], n: tuple[int, int], cosine: float, *, n_draws: int) -> Array:
    """Relative gains of source and target over the noise level, white inputs, (draw, noise, task)."""
    white, models = np.eye(N_INPUTS), models_of_cosine(cosine, N_INPUTS)
    pairs = (gaussian_pair(n, (white, white), models, (sigma, sigma), range(n_draws)) for sigma in noises)
    return np.stack([relative_gains(*pair) for pair in pairs], axis=1)


D, N_TARGET = SETTINGS.d, SETTINGS.n_target
LEVELS = SETTINGS.levels
COSINES = np.array(SETTINGS.cosines)
TESTED, FACTOR = SETTINGS.tested, SETTINGS.factor
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
        risk, loss = asymptotic_risk(np.eye(2), np.eye(2), n1, n2, *models, sigma, sigma, np.exp(log_ratios))
        return np.asarray(risk), np.asarray(loss)

    best = _COARSE[risk_and_loss(_COARSE)[1].argmin(axis=-1)]
    nearby = best[..., None] + _FINE
    risk, loss = risk_and_loss(nearby)
    shared = np.take_along_axis(risk, loss.argmin(axis=-1)[..., None], axis=-1)[..., 0]
    return np.asarray(shared / (sigma[..., 0] ** 2 * 2 / (n2 - 2)))


def boundaries(levels: Sequence[float] = LEVELS, cosines: Sequence[float] | Array = COSINES) -> Array:
    """Noise level at which the limits of the shared risk and of the risk alone are equal, (level, cosine)."""
    levels_at = np.empty((len(levels), len(cosines)))
    for j, cosine in enumerate(cosines):
        excess = np.log(limit_risks(float(cosine), levels, _NOISES))
        # Sharing harms below the border and helps above it.
        last = (excess > 0).sum(axis=1) - 1
        rows = np.arange(len(levels))
        low, high = excess[rows, last], excess[rows, last + 1]
        place = last + low / (low - high)
        levels_at[:, j] = np.exp(np.interp(place, np.arange(_NOISES.size), np.log(_NOISES)))
    return levels_at


@sized(n_draws=SETTINGS.n_draws_sides, cost="4 GB, 30 min on one core")
def sides(*, n_draws: int) -> tuple[list[Side], list[Side]]:
    """The target's gain at noise levels `FACTOR` above and below the border, at four cosines, for every level."""
    borders = boundaries(LEVELS, TESTED)
    # The smallest source changes least, and is drawn fastest.
    draws = [3 * n_draws, *[n_draws] * (len(LEVELS) - 1)]
    above, below = (
        [_side(level, border * factor, n) for level, border, n in zip(LEVELS, borders, draws, strict=True)]
        for factor in (FACTOR, 1 / FACTOR)
    )
    return above, below


def _side(level: float, noises: Array, n_draws: int) -> Side:
    gains = []
    for cosine, sigma in zip(TESTED, noises, strict=True):
        n1, part = round(level * N_TARGET), round(100 * cosine)
        white, models, numbers = np.eye(D), models_of_cosine(cosine, D), (n1, N_TARGET)
        pair = gaussian_pair(numbers, (white, white), models, (sigma, sigma), range(n_draws), 1000 * n1 + part)
        gains.append(relative_gains(*pair)[:, 1])
    return Side(level, noises, np.stack(gains, axis=1))
