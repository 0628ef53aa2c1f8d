"""Chains of any depth: two layers are those of the other room, and what the flow conserves."""

import numpy as np
import pytest

from mtlbook_lib.simulation.diagonal import descend, equal_pathways
from mtlbook_lib.simulation.diagonal_variants import descend_chains

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 4, 8))
Y = X[..., 0]


def test_two_layers_are_the_diagonal_network():
    found = descend_chains(0.3, 2, X, Y, 1e-12, 0.005)
    other = descend(equal_pathways(0.3, 0.3, (3, 1, 8)), [X[:, None]], [Y[:, None]], 1e-12, 0.005).finished()
    assert found.converged.all()
    assert found.beta == pytest.approx(other.beta[:, 0, 0], abs=5e-3)


@pytest.mark.parametrize("depth", [3, 4])
def test_layers_stay_equal_and_inverse_powers_have_a_constant_sum(depth):
    found = descend_chains(0.5, depth, X, Y, 1e-10, 0.002)
    assert np.ptp(found.weights, axis=1).max() < 1e-12
    plus, minus = found.weights[:, 0]
    assert plus ** (2 - depth) + minus ** (2 - depth) == pytest.approx(2 * 0.5 ** (2 - depth), rel=5e-3)


def test_starts_can_differ_and_batch_is_loop():
    alphas = np.array([0.3, 0.5, 0.8])
    both = descend_chains(alphas, 3, X, Y, 1e-8)
    alone = descend_chains(0.5, 3, X[1:2], Y[1:2], 1e-8)
    assert both.beta[1] == pytest.approx(alone.beta[0], rel=1e-10)
    assert both.steps[1] == alone.steps[0]
    assert np.all(both.loss <= 1e-8)


def test_a_run_that_is_cut_short_says_so():
    found = descend_chains(0.3, 3, X, Y, 1e-10, max_steps=3)
    assert not found.converged.any()
    assert np.all(found.steps == 3)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="depth"):
        descend_chains(0.3, 1, X, Y)
    with pytest.raises(ValueError, match="inputs must have shape"):
        descend_chains(np.ones(2), 3, X, Y)
    with pytest.raises(ValueError, match="reach"):
        descend_chains(0.3, 3, X, Y, reach=0.9)
