"""What the chapter on students that start at random runs: exact flows, delays, curves, minima, narrow students."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import (
    aligned_errors,
    head_modes,
    minima,
    modes_errors,
    random_errors,
    random_layers,
)
from mtlbook_lib.chapters.part2.random_students import settings as SETTINGS
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.simulation import engine, spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import Arm, at_best_of_mean, crossing_times
from mtlbook_lib.theory import generalization
from mtlbook_lib.theory import linear_dynamics as ld

_KNOTS_APART = 0.075  # an aligned mode of strength 6 grows by a factor of 2.5 in this time


class Curves(NamedTuple):
    """Arms "aligned" and "random" of the training and of the test error at the sample times."""

    times: Array
    train: dict[str, Arm]
    test: dict[str, Arm]


@dataclass(frozen=True)
class Pair:
    """Test errors (seed, setting, time) of aligned and random students on the same data."""

    times: Array
    aligned: Array
    random: Array
    sizes: tuple[int, int, int]  # inputs, hidden units, outputs

    @property
    def gap(self) -> Array:
        """Least error of the random student minus that of the aligned one, (seed, setting)."""
        return np.asarray(self.random.min(axis=-1) - self.aligned.min(axis=-1))

    @property
    def later(self) -> Array:
        """Best time to stop of the random student minus that of the aligned one, (seed, setting)."""
        return np.asarray(minima(self.times, self.random)[1] - minima(self.times, self.aligned)[1])

    def setting(self, chosen: Sequence[int] | slice) -> Pair:
        """The pair for some of the settings."""
        return Pair(self.times, self.aligned[:, chosen], self.random[:, chosen], self.sizes)


@sized(n_seeds=SETTINGS.n_seeds_curves, cost="3 GB, 8 min on one core")
def curves(teacher: Sequence[float], eps: float = 1e-3, *, n_seeds: int) -> Curves:
    """Learning curves of the paper's students (100 inputs, 50 hidden units, 50 outputs), with what theory predicts."""
    times, start = np.linspace(0, 6, 61), float(ld.effective_initial_scale(eps, 100, 50, 50))
    teachers = low_rank_teachers(50, 100, teacher, range(n_seeds))
    test, train = random_errors(teachers, times, 50, eps, teachers.clean, teachers.training)[:, :, 0]
    modes = spectra.singular_values(teachers.training)  # (seed, 1, mode): the setting's axis becomes that of time
    left_over = ((modes - ld.mode_strength(times[:, None], modes, eps)) ** 2).sum(-1) / (modes**2).sum(-1)
    fall = [np.asarray(generalization.train_error(times, teacher, 0.5, 50, eps=scale)) for scale in (eps, start)]
    rise, late = _test_theory(times, teacher, eps)
    return Curves(
        times,
        {"aligned": Arm(left_over, fall[0]), "random": Arm(train, fall[1])},
        {"aligned": Arm(aligned_errors(teachers, times, 50, eps)[:, 0], rise), "random": Arm(test, late)},
    )


def _test_theory(times: Array, teacher: Sequence[float], eps: float) -> tuple[Array, Array]:
    rise = generalization.test_error(times, teacher, 0.5, 50, eps=eps, order=1)
    return np.asarray(rise), np.asarray(generalization.test_error_random(times, teacher, 100, 50, eps=eps, order=1))


def rise_lateness(curves: Curves, heights: ArrayLike) -> Array:
    """Relative delay of the rise of the mean test error, at shares of its height on a logarithmic scale."""
    rising = [curves.test[name].mean for name in ("aligned", "random")]
    low, high = rising[1].min(), rising[1][-1]
    levels = low * (high / low) ** np.asarray(heights)
    rises = [(curves.times[curve.argmin() :], curve[curve.argmin() :]) for curve in rising]
    soon, late = (np.array([crossing_times(*rise, level) for level in levels]) for rise in rises)
    return np.asarray(late / soon - 1)


