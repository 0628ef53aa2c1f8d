"""One valid call of every public function of diagonal networks and of their tasks, with all its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from mtlbook_lib.simulation import diagonal

RNG = np.random.default_rng(1)
PATHWAY = RNG.standard_normal((2, 1, 4))
DIAGONAL = {"weights": diagonal.equal_pathways(0.1, 0.2, (2, 1, 4)), "inputs": [RNG.standard_normal((2, 1, 3, 4))],
            "labels": [RNG.standard_normal((2, 1, 3))]}  # fmt: skip

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "data.sparse_tasks": {
        "sparse_teachers": {"dim": 6, "k_aux": 2, "k_main": 3, "overlap": 1, "seeds": [0]},
        "sphere_inputs": {"n_inputs": 4, "n_examples": 3, "seeds": [0], "role": "aux"},
    },
    "simulation.diagonal": {
        "equal_pathways": {"first": 0.1, "readout": 0.2, "shape": (2, 1, 4), "n_tasks": 2},
        "start_from": {
            "u_plus": PATHWAY,
            "u_minus": PATHWAY,
            "v_plus": PATHWAY[:, :, None],
            "v_minus": PATHWAY[:, :, None],
        },
        "gradient_flow": {**DIAGONAL, "tolerance": 0.1, "accuracy": 0.1, "max_steps": 3, "layers": "both"},
        "descend": {**DIAGONAL, "tolerance": 0.1, "reach": 0.1, "max_steps": 3},
        "shrunk": {"weights": DIAGONAL["weights"]},
        "sampled_flow": {**DIAGONAL, "times": [0.0, 0.1], "rtol": 1e-4, "max_steps": 100},
    },
}
