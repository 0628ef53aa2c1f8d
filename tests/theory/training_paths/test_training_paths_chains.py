"""Chains of layers, against the flow of their weights and the limits of their penalty."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.interpolation import min_l1, min_l2
from mtlbook_lib.theory.training_paths import chain_response, min_chain_penalty


def task(n=4, dim=8, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, dim))
    return x, x @ np.eye(dim)[0]


@pytest.mark.parametrize("depth", [3, 4, 6])
def test_response_is_the_flow_of_one_chain(depth):
    alpha, pull = 0.5, 0.7

    def slope(_, weights):
        return pull * np.array([1.0, -1.0]) * weights ** (depth - 1)

    end = solve_ivp(slope, (0, 1), [alpha, alpha], rtol=1e-11, atol=1e-13).y[:, -1]
    z = (depth - 2) * alpha ** (depth - 2) * pull
    assert alpha**depth * chain_response(z, depth) == pytest.approx(end[0] ** depth - end[1] ** depth, rel=1e-8)


def test_response_is_odd_and_steep_at_the_walls():
    z = np.linspace(-0.99, 0.99, 7)
    assert chain_response(z, 3) == pytest.approx(-chain_response(-z, 3))
    assert chain_response(1e-9, 3) == pytest.approx(6e-9, rel=1e-9)
    assert chain_response(0.999, 3) == pytest.approx(1e9, rel=1e-3)
    with pytest.raises(ValueError, match="angle must be between -1 and 1"):
        chain_response(1.0, 3)


@pytest.mark.parametrize("depth", [3, 4])
def test_interpolator_is_the_end_of_the_flow(depth):
    x, y = task()
    shape = (2, 8)

    def slope(_, state):
        plus, minus = state.reshape(shape)
        pull = 2 / len(y) * (y - x @ (plus**depth - minus**depth)) @ x
        return np.concatenate([pull * plus ** (depth - 1), -pull * minus ** (depth - 1)])

    end = solve_ivp(slope, (0, 400), np.full(16, 0.6), "LSODA", rtol=1e-10, atol=1e-12).y[:, -1].reshape(shape)
    beta = min_chain_penalty(x, y, 0.6, depth)
    assert beta == pytest.approx(end[0] ** depth - end[1] ** depth, abs=1e-6)
    assert x @ beta == pytest.approx(y, abs=1e-8)


def test_limits_are_both_norms():
    x, y = task()
    assert min_chain_penalty(x, y, 10.0, 3) == pytest.approx(min_l2(x, y), abs=1e-4)
    assert min_chain_penalty(x, y, 1e-3, 3) == pytest.approx(min_l1(x, y), abs=1e-5)


def test_what_two_layers_need_is_another_function():
    x, y = task()
    with pytest.raises(ValueError, match="depth"):
        min_chain_penalty(x, y, 0.1, 2)
    with pytest.raises(ValueError, match="alpha"):
        min_chain_penalty(x, y, 1e-5, 3)