def fall_lateness(curves: Curves, levels: ArrayLike) -> Array:
    """Relative delay with which the mean training error falls to each level."""
    soon, late = (_fall_times(curves.times, curves.train[n].mean, levels) for n in ("aligned", "random"))
    return late / soon - 1


def fall_delays(curves: Curves, levels: Sequence[float]) -> Array:
    """Time by which each student's training error falls to a level later than an aligned one's, (seed, level)."""
    arms = [curves.train[name].simulated for name in ("random", "aligned")]
    late, soon = (_fall_times(curves.times, arm, levels) for arm in arms)
    return np.transpose(late - soon)


def _fall_times(times: Array, curves: Array, levels: ArrayLike) -> Array:
    return np.array([crossing_times(times, curves, level, falling=True) for level in np.asarray(levels)])


@sized(n_seeds=SETTINGS.n_seeds_pair, n_times=SETTINGS.n_times_pair, cost="8 GB, 40 min on one core")
def pair(strengths: ArrayLike, eps: float = 1e-3, *, n_seeds: int, n_times: int) -> Pair:
    """Test errors of aligned and random students of the paper's size, for teachers (setting, rank)."""
    teachers = low_rank_teachers(50, 100, strengths, seeds=range(n_seeds))
    return _both(teachers, np.linspace(0, ld.mode_time(0.8, 1.3, eps), n_times), 50, eps)


@sized(n_seeds=SETTINGS.n_seeds_strong_gap, n_times=SETTINGS.n_times_strong_gap, cost="2 GB, 5 min on one core")
def strong_gap(strength: float = 4.0, eps: float = 1e-3, *, n_seeds: int, n_times: int) -> Array:
    """Gap of the least errors for the teacher whose students differ least, over more seeds, (seed,)."""
    return pair([[strength]], eps, n_seeds=n_seeds, n_times=n_times).gap[:, 0]


@sized(n_seeds=SETTINGS.n_seeds_narrow_pair, n_times=SETTINGS.n_times_narrow_pair, cost="12 GB, 90 min on one core")
def narrow_pair(strengths: ArrayLike, rank: int, *, n_seeds: int, n_times: int) -> Pair:
    """The same for students of a rank, with 100 inputs and 100 outputs."""
    return _both(low_rank_teachers(100, 100, strengths, seeds=range(n_seeds)), np.linspace(0, 3.2, n_times), rank, 1e-3)


@sized(n_seeds=SETTINGS.n_seeds_weak_lags, n_times=SETTINGS.n_times_weak_lags, cost="6 GB, 20 min on one core")
def weak_lags(ranks: Sequence[int], strength: float = 1.5, *, n_seeds: int, n_times: int) -> Array:
    """How much later a random student stops than an aligned one, for the teacher that scatters most, (rank, seed)."""
    pairs = [narrow_pair([[strength]], rank, n_seeds=n_seeds, n_times=n_times) for rank in ranks]
    return np.stack([one.later[:, 0] for one in pairs])


def _both(teachers: Teachers, times: Array, n_hidden: int, eps: float) -> Pair:
    # A spline through times this far apart errs by a tenth of a percent in the drop, a hundredth of that at the least.
    knots = np.linspace(0, times[-1], min(times.size, 1 + int(np.ceil(times[-1] / _KNOTS_APART))))
    random = CubicSpline(knots, random_errors(teachers, knots, n_hidden, eps)[0], axis=-1)(times)
    sizes = teachers.n_inputs, n_hidden, teachers.n_outputs
    return Pair(times, aligned_errors(teachers, times, n_hidden, eps), random, sizes)


