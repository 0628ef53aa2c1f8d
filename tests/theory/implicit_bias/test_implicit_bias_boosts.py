"""Boosts of an input's weights, and what a penalty would have to be: against matrix exponentials and differences."""

import numpy as np
import pytest
from scipy.linalg import expm

from mtlbook_lib.theory.implicit_bias import boosted_weights, pathway_invariants

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


def test_one_task_turns_by_the_hyperbolic_angle():
    u, v = boosted_weights(0.3, [0.1], [1.5])
    assert isinstance(u, float)
    assert u + v[0] == pytest.approx(0.4 * np.exp(1.5))
    assert u - v[0] == pytest.approx(0.2 * np.exp(-1.5))
    kappa = pathway_invariants(0.3, 0.1, 0.3, -0.1)[0]
    assert pathway_invariants(u, v[0], u, -v[0])[0] == pytest.approx(kappa)


def test_order_matters_across_and_not_along():
    def both(first, second):
        return np.append(*boosted_weights(*boosted_weights(0.1, [0.0, 0.0], first), second))

    along = np.array([0.6, 0.8])
    assert both(along, 2 * along) == pytest.approx(both(2 * along, along), rel=1e-12)
    a, b = 1.3, 0.7
    one, other = both([a, 0.0], [0.0, b]), both([0.0, b], [a, 0.0])
    # 2 u v of the first task: the second pull multiplies u, and with it what the first task had.
    assert 2 * one[0] * one[1] == pytest.approx(0.01 * np.sinh(2 * a) * np.cosh(b))
    assert 2 * other[0] * other[1] == pytest.approx(0.01 * np.sinh(2 * a) * np.cosh(b) ** 2)
    assert 2 * one[0] * one[2] == pytest.approx(0.01 * np.sinh(2 * b) * np.cosh(a) ** 2)
