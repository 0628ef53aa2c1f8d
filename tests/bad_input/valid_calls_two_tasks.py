"""A valid call of each public function on tasks that share directions or features, or are real, with all arguments."""

from typing import Any

import numpy as np
import torch

from mtlbook_lib.data import inputs
from mtlbook_lib.data.real_pairs import Partner, Target
from mtlbook_lib.simulation import convolution
from mtlbook_lib.simulation.shared_modules import train_modules
from mtlbook_lib.simulation.stopped_students import train_stopped
from mtlbook_lib.simulation.two_tasks import shared_features

EXAMPLES = inputs.gaussian_inputs(4, 5, [0, 1])
FEATURES = shared_features.train_features([EXAMPLES], [EXAMPLES[:, None, :, 0]], 1, [0, 1], 1, True)
NETWORKS = convolution.random_networks([2], [0, 1])
IMAGES = convolution.Images(np.ones((2, 3, 64)), np.array([[0, 1, 1], [1, 0, 0]]))
STOPPED: dict[str, Any] = {
    "inputs": [EXAMPLES], "labels": [EXAMPLES[..., 0]], "binary": [False], "held_inputs": EXAMPLES,
    "held_labels": EXAMPLES[..., 1], "trunk": EXAMPLES[:, :2], "shifts": EXAMPLES[:, :2, 0], "rate": 0.01,
    "rectified": True, "frozen": False, "n_steps": 3, "every": 2,
}  # fmt: skip

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
    "simulation.alignment": {
        "align": {"inputs": EXAMPLES, "labels": EXAMPLES[..., 0], "direction": EXAMPLES[:, 0], "heads": [1.0, 2.0],
                  "rate": 0.01, "n_steps": 3},
    },
    "simulation.rank_one": {
        "rank_one_directions": {"s1": SPREAD, "b1": VECTOR, "s2": np.eye(4), "b2": np.ones(4), "n_grid": 201},
        "alternating_directions": {"s1": SPREAD, "b1": VECTOR, "s2": np.eye(4), "b2": np.ones(4),
                                   "starts": MAPS[0], "n_steps": 3},
        "moments": {"inputs": EXAMPLES, "labels": EXAMPLES[..., 0]},
    },
    "data.two_tasks.feature_tasks": {
        "direction_pairs": {"n_examples": 4, "n_new": 3, "n_inputs": 3, "cosines": [0.5], "seeds": [0, 1],
                            "rectified": True, "classes": False},
        "rotated_pairs": {"n_target": 4, "n_source": 5, "n_new": 3, "n_inputs": 6, "rank": 2, "mixing": [0.5],
                          "noise": 0.1, "seeds": [0, 1]},
    },
    "data.two_tasks.axis_tasks": {
        "axis_task": {"n_examples": 9, "n_inputs": 3, "noise": 0.1, "seeds": [0, 1]},
    },
    "data.two_tasks.image_classes": {
        "image_tasks": {"inputs": np.ones((30, 4)), "labels": np.arange(30) % 5, "pairs": [[3, 1]], "n_main": 2,
                        "n_auxiliary": 6, "n_test": 2, "seeds": [0]},
        "split_classes": {"labels": np.arange(30) % 5, "pair": [3, 1], "n_main": 4, "n_auxiliary": 6, "seed": 0},
    },
    "simulation.convolution": {
        "descend": {"networks": NETWORKS, "tasks": [IMAGES], "tolerance": 0.5, "rate": 1e-2, "max_steps": 3,
                    "heads_only": True, "dtype": torch.float64},
        "random_heads": {"n_classes": [2, 3], "seeds": [0, 1], "role": "finetuning"},
        "random_networks": {"n_classes": [2], "seeds": [0, 1]},
    },
    "simulation.two_tasks.on_axes": {
        "alternate_on_axes": {"squares": np.ones((2, 3)), "products": [[1.0, 0.5, 0.2], [0.3, 0.1, 2.0]],
                              "start": np.ones(3), "n_steps": 2},
    },
    "simulation.two_tasks.relu_direction": {
        "best_relu_direction": {"x1": EXAMPLES[0, :, :2], "y1": EXAMPLES[0, :, 2], "x2": EXAMPLES[1, :, :2],
                                "y2": EXAMPLES[1, :, 2], "n_grid": 5},
    },
    "simulation.two_tasks.shared_features": {
        "train_features": {"inputs": [EXAMPLES], "labels": [EXAMPLES[:, None, :, 0]], "capacity": 2, "seeds": [0, 1],
                           "n_steps": 2, "rectified": True, "loss": "squares", "rate": 0.01, "dtype": None},
        "SharedFeatures.outputs": {"self": FEATURES, "inputs": EXAMPLES, "task": 0},
    },
    "simulation.two_tasks.worst_pairs": {
        "least_sine": {"stretches": [2.0, 1.0], "angle": 0.5, "seeds": [0, 1], "n_steps": 2},
        "largest_model_error": {"stretches": [2.0, 1.0], "angle": 0.5, "seeds": [0, 1], "n_steps": 2, "noise": 0.1},
    },
    "data.real_pairs": {
        "draw_rows": {"target": Target("iris", "setosa", 20, (Partner("versicolor", 20),)), "seeds": [0, 1]},
        "random_targets": {"n_targets": 2, "n_partners": 2, "seed": 0, "held_out": False, "same_rows": 0.2},
        "shift_columns": {"rows": EXAMPLES[0], "shift": "negated", "images": False},
        "source_of": {"name": "iris"},
        "targets_by_hand": {},
    },
    "simulation.stopped_students": {
        "train_stopped": STOPPED,
        "StoppedStudents.outputs": {"self": train_stopped(**STOPPED), "inputs": EXAMPLES},
    },
}  # fmt: skip
