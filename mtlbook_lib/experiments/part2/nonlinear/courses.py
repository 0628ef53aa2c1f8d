"""The course of training: landmarks of test curves, stages and plateaus of leaky networks beside linear ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.simulation import engine
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.rectifier.descent import Predictor, descend, prediction_error

EPS, RATE, SINGLE = 1e-3, 0.02, torch.float32
STRENGTHS = np.array([[3.0, 0, 0], [6, 0, 0], [6, 4, 2]])
TASKS = {"s̄ = 3": 0, "s̄ = 6": 1, "s̄ = 6, 4, 2": 2}
LEAKY, LINEAR = 0.2, 1.0
SLOPES = (1.0, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01)
DEPTHS = {1: "one hidden layer", 3: "three hidden layers"}
SCHEDULES = {1: (RATE, 300, 4), 3: (0.025, 1400, 8)}  # learning rate, steps, steps between records of leaky networks

Runs = dict[tuple[int, float], engine.Trajectory]


def mode_errors(teachers: Teachers, inputs: Array) -> Callable[[Predictor], Tensor]:
    """Observable: squared error along each teacher mode, relative to the energy of its answers; 0 energy is absent."""
    left, new = engine.to_tensor(teachers.left), engine.to_tensor(inputs)[:, None]
    wanted = left.mT @ engine.to_tensor(teachers.outputs(inputs))

    def observable(predict: Predictor) -> Tensor:
        answers = predict(new)
        missed = left.to(answers).mT @ answers - wanted.to(answers)
        return missed.square().sum(-1) / wanted.to(answers).square().sum(-1).clamp_min(1e-6)

    return observable


@sized(
    quick={"n_seeds": 2, "n_inputs": 40, "n_probes": 50},
    paper={"n_seeds": 8, "n_inputs": 100, "n_probes": 300},
    large={"n_seeds": 500, "n_inputs": 100, "n_probes": 1000},
    large_cost="8 GB, 20 min on one GPU",
)
def train_tasks(
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
    depths: Sequence[int] = (1, 3),
    slopes: Sequence[float] = SLOPES,
    seeds: Sequence[int] | None = None,
    steps: int | None = None,
    *,
    n_seeds: int,
    n_inputs: int,
    n_probes: int,
) -> Runs:
    """Networks of all ``SLOPES`` with one hidden layer, and linear and leaky ones with three, on all ``TASKS``.

    By (hidden layers, slope): the training error "train", the "test_error" on fresh inputs, and for the leaky slope
    that of each teacher mode, "modes"; (seed, task, n_times) and (seed, task, n_times, mode). Of the `depths` and
    `slopes` given; `seeds` and `steps` overrule those of the profile and of ``SCHEDULES``.
    """
    seeds, half = range(n_seeds) if seeds is None else seeds, n_inputs // 2
    teachers = low_rank_teachers(half, n_inputs, STRENGTHS, seeds)
    data, fresh = training_set(teachers, n_inputs), gaussian_inputs(n_inputs, n_probes, seeds, role="test")
    measures = {
        "train": prediction_error(data.inputs, data.outputs),
        "test_error": prediction_error(fresh, teachers.outputs(fresh)),
    }
    jobs = {(1, slope): SCHEDULES[1] for slope in SLOPES}
    jobs |= {(3, LINEAR): (0.025, 800, 8), (3, LEAKY): SCHEDULES[3]}
    chosen = {case: schedule for case, schedule in jobs.items() if case[0] in depths and case[1] in slopes}
    runs: Runs = {}
    for (hidden, slope), (rate, usual, every) in progress(chosen.items()):
        start = students.orthogonal(
            half, n_inputs, (half,) * hidden, EPS, seeds, depth=hidden + 1, n_settings=3, dtype=SINGLE
        )
        watch = measures | {"modes": mode_errors(teachers, fresh)} if slope == LEAKY else measures
        runs[hidden, slope] = descend(
            start, data.inputs, data.outputs, rate, steps or usual, slope=slope, record_every=every, observe=watch
        )
    return runs


def course(run: engine.Trajectory) -> tuple[Array, Array, Array]:
    """Times, training errors and test errors."""
    return run.times, run.values["train"], run.values["test_error"]


class Landmarks(NamedTuple):
    """What is read off test curves, shapes (seed, task): the least and the last error, and three times.

    The error is half of the way down (`half`), comes within ten per cent of its minimum (`reached`), and later exceeds
    it by as much (`onset`).
    """

    least: Array
    last: Array
    half: Array
    reached: Array
    onset: Array


def landmarks(run: engine.Trajectory) -> Landmarks:
    """The landmarks of a run, which must last until every network has overfitted."""
    curve, least = run.values["test_error"], engine.best(run).value[..., None]
    ends = np.asarray(least[..., 0]), np.asarray(curve[..., -1])
    return Landmarks(*ends, half_times(run), _first(run, curve < 1.1 * least), onset(run, ratio=1.1))


def half_times(run: engine.Trajectory) -> Array:
    """Time at which the test error has come half of the way down to its least, (seed, task)."""
    return _first(run, run.values["test_error"] < (1 + engine.best(run).value[..., None]) / 2)


def onset(run: engine.Trajectory, ratio: float = 1.0, rise: float = 0.0) -> Array:
    """First time after its minimum at which the test error exceeds `ratio` times the minimum, and `rise` more."""
    minimum = engine.best(run)
    after = run.times > minimum.time[..., None]
    return _first(run, (run.values["test_error"] > ratio * minimum.value[..., None] + rise) & after)


def _first(run: engine.Trajectory, mark: Any) -> Array:
    if not mark.any(-1).all():
        raise ValueError("run must last until every network has overfitted; train for more steps.")
    return np.asarray(run.times[mark.argmax(-1)])


def mode_half_times(run: engine.Trajectory, task: int) -> Array:
    """Time at which the error of each mode has come half of the way down to its least, (seed, mode)."""
    errors = run.values["modes"][:, task]
    learned = errors < (1 + errors.min(axis=1, keepdims=True)) / 2
    return np.asarray(run.times[learned.argmax(axis=1)])
