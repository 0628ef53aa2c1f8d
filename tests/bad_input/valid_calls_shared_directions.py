"""Valid calls of what draws, trains and solves tasks that share one direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib.simulation.shared_modules import train_modules

MAPS = np.random.default_rng(1).standard_normal((2, 3, 4))
MODULES = {"inputs": MAPS[:, :, None], "labels": MAPS[..., :2]}
HELD = {"held_inputs": MAPS[:, ::-1, None], "held_labels": MAPS[:, ::-1, :2]}
VECTOR, SPREAD = MAPS[1, 0], np.diag([1.0, 2.0, 0.5, 1.0])
FITS = train_modules(**MODULES, **HELD, width=2, seeds=[0, 1], n_steps=2)

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "data.two_tasks.planar": {
        "planar_points": {"n_examples": 4, "angle": 0.3, "spread": [1.0, 2.0], "slope": 3.0, "seeds": [0, 1],
                          "role": "target"},
    },
    "simulation.boundaries": {
        "angle_losses": {"points": MAPS[..., :2], "labels": [[1.0, -1.0, 1.0], [1.0, 1.0, -1.0]], "n_angles": 8,
                         "n_steps": 4, "ridge": 0.1},
    },
    "simulation.shared_modules": {
        "refit_heads": {"fits": FITS, **MODULES},
        "train_modules": {**MODULES, **HELD, "width": 2, "seeds": [0, 1], "n_steps": 3, "rate": 0.01,
                          "rectified": True, "apart": False},
    },
    "simulation.rank_one": {
        "rank_one_directions": {"s1": SPREAD, "b1": VECTOR, "s2": np.eye(4), "b2": np.ones(4), "n_grid": 201},
        "alternating_directions": {"s1": SPREAD, "b1": VECTOR, "s2": np.eye(4), "b2": np.ones(4),
                                   "starts": MAPS[0], "n_steps": 3},
    },
}