def stopping_arms(
    pair: Pair, strengths: ArrayLike, eps: float = 1e-3, predicted: Sequence[str] = ("aligned", "random")
) -> tuple[dict[str, Arm], dict[str, Arm]]:
    """Arms of the least error and of its time; theory of the mean curve (from the effective scale) where predicted."""
    n_inputs, n_hidden, n_outputs = pair.sizes
    scales = {"aligned": eps, "random": float(ld.effective_initial_scale(eps, *pair.sizes))}
    errors, times = {}, {}
    for name, scale in scales.items():
        least, stop = minima(pair.times, getattr(pair, name))
        sizes = n_outputs / n_inputs, n_outputs, n_hidden
        best = [generalization.best_stopping(s, *sizes, eps=scale, order=1) for s in np.atleast_2d(strengths)]
        theory = np.transpose(best) if name in predicted else (None, None)
        errors[name], times[name] = Arm(least, theory[0]), Arm(stop, theory[1])
    return errors, times


def strong_arms(pair: Pair, eps: float) -> dict[str, Arm]:
    """Arms of the test error for the only setting, a teacher of 3, with theory."""
    rise, late = _test_theory(pair.times, [3.0], eps)
    return {"aligned": Arm(pair.aligned[:, 0], rise), "random": Arm(pair.random[:, 0], late)}


@sized(n_seeds=SETTINGS.n_seeds_aligned_minima, n_times=SETTINGS.n_times_aligned_minima, cost="4 GB, 5 min on one core")
def aligned_minima(strengths: ArrayLike, ranks: Sequence[int], *, n_seeds: int, n_times: int) -> tuple[Array, Array]:
    """Errors (seed, rank, setting) of aligned students at the minimum of their mean curve, and their theory."""
    teachers = low_rank_teachers(100, 100, strengths, seeds=range(n_seeds))
    modes = head_modes(teachers.training, teachers.clean)
    times = np.linspace(0, 3.2, n_times)
    curves = [modes_errors(modes, teachers, times, rank, 1e-3) for rank in ranks]
    least = np.stack([at_best_of_mean(curve)[0] for curve in curves], axis=1)
    values = np.atleast_2d(strengths)
    theory = [[generalization.best_stopping(s, 1.0, 100, rank, eps=1e-3, order=1)[0] for s in values] for rank in ranks]
    return least, np.array(theory)


class SmallStudents(NamedTuple):
    """Layers at the start, data, sample times, and the maps (seed, setting, time, ...) of the integrated layers."""

    first: Array
    second: Array
    data: Array
    times: Array
    integrated: Array


class Delays(NamedTuple):
    """Delay of each teacher mode, (seed, mode): measured, from the student's own start, and the average formula."""

    measured: Array
    realised: Array
    formula: Array


@sized(n_seeds=SETTINGS.n_seeds_small_students, cost="0.1 GB, 10 s on one core")
def small_students(n_hidden: int = 12, *, n_seeds: int) -> SmallStudents:
    """Random students of 30 inputs and 15 outputs, integrated layer by layer with a relative error of 1e-12 a step."""
    seeds, times = range(n_seeds), np.array([0.5, 1.0, 2.0, 4.0, 8.0, 20.0])
    exact = low_rank_teachers(15, 30, [3.0, 1.0], seeds).training
    data = engine.to_numpy(engine.to_tensor(exact))  # as the students see them in the precision of the runtime
    first, second = random_layers(15, 30, n_hidden, 1e-3, seeds)
    layers = [torch.as_tensor(layer) for layer in (first, second)]
    watch = {"map": observables.composite_map()}
    maps = gradient_flow.integrate(layers, data, times, observe=watch, rtol=1e-12).values["map"]
    return SmallStudents(first, second, data, times, maps)


