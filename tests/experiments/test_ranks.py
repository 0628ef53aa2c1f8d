"""Rank correlation of many lists at once."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from mtlbook_lib.experiments.ranks import rank_correlation


def test_each_list_is_spearmans_with_ties_too():
    found = np.random.default_rng(0).integers(0, 5, (3, 2, 40)).astype(float)
    wanted = np.random.default_rng(1).standard_normal(40)
    expected = [[spearmanr(row, wanted).statistic for row in rows] for rows in found]
    assert rank_correlation(found, wanted) == pytest.approx(np.array(expected))


def test_equal_numbers_have_no_order():
    assert rank_correlation(np.ones((2, 5)), np.arange(5.0)).tolist() == [0.0, 0.0]
