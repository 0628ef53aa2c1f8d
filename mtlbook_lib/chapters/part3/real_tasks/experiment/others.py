"""Beside pairs of digits: tumours of the breast, tasks with five outputs, and teachers whose truth is known."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part3.real_tasks import settings as SETTINGS
from mtlbook_lib.chapters.part3.real_tasks.experiment.benefits import EPS, at_best, gain, head_errors, own_time_gain
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data import digit_tasks, real
from mtlbook_lib.data.related import pair_gram, related_teachers, stacked_training
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.methods.one_output import one_output_benefit
from mtlbook_lib.methods.simulated_benefit import simulated_benefit
from mtlbook_lib.methods.task_estimate import estimate_task, similarity, visible_modes, white_inputs
from mtlbook_lib.methods.transfer_forecast import TransferForecast, forecast_transfer
from mtlbook_lib.simulation import spectra
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.transfer import transfer_benefit

_INPUTS, _AXES, _AREA = 20, 14, 23  # columns of means and errors, principal axes kept, column of the worst area


class CancerBenefits(NamedTuple):
    """Benefit of the diagnosis from the area, (split,), as a fraction of the variance of the labels, and estimates."""

    forecast: Array
    measured: Array  # with one stopping time for all splits
    own_times: Array  # each split stopped at its own
    similarity: Array


@sized(n_splits=SETTINGS.n_splits_cancer_benefits, cost="1 GB, 1 min on one core")
def cancer_benefits(n_a: int = 60, n_b: int = 300, *, n_splits: int) -> CancerBenefits:
    """Forecast and measured benefit of A with `n_a` patients from B with `n_b` others."""
    task = real.breast_cancer()
    rows = real.standardise(task.inputs)
    labels = np.column_stack([task.labels, rows[:, _AREA]])
    runs = [_cancer_split(rows[:, :_INPUTS], labels, n_a, n_b, seed) for seed in range(n_splits)]
    forecasts, *parts = zip(*runs, strict=True)
    data, target, unit = (np.stack(part) for part in parts)
    alone, joint = (head_errors(maps, target) / unit[:, None] for maps in (data[:, :1], data))
    curves = alone[:, None, None], joint[:, None, None]
    return CancerBenefits(
        np.array([f.benefit_a for f in forecasts]),
        gain(curves)[:, 0, 0],
        own_time_gain(curves)[:, 0, 0],
        np.array([f.similarity.sum() for f in forecasts]),
    )


def _cancer_split(
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
    target, data = fits[0].map_of(own.apply(x[rest]), labels[rest, :1]), np.concatenate([fit.data for fit in fits])
    return forecast_transfer(x_a, y_a, x_b, y_b), data, target, fits[0].label_energy


_OTHER_SPLITS = 10_000  # forecasts are made on splits whose benefits are not measured


class FiveForecasts(NamedTuple):
    """Benefits of four tasks with five outputs from each other, (split, A, B)."""

    expansion: Array  # by the theory of composite modes with all terms of order one over the size
    leading: Array  # by its leading order
    simulated: Array  # by drawn teachers of the estimated strengths and similarities
    modes: Array  # visible modes of each task, (split, A)


@sized(n_splits=SETTINGS.n_splits_five_output_forecasts, n_draws=SETTINGS.n_draws, cost="1 GB, 13 min on one core")
def five_output_forecasts(n: int = 180, *, n_splits: int, n_draws: int) -> FiveForecasts:
    """Forecasts from `n` images for each task, the mean of both directions of each split.

    Every split draws teachers of its own: with the same ones, their luck would be in no error over splits.
    """
    draws = [range(n_draws * split, n_draws * (split + 1)) for split in range(n_splits)]
    runs = [_five_split(n, _OTHER_SPLITS + split, drawn) for split, drawn in enumerate(draws)]
    expansion, leading, simulated = np.stack([forecasts for forecasts, _ in runs]).swapaxes(0, 1)
    return FiveForecasts(expansion, leading, simulated, np.stack([modes for _, modes in runs]))


def _five_split(n: int, seed: int, draws: range) -> tuple[Array, Array]:
    sets = digit_tasks.digit_split(n, n, seed)[:2]
    fits = [estimate_task(part.inputs, digit_tasks.group_targets(part.labels)) for part in sets]
    tasks = [list(zip(fit.data, fit.label_energy, strict=True)) for fit in fits]
    forecasts = np.mean([_all_pairs(tasks, draws), _all_pairs(tasks[::-1], draws)], axis=0)
    return forecasts, np.array([visible_modes(data)[0].size for data, _ in tasks[0]])


def _all_pairs(tasks: Sequence[Sequence[tuple[Array, Array]]], draws: range) -> Array:
    """Three forecasts for all pairs, shape (3, A, B)."""
    forecasts = np.empty((3, len(tasks[0]), len(tasks[1])))
    for i, (first, unit) in enumerate(tasks[0]):
        for j, (second, _) in enumerate(tasks[1]):
            forecasts[:, i, j] = _forecasts(first, second, draws) / unit
    return forecasts


def _forecasts(first: Array, second: Array, draws: range) -> Array:
    s_a, s_b, (k, d) = visible_modes(first)[0], visible_modes(second)[0], first.shape
    if s_a.size == 0 or s_b.size == 0:
        return np.zeros(3)
    q, energy = similarity(first, second), float((s_a**2).sum())
    full, leading = (energy * transfer_benefit(s_a, s_b, q, k / d, k, EPS, order=order) for order in (1, 0))
    return np.array([full, leading, simulated_benefit(s_a, s_b, q, k, d, EPS, draws)[0]])


STRENGTHS, SIMILARITIES = SETTINGS.strengths, SETTINGS.similarities


@sized(n_seeds=SETTINGS.n_seeds_known_estimates, cost="1 GB, 1 min on one core")
def known_estimates(*, n_seeds: int) -> tuple[Array, Array]:
    """Estimates of strengths and similarity, shape (seed, setting, 3), and the truth, shape (setting, 3).

    Settings are twenty outputs of eighty inputs, then one output of forty, at three similarities each.
    """
    estimates = []
    for outputs, inputs in ((20, 80), (1, 40)):
        pair = related_teachers(outputs, inputs, [[s] for s in STRENGTHS], pair_gram(SIMILARITIES), range(n_seeds))
        estimates += [[_estimate(pair, seed, j) for seed in range(n_seeds)] for j in range(len(SIMILARITIES))]
    return np.swapaxes(estimates, 0, 1), np.array([(*STRENGTHS, q) for q in 2 * SIMILARITIES])


def _estimate(pair: tuple[Teachers, ...], seed: int, setting: int) -> tuple[float, float, float]:
    """Strengths and similarity of one pair; signs as those of the teachers."""
    data = [task.training[seed, setting] for task in pair]
    (s_a, v_a, _), (s_b, v_b, _) = map(visible_modes, data)
    signs = [np.sign(v[:, 0] @ task.right[seed, setting, :, 0]) for v, task in zip((v_a, v_b), pair, strict=True)]
    return s_a[0], s_b[0], similarity(*data)[0, 0] * np.prod(signs)


class LawGaps(NamedTuple):
    """Benefit in simulated rows less the law for one output, summed over four cases, for each number of inputs."""

    inputs: Array
    gap: Array
    error: Array


@sized(n_seeds=SETTINGS.n_seeds_law_gaps, cost="1 GB, 1 min on one core")
def law_gaps(*, n_seeds: int) -> LawGaps:
    """Simulated minus predicted benefit at 50, 100 and 200 inputs."""
    sizes, gaps = np.array([50, 100, 200]), []
    for d in sizes:
        errors = []
        for q, rho in SETTINGS.cases:
            clean, cov, data = _row_pairs(q, rho, int(d), n_seeds)
            alone, joint = (at_best(head_errors(x, clean[:1])) for x in (data[:, :1], data))
            errors.append(alone - joint - one_output_benefit(clean @ clean.T + cov, cov))
        gaps.append(mean_and_error(np.sum(errors, axis=0)))
    gap, error = np.transpose(gaps)
    return LawGaps(sizes, gap, error)


def _row_pairs(q: float, rho: float, d: int, n_seeds: int) -> tuple[Array, Array, Array]:
    """Clean rows of strengths 3 and 2, covariance of their noise, and data."""
    cov, clean = np.array([[1, rho], [rho, 1]]), np.zeros((2, d))
    clean[0, 0] = 3
    clean[1, :2] = 2 * q, 2 * np.sqrt(1 - q**2)
    noise = np.random.default_rng(d).standard_normal((n_seeds, 2, d))
    return clean, cov, clean + np.linalg.cholesky(cov) @ noise / np.sqrt(d)


@sized(n_seeds=SETTINGS.n_seeds_noise_of_sharing, cost="1 GB, 1 min on one core")
def noise_of_sharing(outputs: int, inputs: int = 40, *, n_seeds: int) -> tuple[float, float]:
    """Noise in head A of a student that keeps all modes of two strong teachers, minus that of A alone."""
    pair = related_teachers(outputs, inputs, [[300.0], [200.0]], pair_gram(0.5), range(n_seeds))
    both = stacked_training(pair)
    alone, joint = (_kept(x, n, outputs) - pair[0].clean for x, n in ((pair[0].training, 1), (both, 2)))
    mean, error = mean_and_error((joint**2 - alone**2).sum((1, 2, 3)))
    return float(mean), float(error)


def _kept(data: Array, rank: int, rows: int) -> Array:
    modes = spectra.svd(data)
    left = modes.left[..., :rows, :rank] * modes.values[..., None, :rank]
    return np.asarray(left @ modes.right[..., :rank].swapaxes(-1, -2))