@sized(n_seeds=SETTINGS.n_seeds_delays, cost="4 GB, 4 min on one core")
def delays(sizes: tuple[int, int, int], teacher: Sequence[float], span: float = 2.5, *, n_seeds: int) -> Delays:
    """Half time of each teacher mode in random students, minus that of aligned students on the same data.

    The sizes are inputs, hidden units, outputs; `span` is the longest delay that is expected, in units of tau over the
    least strength.
    """
    (n_inputs, n_hidden, n_outputs), seeds, eps = sizes, range(n_seeds), 1e-3
    data, k = low_rank_teachers(n_outputs, n_inputs, teacher, seeds).training, len(teacher)
    modes = spectra.svd(data)
    u, v, s_hat = modes.left[..., :k], modes.right[..., :k], modes.values[..., :k]
    w21, w32 = random_layers(n_outputs, n_inputs, n_hidden, eps, seeds)
    half = np.asarray(ld.half_time(s_hat, eps))
    for longest in (span, 2 * span, 4 * span):  # a rare start takes longer than the rest
        times = np.linspace(half.min(), half.max() + longest / s_hat.min(), 80)
        strength = ld.balanced_flow(w21, w32, data, times, observe=lambda maps: (u * (maps @ v)).sum(-2))
        grown = strength / s_hat[:, :, None]  # (seed, setting, time, mode)
        if (grown.max(axis=2) >= 0.5).all():
            break
    measured = crossing_times(times, grown, axis=2) - half
    start = ((w21 @ v + w32.swapaxes(-1, -2) @ u) ** 2).sum(-2) / 4
    realised = ld.half_time(s_hat, start) - half
    formula = np.asarray(ld.random_student_delay(s_hat, *sizes, order=1))
    return Delays(measured[:, 0], realised[:, 0], formula[:, 0])


@sized(n_seeds=SETTINGS.n_seeds_crowded_delays, cost="4 GB, 1 min on one core")
def crowded_delays(*, n_seeds: int) -> Delays:
    """The same for three modes in five hidden units, whose delays scatter so much that they take more seeds."""
    return delays((100, 5, 100), [6.0, 4.0, 2.0], span=10.0, n_seeds=n_seeds)


@sized(n_seeds=SETTINGS.n_seeds_log_starts, cost="2 GB, 20 s on one core")
def log_starts(n_inputs: int, n_hidden: int, n_outputs: int, *, n_seeds: int) -> Array:
    """Logarithm of eps over the effective scale of random starts, mean over the modes of each seed's data, (seed,)."""
    first, second = random_layers(n_outputs, n_inputs, n_hidden, 1.0, range(n_seeds))
    modes = min(n_inputs, n_outputs)  # any orthonormal vectors serve as modes: the start is as random as they are
    start = ((first[..., :modes] + second[..., :modes, :].swapaxes(-1, -2)) ** 2).sum(-2) / 4
    return np.asarray(-np.log(start).mean(axis=(1, 2)))


@sized(n_seeds=SETTINGS.n_seeds_gaussian_half_times, cost="4 GB, 4 min on one GPU")
def gaussian_half_times(scale: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Half times of the mode of a teacher of 3 in students with Gaussian weights, and its strengths in the data."""
    seeds, times = range(n_seeds), np.linspace(0.5, 3.0, 101)
    data = low_rank_teachers(50, 100, [3.0], seeds).training
    watch = {"strength": observables.mode_strengths(data, 1)}
    layers = students.gaussian(50, 100, 50, scale, seeds)
    strength = gradient_flow.integrate(layers, data, times, observe=watch).values["strength"][:, 0, :, 0]
    s_hat = spectra.singular_values(data)[:, 0, 0]
    return crossing_times(times, strength / s_hat[:, None]), s_hat


@sized(n_seeds=SETTINGS.n_seeds_integrated_slice, cost="0.5 GB, 2 min on one core")
def integrated_slice(*, n_seeds: int) -> tuple[Array, Array]:
    """Test and training errors of the paper's students, by integration of the layers and by the exact flow."""
    teachers = low_rank_teachers(50, 100, [6.0, 4.0, 2.0], seeds=range(n_seeds))
    times = np.linspace(0.5, 6, 12)
    layers = students.orthogonal(50, 100, 50, 1e-3, range(n_seeds), dtype=torch.float64)
    watch = {
        "test": observables.relative_test_error(teachers.clean),
        "train": observables.relative_train_error(teachers.training),
    }
    errors = gradient_flow.integrate(layers, teachers.training, times, observe=watch, rtol=1e-9).values
    exact = random_errors(teachers, times, 50, 1e-3, teachers.clean, teachers.training)
    return np.stack([errors["test"], errors["train"]]), exact
