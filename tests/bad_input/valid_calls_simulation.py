"""One valid call of every public function of simulation, with all its arguments."""

from typing import Any

import numpy as np
import torch
from valid_calls_packages import EXAMPLES, LABELS, MAPS, NEW, WHITE

from mtlbook_lib.simulation import softmax, spectra
from mtlbook_lib.simulation.engine import Trajectory
from mtlbook_lib.simulation.linear import observables, students
from mtlbook_lib.simulation.mixed_batches import SharedDirections
from mtlbook_lib.simulation.rectifier.descent import forward

RNG = np.random.default_rng(2)
DIRECTIONS = SharedDirections(np.ones((2, EXAMPLES.shape[-1])), np.ones((2, 1)))
CHAIN = [0.1 * RNG.standard_normal((2, 1, 2, 4)), 0.1 * RNG.standard_normal((2, 1, 3, 2))]
LAYERS = [torch.tensor(layer) for layer in CHAIN]
LEFT, RIGHT = RNG.standard_normal((2, 1, 3, 2)), RNG.standard_normal((2, 1, 4, 2))
SPREAD = np.diag([1.0, 2.0, 0.5, 1.0])
MOMENTS = {"s1": SPREAD, "b1": NEW[0, [0, 1, 2, 0]], "s2": np.eye(4), "b2": np.ones(4)}
OUTPUTS = MAPS @ EXAMPLES[:, None]
RUN = Trajectory(
    times=np.array([0.0, 1.0, 2.0]),
    values={"test_error": np.array([[[1.0, 0.5, 0.7]], [[1.0, 0.4, 0.6]]])},
    layers=(),
    converged=np.ones((2, 1), dtype=bool),
    diverged=np.zeros((2, 1), dtype=bool),
    steps=np.ones((2, 1), dtype=np.int64),
    step=np.ones((2, 1)),
    method="written",
    device="cpu",
    dtype="float64",
)
CLASSIFIED = (EXAMPLES, np.array([[[0, 1, 2, 1, 0]], [[2, 1, 0, 0, 1]]]))
CLASSIFIERS = softmax.normal_students(3, 4, 2, 0.1, [0, 1])
JUDGED = {"maps": MAPS[:, 0], "teachers": MAPS[::-1, 0], "seeds": [0, 1]}
WATCH = {"maps": observables.composite_map()}
STUDENT = {"n_outputs": 3, "n_inputs": 4, "n_hidden": 2, "seeds": [0, 1], "depth": 2, "n_settings": 1, "dtype": None}
TRAINED = {"lr": 0.01, "n_steps": 2, "record_every": 1}


def through(predict: Any) -> Any:
    return predict(torch.tensor(EXAMPLES[:, None]))


def predict(inputs: Any) -> Any:
    return forward(LAYERS, inputs)


CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "simulation.held_out": {
        "held_out_modes": {"inputs": WHITE, "targets": LABELS, "new_inputs": NEW, "new_targets": LABELS[:9]},
    },
    "simulation.pooled": {
        "pooled_models": {**MOMENTS, "ratio": 0.7},
        "weighted_ridge_models": {**MOMENTS, "weight": 0.7, "ridge": 1.0},
    },
    "simulation.spectra": {
        "singular_values": {"matrices": MAPS},
        "svd": {"matrices": MAPS},
        "top_mode": {"matrices": MAPS, "left": LEFT[..., 0], "right": RIGHT[..., 0]},
        "data_modes": {"training": MAPS, "teacher": MAPS[..., :2, :], "rows": slice(2)},
        "leading_data_modes": {"training": MAPS, "teacher": MAPS[..., :2, :], "n_modes": 2},
        "Spectrum.truncated": {"self": spectra.svd(MAPS), "rank": 2},
        "DataModes.added_distance": {"self": spectra.data_modes(MAPS, MAPS), "x": [1.0, 0.5, 0.2]},
        "DataModes.relative_error": {"self": spectra.data_modes(MAPS, MAPS), "x": [1.0, 0.5, 0.2]},
    },
    "simulation.engine": {
        "best": {"result": RUN, "name": "test_error"},
        "time_constant": {"lr": 0.1, "loss": "full"},
        "to_tensor": {"values": [1.0, 2.0], "precision": None},
        "to_numpy": {"tensor": torch.ones(2)},
        "device": {},
        "dtype": {},
        "profile": {},
    },
    "simulation.logits": {
        "isotropic_means": {"norms": [1.0, 2.0], "k": 3, "seeds": [0, 1], "n_draws": 4},
        "map_means": {"maps": MAPS[:, 0], "seeds": [0, 1], "n_draws": 4},
        "mean_jacobians": {"maps": MAPS[:, 0], "seeds": [0, 1], "n_draws": 4},
        "agreement": {"overlaps": [0.5], "k": 3, "seeds": [0, 1], "n_draws": 4},
        "overlap": {"maps": MAPS, "others": MAPS[::-1]}},
    "simulation.one_step": {
        "one_step_maps": {"teachers": MAPS[:, 0], "n_samples": [5], "seeds": [0, 1]},
        "losses": {"scales": [1.0, 0.5], **JUDGED, "n_draws": 20}, "best_losses": {**JUDGED, "n_draws": 40},
    },
    "simulation.softmax": {
        "aligned_students": {"left": LEFT, "right": RIGHT, "scale": 0.1, "depth": 2, "dtype": None},
        "balance": {"layer": 0}, "composite": {"task": 0}, "component": {"target": MAPS, "task": 0},
        "cross_entropy": {"examples": CLASSIFIED, "task": 0},
        "descend": {"students": CLASSIFIERS, "tasks": [CLASSIFIED], "lr": 0.1, "n_steps": 2, "task_weights": [1.0],
                    "loss": "mean", "batch_size": 2, "batch_seeds": [0, 1], "record": 1,
                    "observe": {"maps": softmax.composite()}},
        "loss_gradient": {"students": CLASSIFIERS, "tasks": [CLASSIFIED], "task_weights": [1.0], "loss": "mean"},
        "normal_students": {"n_classes": 3, "n_features": 4, "n_hidden": 2, "scale": 0.1, "seeds": [0, 1], "depth": 2,
                            "n_tasks": 1, "n_settings": 1, "rectified": False, "dtype": None},
        "optimal_stopping": {"result": RUN, "name": "test_error"},
        "softmax_covariance": {"maps": MAPS, "inputs": EXAMPLES},
        "squared_gradient": {"tasks": [CLASSIFIED]},
        "stop_at_best": {"students": CLASSIFIERS, "tasks": [CLASSIFIED], "test": CLASSIFIED, "lr": 0.1, "n_steps": 2,
                         "record": 1, "loss": "mean", "task_weights": [1.0]}},
    "simulation.mixed_batches": {
        "train_on_mixed_batches": {"inputs": [EXAMPLES], "labels": [EXAMPLES[..., 0]], "seeds": [0, 1], "n_epochs": 1,
                                   "rate": 0.01, "batch_size": 2, "rectified": False, "dtype": None},
        "align_on_batches": {"inputs": EXAMPLES, "labels": EXAMPLES[..., 0], "start": DIRECTIONS, "task": 0,
                             "seeds": [0, 1], "n_epochs": 1, "rate": 0.01, "batch_size": 2, "rectified": False,
                             "dtype": None},
    },
    "simulation.sharing": {
        "train_shared": {"inputs": EXAMPLES.reshape(2, 1, 5, 4), "labels": EXAMPLES[:, :1], "capacity": 2,
                         "seeds": [0], "n_steps": 2, "weights": [1.0]},
    },
    "simulation.linear.aligned": {
        "mode_strengths": {"values": [[3.0, 1.0]], "times": [0.0, 0.1], "eps": 1e-3, "depth": 2, "variances": 0.5,
                           "rtol": 1e-4},
    },
    "simulation.linear.descent": {
        "descend": {"layers": LAYERS, "training": MAPS, **TRAINED, "loss": "half", "covariance": SPREAD,
                    "observe": WATCH},
    },
    "simulation.linear.gradient_flow": {
        "integrate": {"layers": LAYERS, "training": MAPS, "times": [0.0, 0.1], "covariance": SPREAD,
                      "rtol": 1e-4, "max_steps": 100, "observe": WATCH},
        "sample_times": {"times": [0.0, 0.1]},
    },
    "simulation.linear.networks": {},
    "simulation.linear.observables": {
        "relative_train_error": {"training": MAPS, "covariance": SPREAD, "target_power": 4.0},
        "relative_test_error": {"clean": MAPS, "covariance": SPREAD, "rows": slice(3)},
        "mode_strengths": {"training": MAPS, "n_modes": 2},
        "mode_alignments": {"training": MAPS, "n_modes": 2},
        "singular_values": {"n_modes": 2},
        "unseen_energy": {"inputs": EXAMPLES[:, None]},
        "composite_map": {},
    },
    "simulation.linear.imbalanced": {
        "imbalanced": {"layers": students.orthogonal(2, 3, 2, 0.1, [0, 1]), "imbalance": 0.3},
    },
    "simulation.linear.students": {
        "aligned": {"training": MAPS, "n_hidden": 2, "eps": 1e-3, "seeds": [0, 1], "depth": 2, "dtype": None},
        "orthogonal": {**STUDENT, "eps": 1e-3},
        "gaussian": {**STUDENT, "scale": 0.1},
    },
    "simulation.rectifier.descent": {
        "forward": {"layers": LAYERS, "inputs": torch.tensor(EXAMPLES[:, None]), "slope": 0.2, "leaky_output": True},
        "descend": {"layers": LAYERS, "inputs": EXAMPLES, "targets": OUTPUTS, **TRAINED, "slope": 0.2,
                    "leaky_output": True, "loss": "half", "observe": {"outputs": through}},
        "prediction_error": {"inputs": EXAMPLES, "targets": OUTPUTS},
    },
    "simulation.rectifier.heads": {
        "train_first_head": {"inputs": EXAMPLES, "targets": OUTPUTS, "probe": EXAMPLES, "answers": OUTPUTS,
                             "seeds": [0, 1], **TRAINED, "slope": 0.2, "eps": 1e-3, "n_hidden": 2, "rows_drawn": 3,
                             "dtype": torch.float64},
    },
}  # fmt: skip
# What an observable is asked, so that rubbish that it was built from is used.
ASKED: dict[tuple[str, str], Any] = {
    **{("simulation.linear.observables", name): torch.tensor(MAPS) for name in CALLS["simulation.linear.observables"]},
    **{
        ("simulation.softmax", name): CLASSIFIERS
        for name in ("balance", "component", "composite", "cross_entropy", "squared_gradient")
    },
    ("simulation.rectifier.descent", "prediction_error"): predict,
}
