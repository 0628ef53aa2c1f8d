"""Angles and bounds, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.angles_and_bounds import experiment


def test_without_noise_the_repaired_bound_is_three_times_the_condition_number_times_the_sine():
    x, truth, layer = np.diag([2.0, 1.0]), np.array([1.0, 0.0]), np.array([np.cos(0.1), np.sin(0.1)])
    found = experiment._compared(x, x @ truth, truth, layer, truth)
    assert found[2] == pytest.approx(3 * 2 * np.sin(0.1))
