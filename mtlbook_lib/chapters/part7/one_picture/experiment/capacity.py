"""One shared layer seen by two theories: as a student that may stop early, and as an optimum of a given capacity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import haar, normal
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.theory.hard_sharing import asymptotic_transfer, shared_solution
from mtlbook_lib.theory.linear_dynamics import mode_strength
from mtlbook_lib.theory.spiked import noisy_singular_value
from mtlbook_lib.theory.transfer import composite_modes, head_change, head_error

STRENGTHS, _N_INPUTS = (4.0, 3.0, 2.0), 40  # of six tasks with one output each
EPS = 1e-3


def pair_gram(q: float) -> Array:
    """Gram matrix of the input modes of two tasks of rank one."""
    return np.array([[1.0, q], [q, 1.0]])


@sized(n_seeds=(2, 4, 400), cost="1 GB, 5 min on one core")
def ends_and_optima(
    capacities: Sequence[int], n_tasks: int = 6, time: float = 120.0, *, n_seeds: int
) -> tuple[Array, Array]:
    """Maps at the end of training and at the optimum of hard sharing, (seed, capacity, task, input).

    The students have as many hidden units as the capacity and start at random; the tasks see the same orthonormal
    inputs, so that the labels of a task are its row of the data.
    """
    seeds = range(n_seeds)
    left, right = haar(n_tasks, 3, seeds, "ends: left"), haar(_N_INPUTS, 3, seeds, "ends: right")
    noise = normal((n_tasks, _N_INPUTS), seeds, "ends: noise") / np.sqrt(_N_INPUTS)
    data = (left * np.array(STRENGTHS)) @ right.swapaxes(-1, -2) + noise
    trained, shared = [], []
    for capacity in capacities:
        start = students.orthogonal(n_tasks, _N_INPUTS, capacity, EPS, seeds)
        watch = {"map": observables.composite_map()}
        run = gradient_flow.integrate(start, data[:, None], [time], rtol=1e-9, observe=watch)
        trained.append(run.values["map"][:, 0, -1])
        shared.append(np.stack([_optimum(rows, capacity) for rows in data]))
    return np.stack(trained, axis=1), np.stack(shared, axis=1)


def _optimum(rows: Array, capacity: int) -> Array:
    inputs = np.eye(rows.shape[-1])
    layer, heads, _ = shared_solution([inputs] * len(rows), list(rows), capacity)
    return np.stack(heads) @ layer.T


@dataclass(frozen=True)
class Courses:
    """Squared error of the first of two tasks in training over that of its least squares: points and lines.

    `measured` goes from the kind of student to (seed, time), `predicted` to (time,); the kinds are "alone",
    "capacity 2" and "capacity 1".
    """

    times: Array
    measured: dict[str, Array]
    predicted: dict[str, Array]


@sized(n_seeds=(20, 100, 20_000), cost="4 GB, 10 min on one core")
def courses(s: float, q: float, n_inputs: int = 500, *, n_seeds: int) -> Courses:
    """Two tasks with one output each, of one strength: trained from small weights, alone and with 1 or 2 hidden units.

    Errors are in units of the noise that least squares keeps.
    """
    seeds, times = range(n_seeds), np.r_[np.linspace(0.5, 12, 24), 15, 20, 25]
    clean = np.zeros((1, 1, 2, n_inputs))
    clean[..., 0] = s * q, s
    clean[..., 0, 1] = s * np.sqrt(1 - q**2)
    data = clean + normal((2, n_inputs), seeds, "courses: noise")[:, None] / np.sqrt(n_inputs)
    cases = {"alone": (data[:, :, :1], 1), "capacity 2": (data, 2), "capacity 1": (data, 1)}
    watch = {"error": observables.relative_test_error(clean[:, :, :1], rows=slice(0, 1))}
    measured = {}
    for name, (rows, capacity) in cases.items():
        start = students.aligned(rows, capacity, EPS, seeds)
        run = gradient_flow.integrate(start, rows, times, observe=watch)
        measured[name] = s**2 * run.values["error"][:, 0]
    return Courses(times, measured, _predicted(s, q, n_inputs, times))


def _predicted(s: float, q: float, n_inputs: int, times: Array) -> dict[str, Array]:
    aspect = 1 / n_inputs
    alone = head_error(times, [s], np.eye(1), aspect, 1, EPS, order=1)
    both = head_error(times, [s, s], pair_gram(q), aspect, 1, EPS, order=1)
    modes, weights = composite_modes([s, s], pair_gram(q))
    grown = mode_strength(times, noisy_singular_value(modes[0], 2 * aspect), EPS)
    kept = s**2 + head_change(grown, modes[0], weights[0, 0], aspect)
    return {
        "alone": s**2 * np.asarray(alone),
        "capacity 2": s**2 * np.asarray(both),
        "capacity 1": np.asarray(kept),
    }


def early_gain(strengths: tuple[float, float], q: float, aspect: float) -> float:
    """Part III: share of the first task's error alone that a student of capacity 1 takes away by the end of training.

    Tasks with one output each of `aspect` 1/inputs.
    """
    modes, weights = composite_modes(list(strengths), pair_gram(q))
    first, alone = strengths[0] ** 2, float(noisy_singular_value(strengths[0], aspect))
    own = first + float(head_change(alone, strengths[0], 1.0, aspect, 1))
    kept = float(noisy_singular_value(modes[0], 2 * aspect))
    return 1 - (first + float(head_change(kept, modes[0], weights[0, 0], aspect))) / own


def pooled_gain(strengths: tuple[float, float], q: float, per_input: float) -> float:
    """Part V: the same in the limit of many inputs, with `per_input` examples of the first task for each input.

    Only examples for each input matter in the limit, so that two inputs do. Strengths are counted in the noise that a
    task's least squares keeps, which fixes its noise and the examples of the second task.
    """
    target, source = np.array([1.0, 0.0]), np.array([q, np.sqrt(1 - q**2)])
    noise, white = np.sqrt(per_input) / strengths[0], np.eye(2)
    sizes = 2 * per_input * (strengths[1] / strengths[0]) ** 2, 2 * per_input
    _, both, alone = asymptotic_transfer(white, white, *sizes, source, target, noise, noise)
    return 1 - float(both) / float(alone)


@sized(n_draws=(40, 400, 20_000), cost="2 GB, 2 min on one core")
def drawn_gains(strengths: tuple[float, float], cosines: Sequence[float], d: int = 400, *, n_draws: int) -> Array:
    """The same from data: squared error of the first task, alone and with one shared direction, (draw, cosine, 2).

    Orthonormal inputs, so that the data are the tasks' models with noise; the best map of rank one is their first mode.
    """
    cosine = np.asarray(cosines)
    models = np.zeros((cosine.size, 2, d))
    models[:, 0, 0], models[:, 1, 0] = strengths[0], strengths[1] * cosine
    models[:, 1, 1] = strengths[1] * np.sqrt(1 - cosine**2)
    data = models + normal((2, d), range(n_draws), "gains: noise")[:, None] / np.sqrt(d)
    left, values, right = np.linalg.svd(data, full_matrices=False)
    shared = left[..., :1, :1] * values[..., :1, None] * right[..., :1, :]
    fits = np.stack([data[..., 0, :], shared[..., 0, :]], axis=2)
    return np.asarray(((fits - models[:, None, 0]) ** 2).sum(axis=-1))
