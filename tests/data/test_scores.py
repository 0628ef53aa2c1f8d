"""The area under the curve, against counting pairs."""

import numpy as np
import pytest

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
