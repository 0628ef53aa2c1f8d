"""Experiments of the chapter on stopping early or shrinking: the best stop, and a contest on given data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.part2.stopping_or_shrinking import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.engine import best
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory import spiked
from mtlbook_lib.theory.generalization import best_stopping, test_error
from mtlbook_lib.theory.linear_dynamics import half_time, mode_strength

STRENGTHS = np.array(SETTINGS.strengths)
SCALES = SETTINGS.scales
TEACHERS: dict[str, list[float]] = {
    "3": [3, 0, 0],
    "1.5": [1.5, 0, 0],
    "1.2": [1.2, 0, 0],
    "1": [1, 0, 0],
    "0.9": [0.9, 0, 0],
    "6,4,2": [6, 4, 2],
}


@dataclass(frozen=True)
class DataSets:
    """Singular modes of noisy data: of teachers with given strengths (setting, mode), at one aspect and size."""

    strengths: Array
    aspect: float
    n_inputs: int
    modes: spectra.DataModes

    @property
    def n_outputs(self) -> int:
        """Number of outputs, N₃."""
        return round(self.aspect * self.n_inputs)

    @property
    def energy(self) -> Array:
        """Squared norm of each teacher, shape (setting,)."""
        return np.asarray((self.strengths**2).sum(axis=-1))

    def part(self, seeds: slice = slice(None), settings: Sequence[int] | slice = slice(None)) -> DataSets:
        """The same data for some of the seeds and settings only."""
        return DataSets(self.strengths[settings], self.aspect, self.n_inputs, self.modes[seeds][:, settings])

    def errors(self, x: Array) -> Array:
        """Test error of maps that give the modes of the data the strengths `x`, shape (seed, setting, ..., mode)."""
        between = (1,) * (x.ndim - 3)
        captured = self.modes.captured.reshape(*x.shape[:2], *between, -1)
        return np.asarray(1 + (x * (x - 2 * captured)).sum(axis=-1) / self.energy.reshape(1, -1, *between))


def draw(strengths: ArrayLike, aspect: float, n_inputs: int, seeds: Sequence[int]) -> DataSets:
    """Data of teachers with strengths (setting, mode) in noise, one set for each seed."""
    rows = np.asarray(strengths, dtype=np.float64)
    drawn = low_rank_teachers(round(aspect * n_inputs), n_inputs, rows, seeds)
    return DataSets(rows, aspect, n_inputs, spectra.data_modes(drawn.training, drawn.clean))


@sized(n_seeds=SETTINGS.n_seeds_best_strengths, cost="9 GB, 4 min on one core")
def best_strengths(strengths: ArrayLike, *, n_seeds: int) -> Array:
    """Best strength of the top mode of the data, shape (seed, strength), at 50 × 100."""
    return np.asarray(draw(np.reshape(strengths, (-1, 1)), 0.5, 100, range(n_seeds)).modes.captured[..., 0])


@sized(n_seeds=SETTINGS.n_seeds_rank_one_sets, cost="1 GB, 1 min on one core")
def rank_one_sets(*, n_seeds: int) -> DataSets:
    """Data of the teachers of ``STRENGTHS``, 50 × 100."""
    return draw(STRENGTHS[:, None], 0.5, 100, range(n_seeds))


@sized(n_seeds=SETTINGS.n_seeds_trained_networks, cost="3 GB, 2 min on one GPU")
def trained_networks(*, n_seeds: int) -> Array:
    """Least test error over time of aligned 100–50–50 networks on the first of these sets, (seed, strength)."""
    teachers = low_rank_teachers(50, 100, STRENGTHS[:, None], range(n_seeds))
    run = gradient_flow.integrate(
        students.aligned(teachers.training, 50, 1e-3),
        teachers.training,
        np.linspace(0, 3, 151),
        observe={"test_error": observables.relative_test_error(teachers.clean)},
        rtol=1e-5,
    )
    return np.asarray(best(run).value)


def search_times(strengths: ArrayLike, eps: float, aspect: float = 0.5, n_times: int = 150) -> Array:
    """From zero to a time when the outlier is learned for sure, (setting, time)."""
    s_hat = np.asarray(spiked.noisy_singular_value(strengths, aspect))
    return np.asarray(np.linspace(0, 1, n_times) * (1.2 * half_time(s_hat, eps) + 2 / s_hat)[:, None])


class Stops(NamedTuple):
    """Errors of aligned students at the best stop, (seed, setting)."""

    own: Array  # of each data set at its own best time
    time: Array  # that time
    common: Array  # of each data set at the one time that is best for the mean


def best_stops(sets: DataSets, eps: float, n_times: int = 150, batch: int = 50) -> Stops:
    """Every data set at its best stop, from sums over its modes; times are searched up to the weakest teacher's."""
    weakest = np.min(sets.strengths, axis=-1, where=sets.strengths > 0, initial=np.inf)
    times = search_times(weakest, eps, sets.aspect, n_times)
    curves = []
    for start in range(0, len(sets.modes.values), batch):
        some = sets.part(slice(start, start + batch))
        curves.append(some.errors(np.asarray(mode_strength(times[..., None], some.modes.values[:, :, None], eps))))
    errors, setting = np.concatenate(curves), np.arange(len(times))
    common = errors.mean(axis=0).argmin(axis=-1)
    return Stops(errors.min(axis=-1), times[setting, errors.argmin(axis=-1)], errors[:, setting, common])


