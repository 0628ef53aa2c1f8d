"""Benefits of paired learning curves, on curves of two times that one can read."""

import numpy as np

from mtlbook_lib.chapters.paired_curves import PairedCurves


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


def test_given_stops_serve_one_setting_or_many():
    alone, joint = np.array([[3.0, 1.0], [1.0, 2.0]]), np.array([[2.0, 1.0], [2.0, 4.0]])
    one, many = PairedCurves(alone, joint), PairedCurves(alone[:, None], np.stack([joint, 2 * joint], axis=1))
    np.testing.assert_array_equal(one.stops(), (1, 0))
    np.testing.assert_array_equal(one.benefits((0, 1)), [2.0, -3.0])
    np.testing.assert_array_equal(many.benefits(([0], [1, 0])), [[2.0, -1.0], [-3.0, -3.0]])


def test_a_distance_is_that_of_the_curve_that_differs_most():
    curves = PairedCurves(np.zeros((1, 1, 2)), np.zeros((1, 3, 2)))
    assert curves.distance(curves) == 0
    assert curves.distance(PairedCurves(curves.alone, curves.joint - 2)) == 2
    assert curves.distance(PairedCurves(curves.alone + 3, curves.joint - 2)) == 3
