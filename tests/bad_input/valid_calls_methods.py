"""One valid call of the methods that readers call on what a public function returned, with all their arguments."""

from typing import Any

import numpy as np
import torch
from valid_calls_diagonal import DIAGONAL, SHALLOW
from valid_calls_forecast import BOTH, MANY, ROWS_A
from valid_calls_packages import LABELS, NEW, PICTURES, TEXTS, WHITE, XRAYS
from valid_calls_simulation import CLASSIFIERS, EXAMPLES, LAYERS
from valid_calls_two_tasks import FITS, IMAGES, MAPS, NETWORKS

from mtlbook_lib.data.benchmarks import Texts
from mtlbook_lib.data.linear_tasks import transfer_pairs
from mtlbook_lib.data.real_pairs import targets_by_hand
from mtlbook_lib.data.two_tasks.relu_teachers import relu_teachers
from mtlbook_lib.forecast import JointClassifier, benefit_matrix
from mtlbook_lib.methods import sharing
from mtlbook_lib.methods.benchmarks import Scores
from mtlbook_lib.methods.shared_ridge import shared_ridge
from mtlbook_lib.simulation import boundaries, diagonal
from mtlbook_lib.theory.softmax import isotropic_curves

TEXT: Texts = TEXTS["RTE"].train
TABLE = {"X": WHITE, "Y": LABELS}
SHORT = {"encoder": 2, "training": sharing.Training(epochs=1)}
MODEL = sharing.HardSharing(**SHORT).fit(**TABLE)
SORTER = sharing.HardSharing(**SHORT, loss="cross-entropy").fit(WHITE, 1.0 * (LABELS > 0))
ROWS = EXAMPLES.swapaxes(1, 2)[:1]
SIGNS = np.sign(BOTH["y"])
JUDGE = JointClassifier(target="a").fit(**BOTH | {"y": SIGNS})
RIDGE = shared_ridge(WHITE, LABELS[:, 0], [0, 1] * 6, 0.3)
LOSSES = boundaries.angle_losses(MAPS[..., :2], [[1.0, -1.0, 1.0]] * 2, 8, 4, 0.1)
SCORES = Scores(("a", "b"), ("AUC",), {"alone": np.array([[1.0, 2.0], [2.0, 4.0]]), "shared": np.ones((2, 2))})

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "theory.softmax": {
        f"IsotropicCurves.{name}": {"self": isotropic_curves(3), "s": [1.0, 2.0]}
        for name in ("gain", "log_partition", "slope_deficit", "excess")
    },
    "data.benchmarks": {
        "Pictures.rows": {"self": PICTURES[0], "chosen": [0, 1]},
        "Texts.rows": {"self": TEXT, "chosen": [0, 1]},
        "Texts.sample": {"self": TEXT, "n_rows": 2, "seed": 0},
        "Texts.split": {"self": TEXT, "seed": 0, "test_share": 0.5},
        "XRays.rows": {"self": XRAYS[0], "chosen": [0, 1]},
    },
    "data.linear_tasks": {
        "TransferPair.source": {"self": transfer_pairs(5, 4, 3, 0.9, 3.0, 0.1, [0], spikes=1), "n_examples": 3},
    },
    "data.real_pairs": {"Target.relation": {"self": targets_by_hand()[0], "place": 0}},
    "data.two_tasks.relu_teachers": {
        "ReluTeacher.labels": {"self": relu_teachers(4, 3, 3, 1, 1, 0.9, [0])[0], "inputs": ROWS},
    },
    "forecast": {
        "BenefitMatrix.helping": {"self": benefit_matrix(**MANY), "target": 0},
        "JointClassifier.predict": {"self": JUDGE, "X": ROWS_A, "task": "a"},
        "JointClassifier.score": {"self": JUDGE, "X": BOTH["X"], "y": SIGNS, "task": "a"},
    },
    "methods.benchmarks": {
        "Scores.mean_and_error": {"self": SCORES, "method": "shared"},
    },
    "methods.shared_ridge": {"SharedRidge.predict": {"self": RIDGE, "x": NEW, "task": 0}},
    "methods.sharing": {
        "HardSharing.fit": {"self": MODEL, **TABLE, "sample_weight": np.ones(len(WHITE))},
        "HardSharing.predict": {"self": MODEL, "X": NEW},
        "HardSharing.outputs": {"self": MODEL, "X": NEW},
        "HardSharing.predict_proba": {"self": SORTER, "X": NEW},
        "HardSharing.row_losses": {"self": MODEL, **TABLE},
        "HardSharing.scores": {"self": MODEL, **TABLE, "sample_weight": np.ones(len(WHITE))},
        "HardSharing.score": {"self": MODEL, **TABLE, "sample_weight": np.ones(len(WHITE))},
        "HardSharing.network_of": {"self": MODEL, "task": 0},
    },
    "simulation.boundaries": {"AngleLosses.best_angles": {"self": LOSSES, "others": LOSSES}},
    "simulation.convolution": {
        "Images.errors": {"self": IMAGES, "networks": NETWORKS, "task": 0},
        "Networks.rescaled": {"self": NETWORKS, "factors": [0.5, 1.0]},
        "Networks.with_heads": {"self": NETWORKS, "heads": [NETWORKS.heads[0]]},
        "Networks.repeated": {"self": NETWORKS, "times": 2},
        "Networks.features": {"self": NETWORKS, "images": IMAGES.inputs},
        "Networks.logits": {"self": NETWORKS, "images": IMAGES.inputs, "task": 0},
    },
    "simulation.diagonal": {
        "Fits.coefficients": {"self": diagonal.gradient_flow(**DIAGONAL, max_steps=3), "task": 0},
        "Weights.coefficients": {"self": DIAGONAL["weights"], "task": 0},
        "Weights.predictions": {"self": DIAGONAL["weights"], "inputs": DIAGONAL["inputs"][0][:, 0], "task": 0},
        "Weights.with_readout": {"self": DIAGONAL["weights"], "gamma": 0.1},
        "Weights.rescaled": {"self": DIAGONAL["weights"], "factor": [0.5]},
        "Weights.symmetrised": {"self": DIAGONAL["weights"], "first": DIAGONAL["weights"].u_plus},
    },
    "simulation.shallow": {
        "Layers.outputs": {"self": SHALLOW["layers"], "inputs": SHALLOW["inputs"][0]},
        "Layers.predictions": {"self": SHALLOW["layers"], "inputs": SHALLOW["inputs"][0][:, 0], "task": 0},
        "Layers.rescaled": {"self": SHALLOW["layers"], "factor": [[0.5]]},
        "Layers.with_readout": {"self": SHALLOW["layers"], "second": SHALLOW["layers"].second},
        "Layers.of_settings": {"self": SHALLOW["layers"], "n_settings": 2},
    },
    "simulation.shared_modules": {
        "ModuleFits.features": {"self": FITS, "inputs": MAPS[:, :, None]},
        "ModuleFits.scores": {"self": FITS, "inputs": MAPS[:, :, None]},
    },
    "simulation.softmax": {
        "Students.of": {"layers": LAYERS, "n_heads": 1, "rectified": False},
        "Students.with_layers": {"self": CLASSIFIERS, "layers": [*CLASSIFIERS.trunk, *CLASSIFIERS.heads]},
        "Students.alone": {"self": CLASSIFIERS, "task": 0},
        "Students.head": {"self": CLASSIFIERS, "task": 0},
        "Students.composite": {"self": CLASSIFIERS, "task": 0},
        "Students.logits": {"self": CLASSIFIERS, "inputs": torch.tensor(EXAMPLES), "task": 0},
        "Students.activities": {"self": CLASSIFIERS, "inputs": torch.tensor(EXAMPLES)},
    },
}
