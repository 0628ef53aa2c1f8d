"""Benefits of paired learning curves, on curves of two times that one can read."""

import numpy as np

from mtlbook_lib.experiments.paired_curves import PairedCurves


def test_a_common_stop_is_where_the_mean_curve_is_lowest():
    alone, joint = np.array([[[3.0, 1.0]], [[1.0, 2.0]]]), np.array([[[2.0, 1.0]], [[2.0, 4.0]]])
    curves = PairedCurves(alone, joint)
    np.testing.assert_array_equal(curves.least[:, 0], [2.0, 2.0])  # the first time; alone, the second
    np.testing.assert_array_equal(curves.benefit[:, 0], [-1.0, 0.0])
    np.testing.assert_array_equal(curves.own_benefit[:, 0], [0.0, -1.0])


def test_a_minimum_at_an_end_is_seen():
    inside, falling, rising = (np.array([[values]]) for values in ([2.0, 1.0, 2.0], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]))
    assert PairedCurves(inside, inside).interior
    for end in (falling, rising):
        assert not PairedCurves(inside, end).interior
        assert not PairedCurves(end, inside).interior
