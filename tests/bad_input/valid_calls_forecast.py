"""One valid call of every public function of the forecast, with all its arguments."""

from typing import Any

import numpy as np

from mtlbook_lib.forecast import JointClassifier, JointRegressor

RNG = np.random.default_rng(0)
ROWS_A, ROWS_B = RNG.standard_normal((16, 3)), RNG.standard_normal((18, 3))
LABELS_A, LABELS_B = ROWS_A[:, 0] + RNG.standard_normal(16), ROWS_B[:, 0] + RNG.standard_normal(18)
PAIR = {"x_a": ROWS_A, "y_a": LABELS_A, "x_b": ROWS_B, "y_b": LABELS_B}
MANY = {"tasks": [(ROWS_A, LABELS_A), (ROWS_B, LABELS_B)], "names": ["a", "b"]}
BOTH: dict[str, Any] = {"X": np.concatenate([ROWS_A, ROWS_B]), "y": np.concatenate([LABELS_A, LABELS_B])}
BOTH["task"] = ["a"] * 16 + ["b"] * 18
CLASSES = BOTH | {"y": np.where(BOTH["y"] > 0, "yes", "no")}
WEIGHTS = np.full(34, 2.0)
ASKED = {"X": ROWS_A, "task": "a"}
OPTIONS = {"same_rows": False, "repeats": "error"}


def mean_of(_rows: Any, labels: Any, *_others: Any) -> Any:
    """A student that predicts the mean label of the target."""
    return lambda new: np.full(len(new), np.mean(labels))


def squared(predictions: Any, labels: Any) -> Any:
    return np.square(predictions - labels)


CALLS: dict[str, dict[str, dict[str, Any]]] = {
    "forecast": {
        "compare": {
            **PAIR,
            "fit_alone": mean_of,
            "fit_joint": mean_of,
            "repeats": 4,
            "folds": 2,
            "seed": 0,
            "loss": squared,
        },
        "rank_auxiliaries": {
            "x_a": ROWS_A,
            "y_a": LABELS_A,
            "others": [(ROWS_B, LABELS_B)],
            "names": ["b"],
            "progress": iter,
            **OPTIONS,
        },
        "recommend": {**PAIR, "positive": None, "estimator": None, **OPTIONS, "seed": 0},
        "benefit_matrix": {**MANY, "progress": iter, "repeats": "error"},
        "group_tasks": {**MANY, "progress": iter, "repeats": "error"},
        "joint_model": {**BOTH, "target": "a", "repeats": "error"},
        "target_folds": {"task": BOTH["task"], "target": "a", "folds": 3, "seed": 0},
        "JointRegressor.fit": {"self": JointRegressor(target="a"), **BOTH, "y_b": None, "sample_weight": WEIGHTS},
        "JointRegressor.predict": {"self": JointRegressor().fit(**BOTH), **ASKED, "return_std": True},
        "JointRegressor.score": {"self": JointRegressor().fit(**BOTH), **ASKED, "y": LABELS_A},
        "JointRegressor.summary": {"self": JointRegressor().fit(**BOTH), "task": "a"},
        "JointClassifier.fit": {"self": JointClassifier(target="a"), **CLASSES, "sample_weight": WEIGHTS},
        "JointClassifier.predict_proba": {"self": JointClassifier(target="a").fit(**CLASSES), "X": ROWS_A},
    }
}
