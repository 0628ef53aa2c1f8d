"""The softmax random-energy model, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.random_energy import experiment
from mtlbook_lib.theory.softmax import rem_gain

NORMS = experiment.NORMS


def test_lines_are_above_the_logarithm_of_the_classes_and_in_units_of_the_others():
    one = experiment.Drawn(NORMS, (np.array([3.0]), np.array([0.1])), None, (np.array([0.2]), np.array([0.01])))
    partition, gain = one.above(10)
    assert partition == (pytest.approx(3 - np.log(10)), 0.1)
    assert gain == (pytest.approx(9 * 0.2), pytest.approx(9 * 0.01))


def test_ratio_carries_the_error_of_the_simulation():
    one = experiment.measured((10,), n_seeds=4, n_numbers=10_000)[10]
    ratio, error = one.ratio(rem_gain(NORMS, 10))
    mean, deviation = one.gain
    assert ratio * mean == pytest.approx(rem_gain(NORMS, 10))
    assert error / ratio == pytest.approx(deviation / mean)


def test_usable_norm_is_where_the_error_is_reached():
    norm = experiment.usable_norm(100, 0.05)
    assert experiment.relative_error("REM", np.array([norm]), 100)[0] == pytest.approx(0.05, abs=1e-8)
    assert experiment.usable_norm(20, 0.05) == 0
    assert experiment.usable_norm(10, 0.8) == np.inf
    contour = experiment.error_contour((20, 100, 10), 0.05)
    assert np.isnan(contour[[0, 2]]).all()
    assert contour[1] == norm


def test_many_norms_give_what_few_give():
    norms = np.geomspace(0.1, 40, 24)
    many = experiment.relative_error("calibrated", norms, 10)
    few = [experiment.relative_error("calibrated", norms[[i]], 10)[0] for i in range(24)]
    assert many == pytest.approx(np.array(few), abs=1e-11)
