"""The area under the curve, against counting pairs; the rank correlation, against scipy's."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from mtlbook_lib.data.scores import area_under_curve, normal_scores, rank_correlation


def test_area_counts_pairs():
    scores, positives = np.array([[0.1, 0.4, 0.4, 0.8], [3.0, 1.0, 2.0, 0.0]]), np.array([[0, 0, 1, 1], [1, 0, 0, 0]])
    pairs = [
        np.mean([(a > b) + 0.5 * (a == b) for a in s[p == 1] for b in s[p == 0]])
        for s, p in zip(scores, positives, strict=True)
    ]
    assert area_under_curve(scores, positives) == pytest.approx(np.array(pairs))
    assert area_under_curve(-scores, positives) == pytest.approx(1 - np.array(pairs))


def test_each_list_is_spearmans_with_ties_too():
    found = np.random.default_rng(0).integers(0, 5, (3, 2, 40)).astype(float)
    wanted = np.random.default_rng(1).standard_normal(40)
    expected = [[spearmanr(row, wanted).statistic for row in rows] for rows in found]
    assert rank_correlation(found, wanted) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(("area", "correlation"), [(0.84, 0.9), (0.5, 0.0), (0.7, 1.0)])
def test_normal_scores_have_area_and_correlation(area, correlation):
    scores, positives = normal_scores(20, 60, area, correlation, 3000)
    areas = area_under_curve(scores, positives)
    assert positives.sum(axis=-1) == pytest.approx(np.full((3000, 2), 20.0))
    assert np.abs(areas.mean(axis=0) - area).max() < 5 * areas.std() / np.sqrt(3000)
    rows = scores[..., 20:].swapaxes(0, 1).reshape(2, -1)
    assert np.corrcoef(rows)[0, 1] == pytest.approx(correlation, abs=0.02)
    assert rows.std(axis=1) == pytest.approx(1.0, rel=0.02)
