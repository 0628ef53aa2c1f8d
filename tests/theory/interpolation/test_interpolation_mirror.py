"""The interpolator of least hyperbolic penalty, against trained layers, a generic optimiser and its limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sparse_tasks import task

from mtlbook_lib.theory import implicit_bias, interpolation


def trained(x, y, weights, time):
    """Coefficients after gradient flow of both layers of both pathways, from (u₊, v₊, u₋, v₋) of shape (4, D)."""
    shape = weights.shape

    def slope(_, state):
        u_plus, v_plus, u_minus, v_minus = state.reshape(shape)
        downhill = x.T @ (y - x @ (u_plus * v_plus - u_minus * v_minus))
        return np.ravel([downhill * v_plus, downhill * u_plus, -downhill * v_minus, -downhill * u_minus])

    end = solve_ivp(slope, (0, time), weights.ravel(), method="LSODA", rtol=1e-11, atol=1e-13).y[:, -1].reshape(shape)
    return end[0] * end[1] - end[2] * end[3]


@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_where_gradient_flow_of_both_layers_ends(seed):
    x, y, _ = task(4, 9, 3, seed)
    weights = np.random.default_rng(seed).uniform(-0.6, 0.6, size=(4, 9))
    kappa, _, start = implicit_bias.pathway_invariants(*weights)
    beta = interpolation.min_penalty(x, y, kappa, start)
    np.testing.assert_allclose(trained(x, y, weights, 1e3), beta, atol=1e-7)


@pytest.mark.filterwarnings("error")
def test_widths_and_starts_over_many_decades_converge():
    rng = np.random.default_rng(5)
    for seed in range(20):
        x, y, truth = task(12, 30, 8, seed)
        x, y = x * 10 ** rng.uniform(-2, 2, 30), y * 10 ** rng.uniform(-3, 3)
        kappa, start = 10 ** rng.uniform(-8, 6, 30), truth * rng.choice([-3, 0, 1], 30)
        beta = interpolation.min_penalty(x, y, kappa, start)
        assert np.linalg.norm(x @ beta - y) < 1e-10 * max(np.linalg.norm(y), np.linalg.norm(x @ start))
        assert interpolation.stationarity_residual(x, beta, kappa, start) < 1e-11


def test_a_solution_that_was_not_reached_is_an_error(monkeypatch):
    x, y, _ = task(20, 40, 10)
    monkeypatch.setattr("mtlbook_lib.theory._hyperbolic._MAX_STEPS", 5)
    with pytest.raises(RuntimeError, match="no solution found in 5 Newton steps"):
        interpolation.min_penalty(x, y, 1e-6)
