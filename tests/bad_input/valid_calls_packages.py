"""One valid call of every public function of data, methods and statistics, with all its arguments."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mtlbook_lib.chapters.part5.original_benchmarks import experiment as original_benchmarks
from mtlbook_lib.chapters.part6.images import experiment as images
from mtlbook_lib.data import benchmarks, gaussian_pairs, inputs, noisy_tasks, opinions, real, related, teachers
from mtlbook_lib.data.classification import Examples
from mtlbook_lib.methods import task_estimate
from mtlbook_lib.methods.benchmarks import Scores, WordEncoder, small_network
from mtlbook_lib.methods.sharing import Training

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((12, 3))
WHITE, NEW = real.symmetric_whitener(ROWS).apply(ROWS), RNG.standard_normal((9, 3))
LABELS = RNG.standard_normal((12, 2))
TASK = real.RealTask(ROWS, np.eye(2)[np.arange(12) % 2], np.arange(12) % 2, "toy")
RATED = opinions.Opinions(ROWS, LABELS[:, 0], np.arange(12) // 2, "toy")
TEACHERS = teachers.low_rank_teachers(3, 4, [2.0, 1.0], [0, 1])
PAIR = related.related_teachers(3, 4, [[2.0], [1.0]], related.pair_gram(0.5), [0, 1])
EXAMPLES = inputs.gaussian_inputs(4, 5, [0, 1])
MAPS = RNG.standard_normal((2, 1, 3, 4))
GAUSSIAN = {"n_examples": 5, "covariance": np.eye(3), "theta": np.ones(3), "sigma": 1, "seeds": [0], "role": "source"}
DATA = np.array([[3.0, 0.2, 0.1, 0.0], [0.1, 2.5, 0.0, 0.3]])

FILES = tempfile.TemporaryDirectory()  # removed when Python ends
HERE = Path(FILES.name)
original_benchmarks.write_glue(HERE / "glue", 12, 0)
original_benchmarks.write_sentiment(HERE / "sets", 6, 0)
original_benchmarks.write_vectors(HERE / "vectors.txt", 3, 0)
original_benchmarks.write_chest(HERE / "chest", 30, 0)
images.write_cifar(HERE / "cifar", 4, 0)
PICTURES = benchmarks.cifar(HERE / "cifar")
XRAYS, FOUND = benchmarks.chest_xrays(HERE / "chest"), list(original_benchmarks.FINDINGS_HERE)
TEXTS = {name: benchmarks.glue_task(HERE / "glue", name) for name in ("RTE", "SST-2")}
WORDS = ["good", "bad"]
ON_TEXTS = {"tasks": TEXTS, "training": Training(epochs=1, dtype="float32"), "seed": 0,
            "encoder": WordEncoder(WORDS, benchmarks.word_vectors(HERE / "vectors.txt", WORDS), "mlp", 3)}  # fmt: skip

CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "data.benchmarks": {
        "class_score": {"measure": "matthews", "labels": [0, 1, 1], "predicted": [0, 1, 0]},
        "chest_xrays": {"folder": HERE / "chest"},
        "cifar": {"folder": HERE / "cifar"},
        "glue_task": {"folder": HERE / "glue", "name": "RTE"},
        "pixels": {"files": XRAYS[0].files[:2], "side": 4},
        "sentiment_task": {"folder": HERE / "sets", "name": "TREC"},
        "with_random_labels": {"labels": [[0, 1], [1, 0], [1, 1]], "task": 1, "seed": 0, "share": 0.5},
        "word_vectors": {"path": HERE / "vectors.txt", "words": WORDS},
    },
    "methods.benchmarks": {
        "compare_images": {"train": XRAYS[0], "test": XRAYS[1], "network": small_network(3), "findings": FOUND,
                           "methods": ["Algorithm 2"], "rank": 1, "noisy": "Mass", "side": 4, "seed": 0,
                           "training": Training(epochs=1, dtype="float32")},
        "compare_pretraining": {"train": PICTURES[0], "test": PICTURES[1], "network": small_network(3), "pair": [0, 2],
                                "examples": [4], "methods": ["alone"], "n_auxiliary": 6, "tolerance": 5.0, "seed": 0,
                                "finetuning": None, "training": Training(epochs=1, dtype="float32")},
        "compare_texts": {**ON_TEXTS, "methods": ["shared"], "weights": [1.0, 2.0]},
        "rescaled": {"network": torch.nn.Linear(2, 3), "factor": 0.5, "scaled": "filters"},
        "residual_network": {"width": 2},
        "small_network": {"width": 3},
        "concatenate": {"parts": [Scores(("a",), ("AUC",), {"alone": np.ones((1, 1))})]},
        "transfer_texts": {**ON_TEXTS, "source": "RTE"},
        "vocabulary": {"tasks": [TEXTS["RTE"].train]},
    },
    "statistics": {
        "mean_and_error": {"values": ROWS},
        "relative_distance": {"found": ROWS, "expected": ROWS + 1.0},
        "at_best_of_mean": {"curves": ROWS},
        "crossing_times": {"times": [0.0, 1.0, 2.0], "curves": [0.9, 0.6, 0.1], "level": 0.5, "falling": True,
                           "axis": 0},
        "mean_and_pair_error": {"values": np.eye(6)},
        "jackknife_error": {"left_out": ROWS},
        "weighted_slope": {"x": [0.0, 1.0, 2.0], "y": [0.0, 1.0, 2.5], "error": [0.1, 0.1, 0.2]},
        "slope_of_means": {"x": ROWS, "y": ROWS + 0.1 * RNG.standard_normal(ROWS.shape), "paired": True},
    },
    "data.classification": {
        "snr_teachers": {"n_classes": 3, "n_features": 4, "snr": [2.0], "seeds": [0], "rank": 2},
        "snr_pairs": {"n_classes": 2, "n_features": 5, "snr_main": [2.0], "snr_auxiliary": 1.0, "relatedness": 0.5,
                      "seeds": [0], "rank": 2},
        "normal_inputs": {"n_features": 4, "n_examples": 3, "seeds": [0], "role": "test"},
        "argmax_labels": {"maps": MAPS, "inputs": EXAMPLES, "noise": EXAMPLES[:, :3]},
        "label_covariance": {"examples": Examples(EXAMPLES, np.ones((len(EXAMPLES), 1, EXAMPLES.shape[2]), int)),
                             "n_classes": 3},
        "labelled": {"teachers": TEACHERS, "n_examples": 3, "role": "main", "noise": "sample"},
    },
    "data.digit_tasks": {
        "yes_no_targets": {"labels": [0, 3, 9], "tasks": {"odd": (1, 3, 5, 7, 9)}},
        "group_targets": {"labels": [0, 3, 9], "tasks": {"odd": (1, 3, 5, 7, 9)}},
        "digit_split": {"n_first": 60, "n_second": 50, "seed": 0, "n_axes": 5, "stratified": False},
        "turn": {"images": np.arange(128.0).reshape(2, 64)},
    },
    "data.noisy_tasks": {
        "noisy_tasks": {"name": "odd", "shares": [0.0, 0.2], "n_examples": 60, "seeds": [0, 1], "columns": [0, 0]},
        "NoisyTasks.with_ridge": {"self": noisy_tasks.noisy_tasks("odd", [0.0, 0.2], 60, [0]), "ridge": 1.0},
    },
    "data.opinions": {
        "opinions": {"domain": "NYT"},
        "split_reviews": {"texts": RATED, "test_fraction": 0.5, "seed": 0},
        "few_rows": {"texts": RATED, "n_examples": 3, "seed": 0},
        "centred": {"texts": RATED, "reference": RATED},
        "Opinions.explained": {"self": RATED, "models": np.ones((2, 3))},
    },
    "data.gaussian_pairs": {
        "gaussian_task": {**GAUSSIAN, "part": 1},
        "gaussian_pair": {"n_examples": [5, 6], "spreads": [np.eye(2)] * 2, "thetas": np.eye(2),
                          "sigmas": [0.5, 1.0], "seeds": [0, 1], "part": 1},
        "models_of_cosine": {"cosine": 0.5, "n_inputs": 3},
        "GaussianTask.excess_risk": {"self": gaussian_pairs.gaussian_task(**GAUSSIAN), "models": np.ones((2, 1, 3))},
    },
    "data.inputs": {
        "orthonormal_inputs": {"n_inputs": 4, "n_examples": 3, "seeds": [0]},
        "gaussian_inputs": {"n_inputs": 4, "n_examples": 3, "seeds": [0], "role": "test"},
    },
    "data.leaky": {
        "leaky_outputs": {"teachers": TEACHERS, "inputs": EXAMPLES, "slope": 0.2},
        "leaky_pair": {"teachers": PAIR, "slope": 0.2, "n_probe": 3},
    },
    "data.linear_tasks": {
        "regression_tasks": {"n_examples": 4, "n_inputs": 3, "scales": [1.0, 2.0], "condition": 3.0, "noise": 0.1,
                             "seeds": [0], "covariances": "rotated"},
        "transfer_pairs": {"n_source": 3, "n_target": 4, "n_inputs": 5, "cosine": 0.9, "condition": 3.0, "noise": 0.1,
                           "seeds": [0], "covariances": "different", "spikes": 2, "rotated": False},
    },
    "data.scores": {
        "area_under_curve": {"scores": [0.1, 0.4, 0.3], "positives": [0.0, 1.0, 0.0]},
        "normal_scores": {"n_positive": 3, "n_negative": 4, "area": 0.8, "correlation": 0.5, "n_sets": 2, "part": 1},
        "rank_correlation": {"found": [0.1, 0.4, 0.3], "wanted": [1.0, 0.0, 2.0]},
    },
    "data.real": {
        "digits": {},
        "breast_cancer": {},
        "split": {"task": TASK, "test_fraction": 0.5, "seed": 0},
        "row_permutations": {"n_rows": 5, "seeds": [0]},
        "standardiser": {"rows": ROWS},
        "whitener": {"rows": ROWS, "tolerance": 1e-10},
        "symmetric_whitener": {"inputs": ROWS, "tolerance": 1e-8},
        "standardise": {"rows": ROWS},
        "whiten": {"rows": ROWS, "tolerance": 1e-10},
        "input_label_covariance": {"inputs": ROWS, "targets": LABELS},
        "Transform.apply": {"self": real.standardiser(ROWS), "rows": ROWS},
    },
    "data.related": {
        "pair_gram": {"q": 0.5, "rank_a": 1, "rank_b": 2},
        "alike_gram": {"q": 0.5, "n_tasks": 3},
        "related_teachers": {"n_outputs": 3, "n_inputs": 4, "singular_values": [[2.0], [1.0]],
                             "gram": [[1.0, 0.5], [0.5, 1.0]], "seeds": [0], "noise_scale": 1.0},
        "stacked_training": {"tasks": PAIR},
    },
    "data.teachers": {
        "low_rank_teachers": {"n_outputs": 3, "n_inputs": 4, "singular_values": [2.0], "seeds": [0],
                              "noise_scale": 1.0},
        "Teachers.outputs": {"self": TEACHERS, "inputs": EXAMPLES},
        "Teachers.turned": {"self": TEACHERS, "outputs": np.eye(3)[::-1], "inputs": np.eye(4), "with_noise": True},
    },
    "data.training": {
        "training_set": {"teachers": TEACHERS, "n_examples": 5, "inputs": "gaussian"},
        "gaussian_labels": {"teachers": TEACHERS},
    },
    "methods.one_output": {
        "one_output_benefit": {"data": [[4.0, 1.0], [1.0, 3.0]], "noise": np.eye(2), "eps": 1e-3},
    },
    "methods.sharing": {
        "shared": {"encoder": 2, "head": None, "loss": "squared", "weights": [1.0, 2.0], "training": None, "seed": 0},
        "single_task": {"encoder": 2, "head": None, "loss": "squared", "training": None, "seed": 0},
        "stack_tasks": {"xs": [ROWS], "ys": [LABELS[:, 0]]},
    },
    "methods.simulated_benefit": {
        "simulated_benefit": {"s_a": [2.0], "s_b": [3.0], "q": [[0.5]], "n_outputs": 2, "n_inputs": 5, "eps": 1e-3,
                              "seeds": [0, 1]},
    },
    "methods.task_estimate": {
        "white_inputs": {"inputs": ROWS},
        "estimate_task": {"inputs": WHITE, "targets": LABELS},
        "least_squares": {"inputs": ROWS, "targets": LABELS},
        "TaskEstimate.map_of": {"self": task_estimate.estimate_task(WHITE, LABELS), "inputs": NEW,
                                "targets": RNG.standard_normal((9, 2))},
        "visible_modes": {"data": DATA},
        "similarity": {"data_a": DATA, "data_b": DATA[::-1]},
    },
    "methods.shared_ridge": {
        "shared_ridge": {"x": WHITE, "y": LABELS[:, 0], "task": [0, 1] * (len(WHITE) // 2) + [0] * (len(WHITE) % 2),
                         "own": 0.3},
    },
    "methods.transfer_forecast": {
        "forecast_transfer": {"inputs_a": WHITE, "targets_a": LABELS[:, :1], "inputs_b": WHITE,
                              "targets_b": LABELS[:, 1:], "same_rows": True, "eps": 1e-3, "n_simulated": 0},
        "noise_correlation": {"a": task_estimate.estimate_task(WHITE, LABELS[:, :1]),
                              "b": task_estimate.estimate_task(WHITE, LABELS[:, 1:])},
    },
}  # fmt: skip
