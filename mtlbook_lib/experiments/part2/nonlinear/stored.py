"""Leaky networks that are kept beside the book: those with three hidden layers, whose training takes most of the time.

``results/part2/nonlinear.py`` trains them with `train_kept`; the chapter reads them, and trains some again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.experiments.part2.nonlinear.courses import (
    DEPTHS,
    LEAKY,
    LINEAR,
    SCHEDULES,
    STRENGTHS,
    Runs,
    half_times,
    landmarks,
    mode_half_times,
    onset,
    train_tasks,
)
from mtlbook_lib.experiments.sizes import sized
from mtlbook_lib.experiments.stored_results import reading, significant
from mtlbook_lib.simulation import engine

FILE = "results/part2/nonlinear.json"
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
    sizes: dict[str, Any] = {"n_inputs": n_inputs, "n_probes": n_probes}
    runs = train_tasks(depths=list(DEPTHS), slopes=[LINEAR, LEAKY], n_seeds=n_seeds, **sizes)
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


@sized(quick={"n_seeds": 2}, paper={"n_seeds": 8}, large={"n_seeds": 500}, large_cost="8 GB, 20 min on one GPU")
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


@sized(quick={"n_steps": 16}, paper={"n_steps": 600}, large={"n_steps": 1400}, large_cost="1 GB, 10 s on one core")
@own_seeds()
def retrain_sample(seed: int, *, n_steps: int) -> float:
    """Largest distance of the test errors of deep leaky networks of one seed, trained again, from those that are kept.

    Over the first `n_steps` of the training: what the last bit of single precision turns grows with time.
    """
    every = SCHEDULES[_DEEP][2]
    sizes: dict[str, Any] = {"n_seeds": 1, "n_inputs": 100, "n_probes": 300}
    run = train_tasks(depths=[_DEEP], slopes=[LEAKY], seeds=[seed], steps=n_steps, **sizes)
    now = run[_DEEP, LEAKY].values["test_error"][0]
    kept = np.array(_kept()["leaky"]["test_error"])[seed, :, : n_steps // every + 1]
    return float(np.abs(now - kept).max())
