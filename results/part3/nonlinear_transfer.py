"""Transfer to a very strong and to a weak leaky task: trains the students, writes nonlinear-transfer.json here.

Run as ``python results/part3/nonlinear_transfer.py`` from the root of the project; about a minute on one core.
"""

from __future__ import annotations

import json
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mtlbook_lib.data.leaky import LeakyPair, leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.simulation import engine
from mtlbook_lib.simulation.engine import Trajectory, best_of_mean
from mtlbook_lib.simulation.rectifier.heads import train_first_head
from mtlbook_lib.statistics import at_best_of_mean

TARGET = Path(__file__).with_name("nonlinear-transfer.json")
COMMAND = "python results/part3/nonlinear_transfer.py"
COMMON: dict[str, Any] = {
    "rank": 4,
    "n_outputs": 50,
    "n_inputs": 100,
    "n_hidden": 50,
    "n_probe": 300,
    "slope": 0.2,
    "eps": 1e-3,
    "dtype": "float32",
}
# Steps of the joint students: one number for each strength of B.
EXPERIMENTS: dict[str, dict[str, Any]] = {
    "strong": {
        "strength_a": 100.0,
        "strengths_b": [1.0, 3.0, 10.0, 100.0],
        "similarities": [0.0, 0.5, 0.8, 1.0],
        "seeds": list(range(16)),
        "learning_rate": 0.005,
        "steps_alone": 2800,
        "steps_joint": [1600, 1600, 1600, 1600],
        "record_every": 40,
    },
    "weak": {
        "strength_a": 0.5**0.25,
        "strengths_b": [1.0, 3.0, 10.0],
        "similarities": [1.0],
        "seeds": list(range(200, 360)),
        "learning_rate": 0.02,
        "steps_alone": 160,
        "steps_joint": [140, 110, 60],
        "record_every": 2,
    },
}


def data(rules: dict[str, Any], strength_b: float) -> LeakyPair:
    """Tasks A and B at all similarities."""
    strengths = [[value] * rules["rank"] for value in (rules["strength_a"], strength_b)]
    gram = pair_gram(rules["similarities"], rules["rank"], rules["rank"])
    teachers = related_teachers(rules["n_outputs"], rules["n_inputs"], strengths, gram, rules["seeds"])
    return leaky_pair((teachers[0], teachers[1]), rules["slope"], rules["n_probe"])


def train(
    rules: dict[str, Any], pair: LeakyPair, outputs: NDArray[np.float64], n_steps: int, rows_drawn: int | None = None
) -> Trajectory:
    """Students of `outputs`, watched on task A."""
    return train_first_head(
        pair.inputs,
        outputs,
        pair.probe,
        pair.answers,
        pair.seeds,
        rules["learning_rate"],
        n_steps,
        slope=rules["slope"],
        eps=rules["eps"],
        n_hidden=rules["n_hidden"],
        rows_drawn=rows_drawn,
        record_every=rules["record_every"],
    )


def summary(run: Trajectory) -> dict[str, Any]:
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


def experiment(chosen: dict[str, Any]) -> dict[str, Any]:
    """Everything about one strength of A: A alone, A alone but started as a part of the joint student, and jointly."""
    rules = COMMON | chosen
    pairs = [data(rules, strength) for strength in rules["strengths_b"]]
    joint = [train(rules, pair, pair.joint, n) for pair, n in zip(pairs, rules["steps_joint"], strict=True)]
    # Task A is the same in all pairs.
    alone, part = (
        train(rules, pairs[0], pairs[0].first, rules["steps_alone"], rows)
        for rows in (None, pairs[0].joint.shape[-2])
    )
    names = [f"{strength:g}" for strength in rules["strengths_b"]]
    return {
        "settings": rules,
        "alone": summary(alone),
        "alone_same_start": summary(part),
        "joint": {name: summary(run) for name, run in zip(names, joint, strict=True)},
    }


def main() -> None:
    stored = {
        "command": COMMAND,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__},
        "device": str(engine.device()),
        "experiments": {name: experiment(chosen) for name, chosen in EXPERIMENTS.items()},
    }
    TARGET.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
