"""Probing, then tuning: against the integrated flow of the readout, and the invariants of the state it leaves."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory import implicit_bias, interpolation

GAMMA = 0.3


def problem(n, dim, seed=0):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, dim)), rng.normal(size=n)
    u_plus, u_minus = rng.uniform(0.2, 1.5, size=(2, dim))
    return x, y, u_plus, u_minus


def probed_readouts(x, y, u_plus, u_minus, time):
    """The readouts of both pathways after training them alone on the mean squared error."""
    dim = u_plus.size

    def slope(_, readouts):
        beta = u_plus * readouts[:dim] - u_minus * readouts[dim:]
        downhill = 2 / len(y) * x.T @ (y - x @ beta)
        return np.concatenate((u_plus * downhill, -u_minus * downhill))

    flow = solve_ivp(slope, (0, time), np.full(2 * dim, GAMMA), method="DOP853", rtol=1e-11, atol=1e-13)
    return flow.y[:dim, -1], flow.y[dim:, -1]


@pytest.mark.parametrize(("n", "dead"), [(3, False), (8, False), (3, True), (8, True)])
@pytest.mark.parametrize("time", [0.4, 6.0])
def test_path_leads_to_the_trained_readouts(n, dead, time):
    x, y, u_plus, u_minus = problem(n, 5)
    if dead:
        u_plus[1] = u_minus[1] = 0
    path = implicit_bias.probing_path(x, y, u_plus, u_minus, GAMMA, time)
    v_plus, v_minus = probed_readouts(x, y, u_plus, u_minus, time)
    np.testing.assert_allclose(GAMMA + u_plus * path, v_plus, atol=1e-9)
    np.testing.assert_allclose(GAMMA - u_minus * path, v_minus, atol=1e-9)


def test_path_of_a_coordinate_with_dead_weights_is_the_integrated_gradient():
    """Its readouts do not move, but the gradient of its coefficient goes on, also where the data cannot be fitted."""
    x, y, u_plus, u_minus = problem(8, 5)
    u_plus[1] = u_minus[1] = 0
    times = np.linspace(0, 2, 2001)
    paths = implicit_bias.probing_path(x, y, u_plus, u_minus, GAMMA, times)
    betas = implicit_bias.probed_start(u_plus, u_minus, GAMMA, paths)
    gradient = 2 / 8 * (y - betas @ x.T) @ x[:, 1]
    integral = np.sum((gradient[1:] + gradient[:-1]) / 2) * (times[1] - times[0])
    assert paths[-1, 1] == pytest.approx(integral, rel=1e-5)


def test_width_and_start_are_the_invariants_of_the_probed_state():
    x, y, u_plus, u_minus = problem(3, 5)
    for time in (0.0, 0.7, 40.0):
        path = implicit_bias.probing_path(x, y, u_plus, u_minus, GAMMA, time)
        state = implicit_bias.pathway_invariants(u_plus, GAMMA + u_plus * path, u_minus, GAMMA - u_minus * path)
        width = implicit_bias.probed_width(u_plus, u_minus, GAMMA, path)
        np.testing.assert_allclose(width, state[0], rtol=1e-12)
        np.testing.assert_allclose(implicit_bias.probed_start(u_plus, u_minus, GAMMA, path), state[2], atol=1e-13)


def test_no_probing_leaves_finetuning_as_it_is():
    beta_aux, alpha = np.array([1.0, -0.2, 0.0]), 0.1
    layer = implicit_bias.pretrained_layer(beta_aux, alpha)
    width = implicit_bias.finetuning_width(beta_aux, alpha, GAMMA)
    np.testing.assert_allclose(implicit_bias.probed_width(*layer, GAMMA, 0.0), width, rtol=1e-13)
    start = implicit_bias.finetuning_start(beta_aux, alpha, GAMMA)
    np.testing.assert_allclose(implicit_bias.probed_start(*layer, GAMMA, 0.0), start, atol=1e-15)


def test_long_probing_ends_at_the_weighted_interpolator():
    x, y, u_plus, u_minus = problem(3, 5)
    path = implicit_bias.probing_path(x, y, u_plus, u_minus, GAMMA, 1e6)
    beta = implicit_bias.probed_start(u_plus, u_minus, GAMMA, path)
    expected = interpolation.min_weighted_l2(x, y, u_plus**2 + u_minus**2, GAMMA * (u_plus - u_minus))
    np.testing.assert_allclose(beta, expected, rtol=1e-10)