class Predicted(NamedTuple):
    """Least error over time by theory at strengths `fine`: leading and first order of each initial strength."""

    fine: Array
    least: dict[float, tuple[Array, Array]]
    bound: Array


@sized(n_strengths=SETTINGS.n_strengths, cost="1 GB, 1 min on one core")
def predicted_stops(*, n_strengths: int) -> Predicted:
    """Theory of the best stop at 50 × 100 for all of ``SCALES``, and one minus the squared overlap."""
    fine = np.geomspace(0.86, 6, n_strengths)

    def least(eps: float, order: int) -> Array:
        times = search_times(fine, eps)
        return np.array([np.min(test_error(t, [s], 0.5, 50, eps=eps, order=order))
                         for s, t in zip(fine, times, strict=True)])  # fmt: skip

    bound = 1 - np.asarray(spiked.overlap(fine, 0.5)) ** 2
    return Predicted(fine, {eps: (least(eps, 0), least(eps, 1)) for eps in SCALES}, bound)


@sized(sizes=SETTINGS.sizes, cost="100 MB, 10 s on one core")
def missed_shares(*, sizes: Sequence[int]) -> dict[float, Array]:
    """Strength to rows of (strength of the bulk, share of the possible gain that the best stop misses), by eq. 15."""

    def share(s: float, aspect: float, n: int, eps: float) -> tuple[float, float]:
        s_hat, gain = spiked.noisy_singular_value(s, aspect), spiked.overlap(s, aspect) ** 2
        bulk = np.sqrt(aspect * n) * eps ** (1 - (1 + np.sqrt(aspect)) / s_hat)
        error, _ = best_stopping([s], aspect, int(aspect * n), eps=eps)
        return float(bulk), float((error - 1 + gain) / gain)

    settings = list(product((0.5, 1.0), sizes, (1e-2, 1e-4, 1e-6, 1e-9)))
    return {s: np.array([share(s, *setting) for setting in settings]) for s in SETTINGS.missed}


class Growth(NamedTuple):
    """Error at the best stop from 1e-3 against the number of inputs, by strength: (mean, error) and first order."""

    sizes: Array
    measured: dict[float, Array]
    predicted: dict[float, list[float]]


