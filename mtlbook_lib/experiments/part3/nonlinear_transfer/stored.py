"""Runs that are kept beside the book: how they are made, what is kept of them, and how some are trained again."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._random import own_seeds
from mtlbook_lib.data.leaky import LeakyPair, leaky_pair
from mtlbook_lib.experiments.part3.nonlinear_transfer import pairs
from mtlbook_lib.experiments.part3.nonlinear_transfer.pairs import tasks
from mtlbook_lib.experiments.stored_results import reading
from mtlbook_lib.simulation.engine import Trajectory, best_of_mean
from mtlbook_lib.simulation.rectifier.heads import train_first_head
from mtlbook_lib.statistics import at_best_of_mean

COMMON: dict[str, Any] = {
    "rank": pairs.RANK,
    "n_outputs": pairs.N_OUTPUTS,
    "n_inputs": pairs.N_INPUTS,
    "n_hidden": pairs.N_HIDDEN,
    "n_probe": 300,
    "slope": pairs.SLOPE,
    "eps": pairs.EPS,
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
        "strength_a": pairs.WEAK,
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
    with reading("results/part3/nonlinear-transfer.json") as found:
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
    now = pairs.train(pair, pair.joint, time, lr=lr, every=20)
    return now[:, 0, -1], np.array(kept["error"])[some, place]
