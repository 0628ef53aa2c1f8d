"""The quadrature behind the learning curves against integrals with known values."""

import numpy as np
import pytest

from mtlbook_lib.theory import linear_dynamics
from mtlbook_lib.theory._bulk import half_learned, singular_value


def test_front_of_learning_in_the_bulk_is_the_half_learned_singular_value():
    t = np.array([1.0, 4.0, 5.0, 8.0, 1e3])
    fronts = half_learned(lambda s, time: linear_dynamics.mode_strength(time, s, 1e-3), t, np.pi, 0.5)
    expected = linear_dynamics.wave_front(t[1:4], 1e-3)
    assert singular_value(fronts[1:4], 0.5) == pytest.approx(expected, rel=1e-10)
    assert fronts[0] == 0  # not yet in the bulk
    assert fronts[-1] == pytest.approx(np.pi, rel=1e-11)  # already through
