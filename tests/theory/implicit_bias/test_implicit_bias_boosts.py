"""Boosts of an input's weights, against matrix exponentials."""

import numpy as np
import pytest
from scipy.linalg import expm

from mtlbook_lib.theory.implicit_bias import boosted_weights

RNG = np.random.default_rng(3)
U, V, IMPULSE = RNG.standard_normal(6), RNG.standard_normal((6, 3)), 2 * RNG.standard_normal((6, 3))


def test_a_boost_is_the_exponential_of_its_generator():
    u, v = boosted_weights(U, V, IMPULSE)
    for i in range(6):
        generator = np.zeros((4, 4))
        generator[0, 1:] = generator[1:, 0] = IMPULSE[i]
        expected = expm(generator) @ np.append(U[i], V[i])
        assert np.append(u[i], v[i]) == pytest.approx(expected, rel=1e-11, abs=1e-12)
    assert u**2 - (v**2).sum(axis=1) == pytest.approx(U**2 - (V**2).sum(axis=1), rel=1e-9, abs=1e-11)
