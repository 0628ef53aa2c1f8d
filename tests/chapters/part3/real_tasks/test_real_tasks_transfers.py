"""The best place of a benefit curve."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.real_tasks.experiment import benefits


def test_a_level_curve_has_its_best_place_anywhere():
    """A task without any benefit: the curve's bend is zero, or rounding, and nothing is divided by it."""
    curves = np.full((4, 1, 6), 0.25)
    assert benefits.at_best(curves) == pytest.approx(np.full((4, 1), 0.25), abs=1e-15)
