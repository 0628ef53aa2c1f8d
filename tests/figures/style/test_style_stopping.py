"""Optimal errors and times against the teacher's strength: theory as lines, means over seeds as points."""

import numpy as np
import pytest
from drawn import markers

from mtlbook_lib.figures import style
from mtlbook_lib.statistics import Arm


def test_against_strength():
    strengths, values = np.array([1.0, 2.0]), np.array([[0.9, 0.4], [0.8, 0.5]])
    arms = {"aligned": Arm(values, values[0]), "random": Arm(values + 0.1)}
    drawn, alts = style.against_strength({"c error rank 1": (strengths, arms)})
    assert len(drawn) == len(alts) == 1
    ax = drawn[0].axes[0]
    assert ax.get_ylabel() == "least test error"
    np.testing.assert_allclose(markers(ax)[1], np.column_stack([strengths, values.mean(axis=0) + 0.1]))
    with pytest.raises(KeyError):
        style.against_strength({"c speed rank 1": (strengths, arms)})
