"""Aligned training on a rank-one teacher: eq. 3 for two classes, the layers' own equations for more."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.classification import rank_one_flow

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(161)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
MODE = np.array([0.9, 0.4, -0.1, -0.5])


def _layers(mode, s0, t, depth):
    """The layers' equations on the input mode, by quadrature over xi: scalars below, a vector of outputs on top."""
    k = mode.size
    size = s0 ** (1 / depth)
    start = np.concatenate([np.full(depth - 1, size), size * mode / np.linalg.norm(mode)])
    labels = np.where(np.arange(k) == mode.argmax(), 1.0, 0.0) - np.where(np.arange(k) == mode.argmin(), 1.0, 0.0)

    def velocity(_, state):
        inner, top = state[: depth - 1], state[depth - 1 :]
        logits = np.outer(NODES, np.prod(inner) * top)
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        delta = labels / np.sqrt(2 * np.pi) - (WEIGHTS * NODES) @ p
        others = [np.prod(np.delete(inner, i)) for i in range(depth - 1)]
        return np.concatenate([np.array(others) * (top @ delta), np.prod(inner) * delta])

    end = solve_ivp(velocity, (0, t), start, method="DOP853", rtol=1e-9, atol=1e-11).y[:, -1]
    return np.prod(end[: depth - 1]) * end[depth - 1 :]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_follows_the_equations_of_the_layers(depth):
    expected = _layers(MODE, 0.3, 2.0, depth)
    assert rank_one_flow(MODE, 0.3, 2.0, depth=depth) == pytest.approx(expected, rel=1e-6)


def test_the_length_of_the_direction_does_not_matter():
    expected = rank_one_flow(MODE, 0.1, 1.0)
    for length in (7.0, 1e-170, 1e45):
        assert rank_one_flow(length * MODE, 0.1, 1.0) == pytest.approx(expected, rel=1e-12)
