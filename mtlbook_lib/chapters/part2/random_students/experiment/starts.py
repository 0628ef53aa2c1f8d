"""Students that start at random: integrated against the exact flow, and how late they learn a mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.learning_curves import random_errors, random_layers
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import engine, spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.statistics import crossing_times
from mtlbook_lib.theory import linear_dynamics as ld


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


@sized(n_seeds=(1, 4, 40), cost="0.1 GB, 10 s on one core")
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


@sized(n_seeds=(5, 20, 1000), cost="4 GB, 4 min on one core")
def delays(sizes: tuple[int, int, int], teacher: Sequence[float], span: float = 2.5, *, n_seeds: int) -> Delays:
    """Half time of each teacher mode in random students, minus that of aligned students on the same data.

    The sizes are inputs, hidden units, outputs; `span` is the longest delay that is expected, in units of tau over the
    least strength.
    """
    (n_inputs, n_hidden, n_outputs), seeds, eps = sizes, range(n_seeds), 1e-3
    data, k = low_rank_teachers(n_outputs, n_inputs, teacher, seeds).training, len(teacher)
    found = spectra.svd(data)
    u, v, s_hat = found.left[..., :k], found.right[..., :k], found.values[..., :k]
    w21, w32 = random_layers(n_outputs, n_inputs, n_hidden, eps, seeds)
    half = ld.half_time(s_hat, eps)
    for longest in (span, 2 * span, 4 * span):  # a rare start takes longer than the rest
        times = np.linspace(half.min(), half.max() + longest / s_hat.min(), 80)
        strength = ld.balanced_flow(w21, w32, data, times, observe=lambda maps: (u * (maps @ v)).sum(-2))
        grown = strength / s_hat[:, :, None]  # (seed, setting, time, mode)
        if (grown.max(axis=2) >= 0.5).all():
            break
    measured = crossing_times(times, grown, axis=2) - half
    start = ((w21 @ v + w32.swapaxes(-1, -2) @ u) ** 2).sum(-2) / 4
    realised = ld.half_time(s_hat, start) - half
    formula = ld.random_student_delay(s_hat, *sizes)
    return Delays(measured[:, 0], realised[:, 0], formula[:, 0])


@sized(n_seeds=(5, 60, 1000), cost="4 GB, 1 min on one core")
def crowded_delays(*, n_seeds: int) -> Delays:
    """The same for three modes in five hidden units, whose delays scatter so much that they take more seeds."""
    return delays((100, 5, 100), [6.0, 4.0, 2.0], span=10.0, n_seeds=n_seeds)


@sized(n_seeds=(50, 1000, 10000), cost="2 GB, 20 s on one core")
def log_starts(n_inputs: int, n_hidden: int, n_outputs: int, *, n_seeds: int) -> Array:
    """Logarithm of eps over the effective scale of random starts, mean over the modes of each seed's data, (seed,)."""
    first, second = random_layers(n_outputs, n_inputs, n_hidden, 1.0, range(n_seeds))
    modes = min(n_inputs, n_outputs)  # any orthonormal vectors serve as modes: the start is as random as they are
    start = ((first[..., :modes] + second[..., :modes, :].swapaxes(-1, -2)) ** 2).sum(-2) / 4
    return np.asarray(-np.log(start).mean(axis=(1, 2)))


@sized(n_seeds=(2, 10, 1000), cost="4 GB, 4 min on one GPU")
def gaussian_half_times(scale: float, *, n_seeds: int) -> tuple[Array, Array]:
    """Half times of the mode of a teacher of 3 in students with Gaussian weights, and its strengths in the data."""
    seeds, times = range(n_seeds), np.linspace(0.5, 3.0, 101)
    data = low_rank_teachers(50, 100, [3.0], seeds).training
    watch = {"strength": observables.mode_strengths(data, 1)}
    layers = students.gaussian(50, 100, 50, scale, seeds)
    strength = gradient_flow.integrate(layers, data, times, observe=watch).values["strength"][:, 0, :, 0]
    s_hat = spectra.singular_values(data)[:, 0, 0]
    return crossing_times(times, strength / s_hat[:, None]), s_hat


@sized(n_seeds=(1, 3, 12), cost="0.5 GB, 2 min on one core")
def integrated_slice(*, n_seeds: int) -> tuple[Array, Array]:
    """Test and training errors of the paper's students, by integration of the layers and by the exact flow."""
    teachers = low_rank_teachers(50, 100, [6.0, 4.0, 2.0], seeds=range(n_seeds))
    times = np.linspace(0.5, 6, 12)
    layers = students.orthogonal(50, 100, 50, 1e-3, range(n_seeds), dtype=torch.float64)
    watch = {
        "test": observables.relative_test_error(teachers.clean),
        "train": observables.relative_train_error(teachers.training),
    }
    found = gradient_flow.integrate(layers, teachers.training, times, observe=watch, rtol=1e-9).values
    exact = random_errors(teachers, times, 50, 1e-3, teachers.clean, teachers.training)
    return np.stack([found["test"], found["train"]]), exact
