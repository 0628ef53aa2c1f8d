"""The experiments on small starts of several tasks, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.small_starts import experiment


def test_problems_have_common_features_of_both_kinds():
    signs, sizes = (experiment.problems(15, 6, 3, range(2), kind) for kind in ("signs", "normal"))
    for (xs, ys, truth), (same, _, scaled) in zip(signs, sizes, strict=True):
        assert set(np.unique(truth)) <= {-1.0, 0.0, 1.0}
        assert np.count_nonzero(truth, axis=1).tolist() == [3, 3]
        np.testing.assert_array_equal(truth != 0, np.broadcast_to(truth[0] != 0, truth.shape))
        np.testing.assert_array_equal(np.sign(scaled), truth)
        assert not np.isin(np.abs(scaled[scaled != 0]), 1.0).any()
        np.testing.assert_allclose([x @ beta for x, beta in zip(xs, truth, strict=True)], ys)
        np.testing.assert_array_equal(xs, same)


def test_distance_is_relative_to_the_other():
    assert experiment.apart(np.array([[3.0, 0.0]]), np.array([[0.0, 4.0]])) == pytest.approx(5 / 4)
