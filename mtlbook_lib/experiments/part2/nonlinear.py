"""Experiments of the chapter on nonlinear networks: leaky rectifiers beside linear ones, from the same weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

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
from mtlbook_lib.simulation.rectifier.descent import Predictor, descend, forward, prediction_error

EPS, RATE, SINGLE = 1e-3, 0.02, torch.float32
STRENGTHS = np.array([[3.0, 0, 0], [6, 0, 0], [6, 4, 2]])
TASKS = {"s̄ = 3": 0, "s̄ = 6": 1, "s̄ = 6, 4, 2": 2}
LEAKY, LINEAR = 0.2, 1.0
SLOPES = (1.0, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01)
DEPTHS = {1: "one hidden layer", 3: "three hidden layers"}
SCHEDULES = {1: (RATE, 300, 4), 3: (0.025, 1400, 8)}  # learning rate, steps, steps between records of leaky networks
TESTED = (0.5, 0.2, 0.05)

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
    quick={"n_seeds": 2, "n_inputs": 60, "n_probes": 100},
    paper={"n_seeds": 8, "n_inputs": 100, "n_probes": 300},
    large={"n_seeds": 500, "n_inputs": 100, "n_probes": 1000},
    large_cost="8 GB, 20 min on one GPU",
)
def train_tasks(
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter, *, n_seeds: int, n_inputs: int, n_probes: int
) -> Runs:
    """Networks of all ``SLOPES`` with one hidden layer, and linear and leaky ones with three, on all ``TASKS``.

    By (hidden layers, slope): the training error "train", the "test_error" on fresh inputs, and for the leaky slope
    that of each teacher mode, "modes"; (seed, task, n_times) and (seed, task, n_times, mode).
    """
    seeds, half = range(n_seeds), n_inputs // 2
    teachers = low_rank_teachers(half, n_inputs, STRENGTHS, seeds)
    data, fresh = training_set(teachers, n_inputs), gaussian_inputs(n_inputs, n_probes, seeds, role="test")
    measures = {
        "train": prediction_error(data.inputs, data.outputs),
        "test_error": prediction_error(fresh, teachers.outputs(fresh)),
    }
    jobs = {(1, slope): SCHEDULES[1] for slope in SLOPES}
    jobs |= {(3, LINEAR): (0.025, 800, 8), (3, LEAKY): SCHEDULES[3]}
    runs: Runs = {}
    for (hidden, slope), (rate, steps, every) in progress(jobs.items()):
        start = students.orthogonal(
            half, n_inputs, (half,) * hidden, EPS, seeds, depth=hidden + 1, n_settings=3, dtype=SINGLE
        )
        watch = measures | {"modes": mode_errors(teachers, fresh)} if slope == LEAKY else measures
        runs[hidden, slope] = descend(
            start, data.inputs, data.outputs, rate, steps, slope=slope, record_every=every, observe=watch
        )
    return runs


def course(run: engine.Trajectory) -> tuple[Array, Array, Array]:
    """Times, training errors and test errors."""
    return run.times, run.values["train"], run.values["test_error"]


@dataclass(frozen=True)
class Landmarks:
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


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 24}, large={"n_seeds": 1500}, large_cost="8 GB, 10 min on one GPU")
def stage_times(*, n_seeds: int) -> Array:
    """Half-times of the modes of strength 6, 4, 2 in leaky networks of both ``DEPTHS``, shape (seed, depth, mode)."""
    teachers, found = low_rank_teachers(50, 100, STRENGTHS[2:], range(n_seeds)), []
    data, fresh = training_set(teachers, 100), gaussian_inputs(100, 300, teachers.seeds, role="test")
    watch = {"modes": mode_errors(teachers, fresh)}
    for hidden, (rate, steps, every) in SCHEDULES.items():
        start = students.orthogonal(50, 100, (50,) * hidden, EPS, teachers.seeds, depth=hidden + 1, dtype=SINGLE)
        run = descend(start, data.inputs, data.outputs, rate, steps, slope=LEAKY, record_every=every, observe=watch)
        found.append(mode_half_times(run, task=0))
    return np.stack(found, axis=1)


def balanced_teachers(n_seeds: int, n_inputs: int = 100, n_outputs: int = 5) -> Array:
    """Maps of rank one and strength 3 whose right vector has equal weight on positive and negative entries."""
    rng = np.random.default_rng(1)
    half = np.abs(rng.standard_normal((n_seeds, n_inputs // 2)))
    v = np.concatenate([half, -half], axis=1) / np.linalg.norm(half, axis=1, keepdims=True) / np.sqrt(2)
    u = rng.standard_normal((n_seeds, n_outputs))
    return np.asarray(3 * (u / np.linalg.norm(u, axis=1, keepdims=True))[:, :, None] * v[:, None, :])


@dataclass(frozen=True)
class Clean:
    """Leaky networks on balanced teachers without noise, shapes (slope of ``TESTED``, seed).

    `odd` and `even` are the final errors on new inputs of the part of the network that turns its sign with the input,
    and of the rest; `delay` is the time by which a hundred times smaller initial strength delays half of the training.
    """

    odd: Array
    even: Array
    delay: Array


@sized(
    quick={"n_seeds": 4, "n_probes": 500},
    paper={"n_seeds": 8, "n_probes": 3000},
    large={"n_seeds": 400, "n_probes": 3000},
    large_cost="6 GB, 5 min on one GPU",
)
def train_clean(*, n_seeds: int, n_probes: int) -> Clean:
    """Networks 100–128–5 from two initial scales, 1e-5 and 1e-7."""
    maps, probe = balanced_teachers(n_seeds)[:, None], gaussian_inputs(100, n_probes, range(n_seeds), role="test")
    unit = np.broadcast_to(np.eye(100), (n_seeds, 100, 100))
    layers = students.orthogonal(5, 100, 128, np.array([1e-5, 1e-7]), range(n_seeds), dtype=SINGLE)
    watch = {"train": prediction_error(unit, maps)}
    found = []
    for slope in TESTED:
        run = descend(layers, unit, maps, RATE, 450, slope=slope, record_every=2, observe=watch)
        curves = run.values["train"].reshape(2 * n_seeds, -1)
        learned = [np.interp(0.5, curve[::-1], run.times[::-1]) for curve in curves]
        found.append((*_final_parts(run, probe, maps, slope), np.diff(np.reshape(learned, (-1, 2)))[:, 0]))
    return Clean(*np.array(found).swapaxes(0, 1))


def _final_parts(run: engine.Trajectory, probe: Array, maps: Array, slope: float) -> tuple[Array, Array]:
    """Errors of the odd and of the even part on new inputs, from the smaller initial scale, shape (seed,)."""
    net, new = [engine.to_tensor(layer[:, 1:]) for layer in run.layers], engine.to_tensor(probe)[:, None]
    answers = engine.to_tensor(maps) @ new
    plus, minus = forward(net, new, slope), forward(net, -new, slope)
    parts = (plus - minus) / 2 - answers, (plus + minus) / 2
    odd, even = (part.square().sum((-2, -1)) / answers.square().sum((-2, -1)) for part in parts)
    return engine.to_numpy(odd[:, 0]), engine.to_numpy(even[:, 0])


def last_errors(teachers: Teachers, hidden: int, steps: int, slope: float, paired: bool = False) -> Array:
    """Test error at the end of training, (seed, setting); `paired` adds the negative of each training input."""
    n_inputs, n_settings = teachers.n_inputs, teachers.clean.shape[1]
    shown, probe = training_set(teachers, n_inputs), gaussian_inputs(n_inputs, 300, teachers.seeds, role="test")
    x, y = shown.inputs, shown.outputs
    if paired:
        x, y = (np.concatenate([part, -part], axis=-1) / np.sqrt(2) for part in (x, y))
    layers = students.orthogonal(
        teachers.n_outputs, n_inputs, hidden, EPS, teachers.seeds, n_settings=n_settings, dtype=SINGLE
    )
    watch = {"test_error": prediction_error(probe, teachers.outputs(probe))}
    run = descend(layers, x, y, RATE, steps, slope=slope, record_every=steps, observe=watch)
    return np.asarray(run.values["test_error"][..., -1])


@sized(quick={"n_seeds": 1}, paper={"n_seeds": 4}, large={"n_seeds": 500}, large_cost="2 GB, 1 min on one GPU")
def paired_inputs(*, n_seeds: int) -> Array:
    """Final test errors at slopes 0.2 and 0 with all inputs and their negatives, shape (slope, seed)."""
    clean = low_rank_teachers(50, 100, [3.0], range(n_seeds), noise_scale=0.0)
    return np.array([last_errors(clean, 50, 400, slope, paired=True)[:, 0] for slope in (LEAKY, 0.0)])


@sized(quick={"n_seeds": 4}, paper={"n_seeds": 20}, large={"n_seeds": 2000}, large_cost="4 GB, 2 min on one GPU")
def floor_by_width(*, n_seeds: int) -> Mapping[int, Array]:
    """Number of hidden units to the final test errors without noise, shape (seed,)."""
    teachers = low_rank_teachers(5, 100, [3.0], range(n_seeds), noise_scale=0.0)
    return {hidden: last_errors(teachers, hidden, 400, LEAKY)[:, 0] for hidden in (4, 16, 128)}


@sized(
    quick={"n_seeds": 1, "steps": 500},
    paper={"n_seeds": 8, "steps": 1000},
    large={"n_seeds": 500, "steps": 1000},
    large_cost="3 GB, 2 min on one GPU",
)
def late_errors(*, n_seeds: int, steps: int) -> Array:
    """Test errors of leaky networks that have fitted all of the noise, (seed, task)."""
    return last_errors(low_rank_teachers(50, 100, STRENGTHS, range(n_seeds)), 50, steps, LEAKY)


def weightings(n_examples: int = 4000) -> dict[str, float]:
    """Error of a random network against a random teacher, on Gaussian inputs and on the same at unit length."""
    net = students.orthogonal(50, 100, (50, 50), 1.0, [0], depth=3)
    x = engine.to_tensor(gaussian_inputs(100, n_examples, [0], role="test"))[:, None]
    goal = engine.to_tensor(low_rank_teachers(50, 100, [1.0, 1.0], [0]).clean) @ x
    found = {}
    for name, scale in (("Gaussian", torch.ones_like(x[:, :, :1])), ("unit length", x.norm(dim=-2, keepdim=True))):
        missed, wanted = forward(net, x / scale, LEAKY) - goal / scale, goal / scale
        found[name] = float(missed.square().sum() / wanted.square().sum())
    return found
