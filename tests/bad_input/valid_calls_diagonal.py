"""One valid call of every public function of diagonal and of shallow networks and of their tasks: all arguments."""

from typing import Any

import numpy as np

from mtlbook_lib.simulation import diagonal, shallow
from mtlbook_lib.simulation.linear import shared_head

RNG = np.random.default_rng(1)
PATHWAY = RNG.standard_normal((2, 1, 4))
DIAGONAL = {"weights": diagonal.equal_pathways(0.1, 0.2, (2, 1, 4)), "inputs": [RNG.standard_normal((2, 1, 3, 4))],
            "labels": [RNG.standard_normal((2, 1, 3))]}  # fmt: skip
SHALLOW = {"layers": shallow.random_layers(4, 3, [0, 1], 0.5), "inputs": [RNG.standard_normal((2, 1, 3, 4))],
           "labels": [RNG.standard_normal((2, 1, 3))]}  # fmt: skip

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "data.sparse_tasks": {
        "sparse_teachers": {"dim": 6, "k_aux": 2, "k_main": 3, "overlap": 1, "seeds": [0]},
        "sphere_inputs": {"n_inputs": 4, "n_examples": 3, "seeds": [0], "role": "aux"},
        "sphere_examples": {"beta": np.ones((1, 4)), "n_examples": 3, "seeds": [0], "role": "aux"},
    },
    "data.two_tasks.relu_teachers": {
        "relu_teachers": {"dim": 4, "k_aux": 3, "k_main": 3, "shared": 1, "correlated": 1, "cosine": 0.9, "seeds": [0]},
    },
    "simulation.shallow": {
        "gradient_flow": {**SHALLOW, "tolerance": 0.1, "reach": 0.1, "miss": 0.1, "max_steps": 3},
        "random_layers": {
            "n_inputs": 3,
            "n_hidden": 4,
            "seeds": [0],
            "scale": 0.1,
            "n_tasks": 2,
            "mirrored": True,
            "role": "readout",
        },
    },
    "simulation.diagonal_variants": {
        "logistic_flow": {
            "weights": DIAGONAL["weights"],
            "inputs": DIAGONAL["inputs"],
            "labels": [np.array([[[1.0, -1.0, 1.0]]])],
            "marks": [0.8, 1.0],
            "accuracy": 0.1,
            "max_steps": 200,
        },
        "fixed_steps": {
            "weights": DIAGONAL["weights"],
            "inputs": DIAGONAL["inputs"][0][:, 0],
            "labels": DIAGONAL["labels"][0][:, 0],
            "rate": 0.1,
            "marks": [1, 2],
            "batch": 2,
            "seeds": [0, 1],
            "loss": "squares",
        },
        "descend_chains": {
            "alpha": 0.3,
            "depth": 3,
            "inputs": DIAGONAL["inputs"][0][:, 0],
            "labels": DIAGONAL["labels"][0][:, 0],
            "tolerance": 0.1,
            "reach": 0.1,
            "max_steps": 3,
        },
    },
    "simulation.linear.shared_head": {
        "head_networks": {"features": PATHWAY[:, :, None], "head": PATHWAY[:, :, :1]},
        "head_flow": {
            "networks": shared_head.head_networks(PATHWAY[:, :, None], PATHWAY[:, :, :1]),
            "inputs": DIAGONAL["inputs"][0],
            "labels": DIAGONAL["labels"][0],
            "time": 0.1,
            "layers": "both",
            "rtol": 1e-3,
            "max_steps": 100,
        },
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
        "sampled_flow": {**DIAGONAL, "times": [0.0, 0.1], "rtol": 1e-4, "max_steps": 100, "layers": "both"},
    },
}
