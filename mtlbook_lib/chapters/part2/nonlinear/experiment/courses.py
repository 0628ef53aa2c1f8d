"""The course of training: landmarks of test curves, stages and plateaus of leaky networks beside linear ones.

Networks with three hidden layers, whose training takes most of the time, are kept beside the book:
``results/part2/nonlinear.py`` trains them with `train_kept`; the chapter reads them, and trains some again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import reading, significant
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import Teachers, low_rank_teachers
from mtlbook_lib.data.training import training_set
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


@sized(n_seeds=(2, 8, 500), n_inputs=(40, 100, 100), n_probes=(50, 300, 1000), cost="8 GB, 20 min on one GPU")
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


FILE = "mtlbook_lib/chapters/part2/nonlinear/nonlinear.json"
SEEDS, CURVES = 24, 8  # networks that are trained, and those of them whose whole curves are kept
RISE = 0.05  # of the teacher's energy: an onset of overfitting that is the same rise for every network
_DEEP = 3


def train_kept(n_seeds: int = SEEDS, n_curves: int = CURVES, n_inputs: int = 100, n_probes: int = 300) -> Any:
    """All that is kept: curves of the deep networks of the first seeds, stages and plateaus of leaky ones of all.

    Returns
    -------
    dict
        "linear" and "leaky": curves by name, the "modes" of the last task alone; "stages": half-times of its modes,
        (seed, depth, mode); "plateaus": times within ten per cent of the least error, in half-times, at the strengths
        of the first two tasks, (seed, depth, strength); "onsets": see `onsets`.
    """
    runs = train_tasks(slopes=[LINEAR, LEAKY], n_seeds=n_seeds, n_inputs=n_inputs, n_probes=n_probes)
    marks = [landmarks(runs[hidden, LEAKY]) for hidden in DEPTHS]
    lengths = [((mark.onset - mark.reached) / mark.half)[:, :2] for mark in marks]
    stages = [mode_half_times(runs[hidden, LEAKY], task=2) for hidden in DEPTHS]
    begun = [[_onsets(runs[hidden, slope]) for slope in (LINEAR, LEAKY)] for hidden in DEPTHS]
    return {
        "seeds": n_seeds,
        "linear": _curves(runs[_DEEP, LINEAR], n_curves),
        "leaky": _curves(runs[_DEEP, LEAKY], n_curves),
        "stages": significant(np.stack(stages, axis=1)),
        "plateaus": significant(np.stack(lengths, axis=1)),
        "onsets": significant(np.moveaxis(np.array(begun), 3, 0)),
    }


def _onsets(run: engine.Trajectory) -> Array:
    """Half-times and both onsets of a run, shape (time, seed, task)."""
    return np.stack([half_times(run), onset(run, ratio=1.1), onset(run, rise=RISE)])


def _curves(run: engine.Trajectory, n_seeds: int) -> dict[str, Any]:
    values = {name: found[:n_seeds] for name, found in run.values.items()}
    if "modes" in values:
        values["modes"] = values["modes"][:, 2:]
    return {"times": significant(run.times, 7), **{name: significant(found) for name, found in values.items()}}


def _kept() -> Any:
    with reading(FILE) as found:
        kept = found["deep"]
    return kept


@sized(n_seeds=(2, 8, 500), cost="8 GB, 20 min on one GPU")
def deep_runs(*, n_seeds: int) -> Runs:
    """The networks with three hidden layers: read where they are kept, trained where more seeds are asked for."""
    if n_seeds > CURVES:
        return train_tasks(depths=[_DEEP], n_seeds=n_seeds, n_inputs=100, n_probes=300)
    kept = _kept()
    return {(_DEEP, slope): _as_run(kept[name], n_seeds) for name, slope in (("linear", LINEAR), ("leaky", LEAKY))}


def _as_run(curves: dict[str, Any], n_seeds: int) -> engine.Trajectory:
    """Curves as the result of a simulation whose weights were not kept."""
    values = {name: np.array(found)[:n_seeds] for name, found in curves.items() if name != "times"}
    if "modes" in values:  # of the last task alone: there are none of the other two
        absent = np.full((n_seeds, len(STRENGTHS) - 1, *values["modes"].shape[2:]), np.nan)
        values["modes"] = np.concatenate([absent, values["modes"]], axis=1)
    times, ended = np.array(curves["times"]), np.ones((n_seeds, len(STRENGTHS)), dtype=bool)
    rest = ended, ~ended, np.zeros(ended.shape, dtype=np.int64), np.zeros(ended.shape)
    return engine.Trajectory(times, values, (), *rest, "gradient descent, kept", "cpu", "float32")


def stage_times() -> Array:
    """Half-times of the modes of strength 6, 4, 2 in leaky networks of both ``DEPTHS``, shape (seed, depth, mode)."""
    return np.array(_kept()["stages"])


def plateaus() -> Array:
    """Times within ten per cent of the least error, in half-times, at strengths 3 and 6: (seed, depth, strength).

    Leaky networks of both ``DEPTHS`` on teachers of rank one.
    """
    return np.array(_kept()["plateaus"])


def onsets() -> Array:
    """When overfitting begins, on all ``TASKS``: shape (seed, depth, slope, time, task).

    Networks of both ``DEPTHS``, linear and leaky. The three times: the half-time of the test error, the onset where the
    error is a tenth above its minimum, and the onset where it is ``RISE`` above.
    """
    return np.array(_kept()["onsets"])


@sized(n_steps=(16, 600, 1400), cost="1 GB, 10 s on one core")
@own_seeds()
def retrain_sample(seed: int, *, n_steps: int) -> float:
    """Largest distance of the test errors of deep leaky networks of one seed, trained again, from those that are kept.

    Over the first `n_steps` of the training: what the last bit of single precision turns grows with time.
    """
    sizes: dict[str, Any] = {"n_seeds": 1, "n_inputs": 100, "n_probes": 300}
    runs = train_tasks(depths=[_DEEP], slopes=[LEAKY], seeds=[seed], steps=n_steps, **sizes)
    now = runs[_DEEP, LEAKY].values["test_error"][0]
    kept = np.array(_kept()["leaky"]["test_error"])[seed, :, : n_steps // SCHEDULES[_DEEP][2] + 1]
    return float(np.abs(now - kept).max())