@sized(n_rows_in_all=SETTINGS.n_rows_in_all, cost="10 GB, 20 min on one core")
def growth_with_size(*, n_rows_in_all: int) -> Growth:
    """The best stop at 50 to 400 inputs; a size N has `n_rows_in_all` / N data sets."""
    sizes, strengths = np.array([50, 100, 200, 400]), np.array([1.2, 1.5, 2.0, 3.0])
    drawn = [draw(strengths[:, None], 0.5, int(n), range(n_rows_in_all // n)) for n in sizes]
    gains = np.array([mean_and_error(best_stops(sets, 1e-3).own) for sets in drawn])  # size, (mean, error), strength
    predicted = {s: [best_stopping([s], 0.5, int(n) // 2, order=1)[0] for n in sizes] for s in strengths}
    return Growth(sizes, dict(zip(strengths, gains.transpose(2, 1, 0), strict=True)), predicted)


@sized(n_seeds=SETTINGS.n_seeds_captured_and_slope, cost="1 GB, 10 s on one core")
def captured_and_slope(strength: float = 2.0, step: float = 0.01, *, n_seeds: int) -> tuple[Array, Array]:
    """Energy that the top mode of each data set captures, and its singular value's derivative by the strength."""
    near = draw([[strength], [strength - step], [strength + step]], 0.5, 100, range(n_seeds)).modes
    return near.captured[:, 0, 0], (near.values[:, 2, 0] - near.values[:, 1, 0]) / (2 * step)


@sized(n_sets=SETTINGS.n_sets, cost="10 GB, 5 min on one core")
def contest(*, n_sets: int) -> dict[float, DataSets]:
    """Data sets of the six ``TEACHERS`` at a hundred inputs, for aspects one half and one."""
    return {aspect: draw(list(TEACHERS.values()), aspect, 100, range(n_sets)) for aspect in (0.5, 1.0)}


def noise_scales(sets: DataSets) -> Array:
    """Noise level estimated from the median singular value of each data set, (seed, setting)."""
    return np.asarray(spiked.noise_scale(sets.modes.values, sets.n_outputs, sets.n_inputs))


def shrunken_errors(sets: DataSets, known: bool = True) -> Array:
    """Test error of the shrinker, (seed, setting), with the noise known or estimated."""
    scale = 1.0 if known else noise_scales(sets)[..., None]
    return sets.errors(scale * np.asarray(spiked.optimal_shrinkage(sets.modes.values / scale, sets.aspect)))


@sized(n_seeds=SETTINGS.n_seeds_validation_stop, cost="8 GB, 2 min on one core")
def validation_stop(strength: float = 2.0, eps: float = 1e-3, n_extra: int = 20, *, n_seeds: int) -> dict[str, Array]:
    """Errors of students stopped by an oracle, by `n_extra` noisy examples or all at one time, and of shrinkage."""
    seeds = range(n_seeds)
    drawn = low_rank_teachers(50, 100, [strength], seeds=seeds)
    data, extra = spectra.svd(drawn.training[:, 0]), gaussian_inputs(100, n_extra, seeds)
    noise = np.random.default_rng(5).standard_normal((n_seeds, 50, n_extra)) / 10
    seen = data.right.swapaxes(-1, -2) @ extra
    wanted = data.left.swapaxes(-1, -2) @ (drawn.outputs(extra)[:, 0] + noise)
    x = np.asarray(mode_strength(np.linspace(0, 3, 151)[:, None], data.values[:, None], eps))
    cross, power = (seen * wanted).sum(axis=-1), (seen**2).sum(axis=-1)
    stop = (x**2 * power[:, None] - 2 * x * cross[:, None]).sum(axis=-1).argmin(axis=1)
    sets = draw([[strength]], 0.5, 100, seeds)
    errors = sets.errors(x[:, None])[:, 0]
    return {
        "oracle": errors.min(axis=1),
        "validation": errors[np.arange(n_seeds), stop],
        "one time": errors[:, errors.mean(axis=0).argmin()],
        "shrinkage": shrunken_errors(sets)[:, 0],
    }
