"""Experiments on a teacher in noise, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part1.teacher_in_noise import experiment


def test_a_strong_teacher_is_seen_at_its_place():
    top = experiment.outliers([0.1, 30.0], n_seeds=3)
    assert top.value.shape == (3, 2)
    assert top.value[:, 1] == pytest.approx(30.0, abs=0.3)
    assert top.left_overlap[:, 1] == pytest.approx(1, abs=0.01)
    assert np.all(top.left_overlap[:, 0] < 0.6)


def test_growing_teacher_is_one_data_set():
    values = experiment.growing_teacher([0.0, 50.0])
    assert list(values) == [0.0, 50.0]
    assert values[50.0][0] > 49
    np.testing.assert_allclose(values[50.0][5:], values[0.0][5:], atol=0.1)


def test_comparisons_have_one_shape_and_agree_roughly():
    arms = experiment.oblong(n_seeds=4), experiment.hidden_overlap(n_seeds=12)
    found = [(arm.mean, arm.standard_error, arm.theory) for arm in arms] + [experiment.outlier_variances(n_seeds=30)]
    for (measured, error, predicted), shape in zip(found, ((3, 3, 3), (4,), (4,)), strict=True):
        assert measured.shape == error.shape == predicted.shape == shape
        assert np.all(np.abs(measured - predicted) < 6 * error + 0.1)


def test_overlap_falls_with_the_size():
    slope, error = experiment.overlap_slope(sizes=(10, 40), n_rows_in_all=4000)
    assert abs(slope + 1) < 4 * error + 0.2


def test_noise_level_and_what_is_kept():
    scales = experiment.noise_scales(2.0, n_seeds=4)
    assert len(scales) == 3
    for mean, _error in scales.values():
        assert mean == pytest.approx(2.0, rel=0.06)
    kept, share = experiment.kept_noise(n_matrices=4)
    assert kept == 0
    assert 0 <= share <= 1


def test_held_out_modes_of_digits_and_cancer():
    digits = experiment.held_out_digits(n_splits=2)
    assert digits.raw.shape == digits.held_out.shape == digits.shrunk.shape == (2, 9)
    assert digits.n_rows == 179
    assert np.all(digits.shrunk < digits.raw)
    cancer = experiment.held_out_cancer(n_splits=2)
    assert cancer.raw.shape == (2, 1)
    # With one output the residuals have one direction: its own noise level is the common one.
    np.testing.assert_allclose(cancer.own_scale, cancer.scale, rtol=0.02)
