"""The area under the curve, against counting pairs."""

import numpy as np
import pytest

from mtlbook_lib.data import scores as measures
from mtlbook_lib.data.scores import area_under_curve


def test_area_counts_pairs():
    scores, positives = np.array([[0.1, 0.4, 0.4, 0.8], [3.0, 1.0, 2.0, 0.0]]), np.array([[0, 0, 1, 1], [1, 0, 0, 0]])
    pairs = [
        np.mean([(a > b) + 0.5 * (a == b) for a in s[p == 1] for b in s[p == 0]])
        for s, p in zip(scores, positives, strict=True)
    ]
    assert area_under_curve(scores, positives) == pytest.approx(np.array(pairs))
    assert area_under_curve(-scores, positives) == pytest.approx(1 - np.array(pairs))


def test_a_batch_is_a_loop():
    rng = np.random.default_rng(0)
    scores, positives = rng.standard_normal((2, 3, 30)), rng.integers(0, 2, (2, 3, 30))
    loop = [[area_under_curve(s, p) for s, p in zip(*row, strict=True)] for row in zip(scores, positives, strict=True)]
    assert area_under_curve(scores, positives) == pytest.approx(np.array(loop))


@pytest.mark.parametrize(
    ("positives", "words"), [([0, 2], "must be 0 or 1"), ([0, 1, 1], "in the shape of scores"), ([1, 1], "both kinds")]
)
def test_area_refuses(positives, words):
    with pytest.raises(ValueError, match=words):
        area_under_curve([0.1, 0.2], positives)


def test_class_scores_against_counts_of_a_table():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200)
    told = np.where(rng.random(200) < 0.7, truth, 1 - truth)
    both, neither = np.sum(truth & told), np.sum((1 - truth) & (1 - told))
    false, missed = np.sum((1 - truth) & told), np.sum(truth & (1 - told))
    accuracy, f1 = (both + neither) / 200, 2 * both / (2 * both + false + missed)
    margins = (both + false) * (both + missed) * (neither + false) * (neither + missed)
    assert measures.class_score("accuracy", truth, told) == pytest.approx(accuracy, rel=1e-12)
    assert measures.class_score("accuracy and F1", truth, told) == pytest.approx((accuracy + f1) / 2, rel=1e-12)
    expected = (both * neither - false * missed) / np.sqrt(float(margins))
    assert measures.class_score("matthews", truth, told) == pytest.approx(expected, rel=1e-12)


def test_class_scores_where_nothing_varies():
    assert measures.class_score("matthews", [0, 1, 1], [1, 1, 1]) == 0.0
    assert measures.class_score("accuracy and F1", [0, 0], [0, 0]) == 0.5
    assert measures.class_score("accuracy", [4, 5], [4, 6]) == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("recall", [0], [0]), "measure must be one of 'accuracy', 'matthews'"),
        (("accuracy", [0, 1], [0]), r"labels and predicted must have the same shape .n,.; got \(2,\) and \(1,\)"),
        (("matthews", [0, 2], [0, 1]), "labels must be 0 or 1 for matthews"),
        (("accuracy and F1", [0, 1], [0, 3]), "predicted must be 0 or 1"),
    ],
)
def test_class_scores_that_cannot_be(arguments, message):
    with pytest.raises(ValueError, match=message):
        measures.class_score(*arguments)
