"""What the chapter on deeper students runs: half times, the learning of noise, alignment, and the least test error."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy.special import roots_gegenbauer

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import aligned_errors, minima
from mtlbook_lib.chapters.part2.deeper_students import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import reading, significant, spot_check
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import Arm, crossing_times
from mtlbook_lib.theory import generalization
from mtlbook_lib.theory import linear_dynamics as ld

# Half-times move by less than 1e-4; single precision can reach it, at half the cost of double.
_RTOL, _SINGLE = 2e-5, torch.float32
FILE = "part2/deeper_students/deeper-students.json"
STRENGTHS = np.array([1.0, 1.5, 2.0, 3.0, 6.0])[:, None]
GRIDS = {"rank 1": STRENGTHS, "rank 3": STRENGTHS * [1, 2 / 3, 1 / 3]}
ENDS = {1e-1: 2.0, 1e-2: 5.0, 1e-3: 12.0}  # initial scale of the students of a teacher of 3, and how long they train


@dataclass(frozen=True)
class Alignment:
    """Alignment and learned share of each teacher mode in random students, (seed, time, mode)."""

    times: Array
    alignment: Array
    share: Array

    def reach(self, level: float = 0.9) -> Array:
        """Time at which each mode is aligned to a level, (seed, mode)."""
        return crossing_times(self.times, self.alignment, level, axis=1)

    @property
    def half(self) -> Array:
        """Time at which each mode is half learned, (seed, mode)."""
        return crossing_times(self.times, self.share, axis=1)


@dataclass(frozen=True)
class Stops:
    """Least test error and its time, (seed, setting), of aligned and random students, with theory if there is one."""

    error: dict[str, Arm]
    time: dict[str, Arm]

    @property
    def gap(self) -> Array:
        """Least error of the random student minus that of the aligned one."""
        return np.asarray(self.error["random"].simulated - self.error["aligned"].simulated)

    @property
    def lag(self) -> Array:
        """Best time to stop of the random student over that of the aligned one."""
        return np.asarray(self.time["random"].simulated / self.time["aligned"].simulated)


def _grow(teachers: Teachers, n_hidden: int, depth: int, eps: float, times: Array, k: int) -> tuple[Array, Array]:
    """Learned share (seed, time, mode) of the top k data modes in random students, and their strengths (seed, mode)."""
    data = teachers.training
    sizes = teachers.n_outputs, teachers.n_inputs, n_hidden
    layers = students.orthogonal(*sizes, eps, teachers.seeds, depth=depth, dtype=_SINGLE)
    watch = {"strength": observables.mode_strengths(data, k)}
    strength = gradient_flow.integrate(layers, data, times, observe=watch, rtol=_RTOL).values["strength"]
    s_hat = spectra.singular_values(data)[..., :k]
    return (strength / s_hat[:, :, None])[:, 0], s_hat[:, 0]


@sized(n_seeds=SETTINGS.n_seeds_half_time_ratios, cost="2 GB, 2 min on one GPU")
def half_time_ratios(teacher: Sequence[float], depth: int, eps: float, *, n_seeds: int) -> Arm:
    """Half times of random over aligned students of the paper's size, noisy data, (seed, mode); theory at the mean."""
    return _ratios(low_rank_teachers(50, 100, teacher, range(n_seeds)), 50, depth, eps, 121)


@sized(n_seeds=SETTINGS.n_seeds_half_size_ratios, cost="2 GB, 2 min on one GPU")
def half_size_ratios(teacher: Sequence[float], noise_scale: float, *, n_seeds: int) -> Arm:
    """The same for four layers at half the size (50 inputs, other layers 25), with and without noise in the data."""
    teachers = low_rank_teachers(25, 50, teacher, range(n_seeds), noise_scale=noise_scale)
    return _ratios(teachers, 25, 4, 1e-3, 61)


@sized(n_seeds=SETTINGS.n_seeds_weak_ratios, cost="2 GB, 2 min on one GPU")
def weak_ratios(*, n_seeds: int) -> Arm:
    """``half_size_ratios`` of a teacher of 1.2 in noise, over the seeds that its small difference from theory needs."""
    return half_size_ratios([1.2], 1.0, n_seeds=n_seeds)


