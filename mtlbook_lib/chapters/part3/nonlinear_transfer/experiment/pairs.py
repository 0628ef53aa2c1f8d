"""Pairs of leaky tasks, the students that learn them, a symmetry that is exact, and runs that are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.chapters.paired_curves import PairedCurves
from mtlbook_lib.chapters.sizes import sized
from mtlbook_lib.chapters.stored_results import reading
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.leaky import LeakyPair, leaky_outputs, leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.data.teachers import Teachers
from mtlbook_lib.simulation.engine import Trajectory, best_of_mean
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.rectifier.descent import Predictor, descend, prediction_error
from mtlbook_lib.simulation.rectifier.heads import train_first_head
from mtlbook_lib.statistics import at_best_of_mean
from mtlbook_lib.theory.transfer import best_head_stopping

RANK, N_OUTPUTS, N_INPUTS, N_HIDDEN = 4, 50, 100, 50
SLOPE, EPS, RATE = 0.2, 1e-3, 0.02
WEAK, MODEST, STRONG = 0.5**0.25, 3.0, 100.0
GRID = np.array([0, 0.5, 0.8, 1])
_MANY = 8  # seeds whose mean curve must have its minimum inside; that of a few may lie anywhere


def tasks(s_a: float, s_b: float, qs: ArrayLike, seeds: Iterable[int]) -> tuple[Teachers, Teachers]:
    """Linear teachers of A and B, four equal strengths each, similarity `qs` times the identity."""
    first, second = related_teachers(
        N_OUTPUTS, N_INPUTS, [[s_a] * RANK, [s_b] * RANK], pair_gram(qs, RANK, RANK), seeds
    )
    return first, second


def train(
    pair: LeakyPair,
    outputs: Array,
    horizon: float,
    slope: float = SLOPE,
    lr: float = RATE,
    every: int = 5,
    eps: float = EPS,
    n_hidden: int = N_HIDDEN,
) -> Array:
    """Test error on task A of students of `outputs`, shape (seed, setting, time), up to the time `horizon`."""
    data = pair.inputs, outputs, pair.probe, pair.answers, pair.seeds
    run = train_first_head(*data, lr, round(horizon / lr), slope=slope, eps=eps, n_hidden=n_hidden, record_every=every)
    return np.asarray(run.values["test_error"])


def paired(alone: Array, joint: Array) -> PairedCurves:
    """The two curves, whose minima must not lie at the end of the training."""
    curves = PairedCurves(alone, joint)
    if len(alone) >= _MANY and not curves.interior:
        raise RuntimeError("a mean curve is lowest at an end of the training: change its horizon.")
    return curves


def linear_part(teacher: Teachers, slope: float = SLOPE, n_examples: int = 4000) -> tuple[float, float]:
    """Mean gain of the part of a leaky teacher that is linear in its inputs, and the share of its energy."""
    x = gaussian_inputs(N_INPUTS, n_examples, teacher.seeds, role="training")
    y = leaky_outputs(teacher, x, slope)[:, 0]
    z = teacher.right[:, 0].swapaxes(-1, -2) @ x
    gains = np.linalg.svd(y @ z.swapaxes(-1, -2) * N_INPUTS / n_examples, compute_uv=False)
    share = (gains**2).sum(-1) / ((y**2).sum((1, 2)) * N_INPUTS / n_examples)
    return float(gains.mean() / teacher.singular_values[0, 0]), float(share.mean())


def linear_benefit(s_a: float, s_b: float, qs: ArrayLike, eps: float = EPS) -> Array:
    """Theory for linear tasks of rank four at the sizes of the simulation, with all terms of order one."""
    both = [s_a] * RANK, [s_b] * RANK
    grams = pair_gram(np.atleast_1d(qs), RANK, RANK)
    return _least((both[0],), np.eye(RANK), eps) - np.array([_least(both, gram, eps) for gram in grams])


def _least(strengths: Sequence[Sequence[float]], gram: Array, eps: float) -> float:
    return best_head_stopping(strengths, gram, N_OUTPUTS / N_INPUTS, N_OUTPUTS, eps, order=1)[0]


@sized(n_seeds=(8, 16, 400), cost="1 GB, 10 s on one core")
def mean_linear_part(*, n_seeds: int) -> tuple[float, float]:
    """Gain and share of the linear part, mean over teachers."""
    return linear_part(tasks(1.0, 1.0, [0.0], range(n_seeds))[0])


@sized(n_seeds=(1, 2, 50), cost="1 GB, 1 min on one core")
def change_by_turning(*, n_seeds: int) -> float:
    """Largest change of a learning curve if inputs, input modes and first layer are turned, in double precision."""
    teachers = tasks(3.0, 3.0, [0.5], range(n_seeds))
    pair = leaky_pair(teachers)
    first, last = students.orthogonal(2 * N_OUTPUTS, N_INPUTS, N_HIDDEN, EPS, pair.seeds, dtype=torch.float64)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((N_INPUTS, N_INPUTS)))[0]
    inputs = turn @ pair.inputs
    turned = [leaky_outputs(replace(task, right=turn @ task.right), inputs) + task.noise for task in teachers]
    before = _double_curve([first, last], pair.inputs, pair.joint, pair.probe, pair.answers)
    rotated = first @ torch.tensor(turn.T).to(first)
    after = _double_curve([rotated, last], inputs, np.concatenate(turned, axis=-2), turn @ pair.probe, pair.answers)
    return float(np.abs(after - before).max())


def _double_curve(layers: Sequence[torch.Tensor], *data: Array) -> Array:
    """Error on A over 160 steps. Tensors keep their double precision, arrays would take that of the runtime."""
    inputs, targets, probe, answers = (torch.tensor(values).to(layers[0]) for values in data)
    error = prediction_error(probe, answers)

    def first_head(predict: Predictor) -> torch.Tensor:
        return error(lambda x: predict(x)[..., :N_OUTPUTS, :])

    run = descend(layers, inputs, targets, RATE, 160, leaky_output=True, record_every=20, observe={"A": first_head})
    return np.asarray(run.values["A"])


COMMON: dict[str, Any] = {
    "rank": RANK,
    "n_outputs": N_OUTPUTS,
    "n_inputs": N_INPUTS,
    "n_hidden": N_HIDDEN,
    "n_probe": 300,
    "slope": SLOPE,
    "eps": EPS,
    "dtype": "float32",
}
# Steps of the joint students: one number for each strength of B.
RULES: dict[str, dict[str, Any]] = {
    "strong": {
        "strength_a": 100.0,
        "strengths_b": [1.0, 3.0, 10.0, 100.0],
        "similarities": [0.0, 0.5, 0.8, 1.0],
        "seeds": list(range(48)),
        "learning_rate": 0.005,
        "steps_alone": 2800,
        "steps_joint": [1600, 1600, 1600, 1600],
        "record_every": 40,
    },
    "weak": {
        "strength_a": WEAK,
        "strengths_b": [1.0, 3.0, 10.0],
        "similarities": [0.0, 1.0],
        "seeds": list(range(200, 680)),
        "learning_rate": 0.02,
        "steps_alone": 160,
        "steps_joint": [140, 110, 60],
        "record_every": 2,
    },
}


def stored_results() -> dict[str, Any]:
    """What is kept of the runs, by the names of RULES."""
    with reading("mtlbook_lib/chapters/part3/nonlinear_transfer/nonlinear-transfer.json") as found:
        kept: dict[str, Any] = found["experiments"]
    return kept


def stored_experiment(rules: dict[str, Any]) -> dict[str, Any]:
    """All runs of one strength of A: alone, alone but started as a part of the joint student, and jointly."""
    data = [_data(rules, strength) for strength in rules["strengths_b"]]
    joint = [_train(rules, pair, pair.joint, n) for pair, n in zip(data, rules["steps_joint"], strict=True)]
    # Task A is the same in all pairs.
    alone, part = (
        _train(rules, data[0], data[0].first, rules["steps_alone"], rows) for rows in (None, data[0].joint.shape[-2])
    )
    names = [f"{strength:g}" for strength in rules["strengths_b"]]
    return {
        "settings": COMMON | rules,
        "alone": _summary(alone),
        "alone_same_start": _summary(part),
        "joint": {name: _summary(run) for name, run in zip(names, joint, strict=True)},
    }


def _data(rules: dict[str, Any], strength_b: float) -> LeakyPair:
    return leaky_pair(tasks(rules["strength_a"], strength_b, rules["similarities"], rules["seeds"]))


def _train(
    rules: dict[str, Any], pair: LeakyPair, outputs: Array, n_steps: int, rows_drawn: int | None = None
) -> Trajectory:
    data, lr = (pair.inputs, outputs, pair.probe, pair.answers, pair.seeds), rules["learning_rate"]
    return train_first_head(*data, lr, n_steps, rows_drawn=rows_drawn, record_every=rules["record_every"])


def _summary(run: Trajectory) -> dict[str, Any]:
    """Error of every seed where the mean curve is least, for each setting, and the least error of every seed.

    The minimum of the mean curve must not be the last sample.
    """
    stop = best_of_mean(run)
    if not stop.interior.all():
        raise RuntimeError(f"the mean curve is still falling at the end: best times {stop.time}.")
    curves = run.values["test_error"]
    errors, _ = at_best_of_mean(curves)
    return {
        "time": stop.time.round(6).tolist(),
        "error": errors.round(7).tolist(),
        "own_least": curves.min(-1).round(7).tolist(),
    }


def stored_benefit(found: dict[str, Any], partner: str, alone: str = "alone", kind: str = "error") -> Array:
    """Benefit of each seed and similarity in the stored results of one experiment."""
    return np.asarray(np.array(found[alone][kind]) - np.array(found["joint"][partner][kind]))


def benefit_by_rule(found: dict[str, Any]) -> tuple[dict[str, Array], dict[str, Array]]:
    """Stored benefits by partner: all seeds stopped at one time, and each at its own best one."""
    common, own = (
        {partner: stored_benefit(found, partner, kind=rule) for partner in found["joint"]}
        for rule in ("error", "own_least")
    )
    return common, own


@own_seeds()
def retrain_sample(found: dict[str, Any], n_seeds: int, draw: int) -> tuple[Array, Array]:
    """Errors of some students of one cell of an experiment, drawn with the seed `draw`: now, and as stored."""
    rng, rules = np.random.default_rng(draw), found["settings"]
    partner = rng.choice(list(found["joint"]))
    place = rng.integers(len(rules["similarities"]))
    some = sorted(rng.choice(len(rules["seeds"]), n_seeds, replace=False))
    numbers, kept = np.array(rules["seeds"])[some], found["joint"][partner]
    pair = leaky_pair(tasks(rules["strength_a"], float(partner), [rules["similarities"][place]], numbers.tolist()))
    lr, time = rules["learning_rate"], kept["time"][place]
    now = train(pair, pair.joint, time, lr=lr, every=20)
    return now[:, 0, -1], np.array(kept["error"])[some, place]
