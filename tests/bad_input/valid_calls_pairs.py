"""Valid calls of what draws pairs of real tasks and trains students on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib.data.real_pairs import Partner, Target
from mtlbook_lib.simulation.stopped_students import train_stopped

ROWS = np.random.default_rng(0).standard_normal((2, 5, 3))
TRAINING: dict[str, Any] = {
    "inputs": [ROWS], "labels": [ROWS[..., 0]], "binary": [False], "held_inputs": ROWS, "held_labels": ROWS[..., 1],
    "trunk": ROWS[:, :2], "shifts": ROWS[:, :2, 0], "rate": 0.01, "rectified": True, "frozen": False, "n_steps": 3,
    "every": 2,
}  # fmt: skip

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "data.real_pairs": {
        "draw_rows": {"target": Target("iris", "setosa", 20, (Partner("versicolor", 20),)), "seeds": [0, 1]},
        "random_targets": {"n_targets": 2, "n_partners": 2, "seed": 0},
        "shift_columns": {"rows": ROWS[0], "shift": "negated", "images": False},
        "source_of": {"name": "iris"},
        "targets_by_hand": {},
    },
    "simulation.stopped_students": {
        "train_stopped": TRAINING,
        "StoppedStudents.outputs": {"self": train_stopped(**TRAINING), "inputs": ROWS},
    },
}