@sized(n_seeds=SETTINGS.n_seeds_square_ratios, width=SETTINGS.width, cost="6 GB, 10 min on one GPU")
def square_ratios(depth: int, *, n_seeds: int, width: int) -> Arm:
    """The same with all layers equally wide, for one mode without noise; theory is the mean over starts of this width.

    A start has one number, an entry of a random orthogonal matrix.
    """
    strength, eps = 1.5, 1e-3
    run = _ratios(low_rank_teachers(width, width, [strength], range(n_seeds), noise_scale=0.0), width, depth, eps, 61)
    entries, weights = roots_gegenbauer(12, width / 2 - 1)
    half = ld.deep_random_half_time(strength, eps, depth, overlap=entries)
    mean = weights @ half / weights.sum() / ld.mode_time(strength / 2, strength, eps, depth=depth)
    return replace(run, theory=np.array([mean]))


def _ratios(teachers: Teachers, n_hidden: int, depth: int, eps: float, n_times: int) -> Arm:
    values = teachers.singular_values[0]
    end = 2.2 * ld.mode_time(values.min() / 2, values.min(), eps, depth=depth)
    times = np.linspace(0, end, n_times)
    share, s_hat = _grow(teachers, n_hidden, depth, eps, times, values.size)
    half, mean = ld.mode_time(s_hat / 2, s_hat, eps, depth=depth), s_hat.mean(axis=0)
    sides = [min(1.0, n_hidden / n) for n in (teachers.n_inputs, teachers.n_outputs)]
    predicted = ld.deep_random_half_time(mean, eps, depth, *sides) / ld.mode_time(mean / 2, mean, eps, depth=depth)
    return Arm(crossing_times(times, share, axis=1) / half, np.asarray(predicted))


def ratio_lines(scales: Array, depths: Sequence[int]) -> dict[int, Array]:
    """Predicted ratio of half times in the paper's students, for each depth, shape (scale,)."""
    return {
        depth: np.divide(ld.deep_random_half_time(3.0, scales, depth, 0.5), ld.mode_time(1.5, 3.0, scales, depth=depth))
        for depth in depths
    }


@sized(n_seeds=SETTINGS.n_seeds_noise_learning, n_grid=SETTINGS.n_grid, cost="2 GB, 2 min on one GPU")
def noise_learning(depth: int, *, n_seeds: int, n_grid: int) -> tuple[Array, Arm]:
    """Mean learned share of the noise modes beside a teacher of 3, simulated and from the reduction mode by mode.

    First the times, in units of the predicted half time of noise at strength 1; the shares are (seed, time).
    """
    unit, grid = ld.deep_random_half_time(1.0, 1e-3, depth, 0.5, 1.0), np.linspace(0.2, 2.0, n_grid)
    times = np.linspace(0.2, 2.5, 24) * unit
    share, s_hat = _grow(low_rank_teachers(50, 100, [3.0], range(n_seeds)), 50, depth, 1e-3, times, 50)
    curves = ld.deep_random_strength(times, grid, 1e-3, depth, 0.5, 1.0)[0] / grid[:, None]
    predicted = np.array([[np.interp(row, grid, curve) for curve in curves.T] for row in s_hat[:, 1:]])
    return times / unit, Arm(share[..., 1:].mean(axis=-1), predicted.mean(axis=(0, 2)))


@sized(n_seeds=SETTINGS.n_seeds_alignment, cost="4 GB, 4 min on one GPU")
def alignment(teacher: Sequence[float], depth: int, end: float, *, n_seeds: int) -> Alignment:
    """How well random students of the paper's size match each teacher mode of their data, and how much they learned."""
    seeds, k = range(n_seeds), len(teacher)
    data = low_rank_teachers(50, 100, teacher, seeds).training
    s_hat, times = spectra.singular_values(data)[..., :k], np.linspace(0, end, 49)
    watch = {"alignment": observables.mode_alignments(data, k), "strength": observables.mode_strengths(data, k)}
    layers = students.orthogonal(50, 100, 50, 1e-3, seeds, depth=depth, dtype=_SINGLE)
    values = gradient_flow.integrate(layers, data, times, observe=watch, rtol=_RTOL).values
    return Alignment(times, values["alignment"][:, 0], values["strength"][:, 0] / s_hat)


@sized(n_seeds=SETTINGS.n_seeds_stops, n_times=SETTINGS.n_times, cost="8 GB, 10 min on one GPU")
def stops(
    strengths: ArrayLike, depth: int, eps: float = 1e-3, end: float = 14.0, *, n_seeds: int, n_times: int
) -> Stops:
    """Least test error and best time to stop of aligned and random students, for teachers (setting, rank)."""
    return _stops(low_rank_teachers(50, 100, strengths, seeds=range(n_seeds)), depth, eps, np.linspace(0, end, n_times))


