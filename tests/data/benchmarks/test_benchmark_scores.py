"""The scores of classes, against counts of the table of true and predicted ones."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.data.benchmarks import class_score


def test_class_scores_against_counts_of_a_table():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200)
    told = np.where(rng.random(200) < 0.7, truth, 1 - truth)
    both, neither = np.sum(truth & told), np.sum((1 - truth) & (1 - told))
    false, missed = np.sum((1 - truth) & told), np.sum(truth & (1 - told))
    accuracy, f1 = (both + neither) / 200, 2 * both / (2 * both + false + missed)
    margins = (both + false) * (both + missed) * (neither + false) * (neither + missed)
    assert class_score("accuracy", truth, told) == pytest.approx(accuracy, rel=1e-12)
    assert class_score("accuracy and F1", truth, told) == pytest.approx((accuracy + f1) / 2, rel=1e-12)
    expected = (both * neither - false * missed) / np.sqrt(float(margins))
    assert class_score("matthews", truth, told) == pytest.approx(expected, rel=1e-12)


def test_class_scores_where_nothing_varies():
    assert class_score("matthews", [0, 1, 1], [1, 1, 1]) == 0.0
    assert class_score("accuracy and F1", [0, 0], [0, 0]) == 0.5
    assert class_score("accuracy", [4, 5], [4, 6]) == 0.5


test_class_scores_that_cannot_be = refused(
    class_score,
    {"measure": "accuracy", "labels": [0, 1], "predicted": [0, 1]},
    {
        r"labels and predicted must have the same shape .n,.; got \(2,\) and \(1,\)": [{"predicted": [0]}],
        "labels must be 0 or 1 for matthews": [{"measure": "matthews", "labels": [0, 2]}],
        "predicted must be 0 or 1": [{"measure": "accuracy and F1", "predicted": [0, 3]}],
    },
)
