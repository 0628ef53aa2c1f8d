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


def test_tiny_starts_end_at_the_selection_and_large_ones_do_not():
    tiny = experiment.tiny_ends(n_seeds=4)
    usual = experiment.trainable_ends(n_seeds=4)
    assert tiny.to_selection.shape == (len(tiny.entered), 2)
    assert usual.to_norm.shape == (len(tiny.entered), len(experiment.TRAINABLE))
    early = tiny.entered < 12
    assert early.any()
    assert tiny.to_selection[early, 1].max() < 0.01 < usual.to_selection[early].min()


def test_path_of_a_tiny_start_is_that_of_the_selection():
    found = experiment.path(-300.0, n_times=9)
    assert found.flow.shape == (8, 20)
    assert found.selected.shape == (len(found.entries), 20)
    assert np.count_nonzero(found.teachers) == 3
    np.testing.assert_allclose(found.flow[-1], found.selected[-1], atol=1e-3)
    before = found.times < found.entries[0] - 0.1
    assert found.flow[before].max() < 1e-3


def test_networks_end_where_rapidities_do():
    assert experiment.network_deviation(0.05, n_seeds=2).max() < 1e-3


def test_recoveries():
    found = experiment.recoveries("signs", n_seeds=12)
    by_selection, by_norm = found.found
    assert by_selection.shape == by_norm.shape == (12,)
    assert found.excess.min() > 1 - 1e-9
    np.testing.assert_array_equal(by_norm, found.norm < 1e-6)
    assert by_selection.sum() > 2