@sized(n_seeds=SETTINGS.n_seeds_strong_stops, cost="4 GB, 5 min on one GPU")
def strong_stops(eps: float, end: float, *, n_seeds: int) -> Stops:
    """The same for one teacher of strength 3 and four layers, from other initial scales."""
    return _stops(low_rank_teachers(50, 100, [3.0], seeds=range(n_seeds)), 4, eps, np.linspace(0, end, 101))


def _stops(teachers: Teachers, depth: int, eps: float, times: Array) -> Stops:
    values, seeds = teachers.singular_values, teachers.seeds
    layers = students.orthogonal(50, 100, 50, eps, seeds, depth=depth, n_settings=len(values), dtype=_SINGLE)
    watch = {"test": observables.relative_test_error(teachers.clean)}
    random = gradient_flow.integrate(layers, teachers.training, times, observe=watch, rtol=_RTOL).values["test"]
    aligned = aligned_errors(teachers, times, 50, eps, depth)
    return _arms(minima(times, aligned), minima(times, random), _best(values, depth, eps, times))


def _arms(aligned: Any, random: Any, theory: tuple[Array, Array]) -> Stops:
    arms = [{"aligned": Arm(aligned[i], theory[i]), "random": Arm(random[i])} for i in (0, 1)]
    return Stops(*arms)


def _best(values: Array, depth: int, eps: float, times: Array) -> tuple[Array, Array]:
    """Least error of aligned students and its time, by theory."""
    curves = [generalization.test_error(times, s, 0.5, 50, depth=depth, eps=eps, order=1) for s in values]
    return minima(times, np.array(curves))


def train_kept(n_seeds: int = 20, n_strong: int = 60, n_times: int = 85) -> dict[str, Any]:
    """Stops of students with four layers, as they are stored: those on ``GRIDS``, and of a teacher of 3 by scale."""
    grids = {name: stops(grid, 4, n_seeds=n_seeds, n_times=n_times) for name, grid in GRIDS.items()}
    strong = {f"{eps:g}": strong_stops(eps, end, n_seeds=n_strong) for eps, end in ENDS.items()}
    trained = {"grids": grids, "strong": strong}
    return {kind: {name: _numbers(run) for name, run in runs.items()} for kind, runs in trained.items()}


def _numbers(run: Stops) -> dict[str, Any]:
    """By student: the least error of every seed and setting, and its time."""
    parts = run.error, run.time
    return {name: [significant(part[name].simulated, 7) for part in parts] for name in ("aligned", "random")}


@sized(file=FILE, minutes=10)
def compute_stored(_: Path) -> dict[str, Any]:
    """Everything that is kept."""
    return {"stops": train_kept()}


def kept_stops() -> tuple[dict[str, Stops], dict[float, Stops]]:
    """Stored stops with their theory: by the names of ``GRIDS``, and by the initial scales of ``ENDS``."""
    with reading(FILE) as content:
        grids, strong = content["stops"]["grids"], content["stops"]["strong"]
        by_name = {name: _read(grids[name], values, 1e-3, np.linspace(0, 14, 85)) for name, values in GRIDS.items()}
        by_scale = {
            eps: _read(strong[f"{eps:g}"], np.array([[3.0]]), eps, np.linspace(0, end, 101))
            for eps, end in ENDS.items()
        }
    return by_name, by_scale


def _read(numbers: dict[str, Any], values: Array, eps: float, times: Array) -> Stops:
    aligned, random = (np.array(numbers[name]) for name in ("aligned", "random"))
    return _arms(aligned, random, _best(values, 4, eps, times))


@spot_check(FILE, 1e-3, every_part=True, seed=range(20), eps=tuple(ENDS), strong=range(60))
def recomputed(seed: int, eps: float, strong: int) -> tuple[Array, Array]:
    """Least errors on ``GRIDS`` of one seed of both students, and of a teacher of 3 from one scale of ``ENDS``.

    Not where they are: on a plateau minima are anywhere.
    """
    grids, scales = kept_stops()
    jobs = [(grids[name], seed, grid, 1e-3, np.linspace(0, 14, 85)) for name, grid in GRIDS.items()]
    jobs.append((scales[eps], strong, np.array([3.0]), eps, np.linspace(0, ENDS[eps], 101)))
    now, then = [], []
    for kept, one, strengths, scale, times in jobs:
        run = _stops(low_rank_teachers(50, 100, strengths, seeds=[one]), 4, scale, times)
        now += [run.error[name].simulated[0] for name in ("aligned", "random")]
        then += [kept.error[name].simulated[one] for name in ("aligned", "random")]
    return np.concatenate(now), np.concatenate(then)
