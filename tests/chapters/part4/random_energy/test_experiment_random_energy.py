"""The softmax random-energy model, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.random_energy import experiment

NORMS = experiment.NORMS


def test_lines_are_above_the_logarithm_of_the_classes_and_in_units_of_the_others():
    one = experiment.Drawn(NORMS, (np.array([3.0]), np.array([0.1])), None, (np.array([0.2]), np.array([0.01])))
    partition, gain = one.above(10)
    assert partition == (pytest.approx(3 - np.log(10)), 0.1)
    assert gain == (pytest.approx(9 * 0.2), pytest.approx(9 * 0.01))
