"""Chains of any depth: two layers are those of the other package, and what the flow conserves."""

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


def test_a_run_that_is_cut_short_says_so():
    found = descend_chains(0.3, 3, X, Y, 1e-10, max_steps=3)
    assert not found.converged.any()
    assert np.all(found.steps == 3)


def test_a_step_has_the_largest_rate_that_is_half_of_what_is_stable_or_within_reach():
    """Written out for one run: the curvature is twice the largest eigenvalue times how the outputs answer weights."""
    for size, reach in ((2.0, 0.5), (2.0, 0.01), (0.05, 0.5)):
        found = descend_chains(size, 3, X, Y, reach=reach, max_steps=1)
        for run in range(3):
            x, residual, n = X[run], Y[run], 4  # both pathways are alike, so that the network computes zero
            pull = 2 / n * residual @ x
            slope = pull * size**2
            curvature = 2 / n * np.linalg.norm(x, 2) ** 2 * 2 * 3 * size**4
            rate = min(1 / curvature, reach / np.abs(slope / size).max())
            for pathway, sign in enumerate((1, -1)):
                expected = np.broadcast_to(size + sign * rate * slope, (3, 8))
                assert found.weights[pathway, :, run] == pytest.approx(expected, rel=1e-12)
