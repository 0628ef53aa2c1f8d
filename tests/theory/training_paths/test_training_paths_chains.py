"""Chains of layers, against the flow of their weights and the limits of their penalty."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.interpolation import min_l1
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


@pytest.mark.parametrize(("n", "dim"), [(1, 1), (4, 8), (8, 8)])
@pytest.mark.parametrize(("alpha", "depth"), [(1e-4, 3), (1e-3, 4), (0.1, 3), (0.4, 5), (10.0, 4)])
def test_what_is_found_fits_and_is_a_combination_of_the_inputs(n, dim, alpha, depth):
    """The penalty's slope, the inverse of the response by halving intervals, lies in the row space."""
    x, y = task(n, dim, seed=n)
    y = -3 * y + 0.1 * np.arange(n)
    try:
        beta = min_chain_penalty(x, y, alpha, depth)
    except RuntimeError:
        assert (n, alpha) == (8, 1e-3)  # as many coefficients as samples, and walls too steep for a linear solver
        return
    np.testing.assert_allclose(x @ beta, y, rtol=0, atol=2e-9 * np.linalg.norm(y))
    low, high = -np.ones(dim), np.ones(dim)
    for _ in range(60):
        middle = (low + high) / 2
        below = alpha**depth * chain_response(middle, depth) < beta
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    combined = np.linalg.lstsq(x.T, low, rcond=None)[0] @ x
    np.testing.assert_allclose(combined, low, rtol=0, atol=1e-9)


@pytest.mark.parametrize("depth", [5, 6, 10])
def test_walls_that_float64_cannot_resolve_are_an_error(depth):
    x, y = task()
    with pytest.raises(RuntimeError, match="no interpolator found for x, y and alpha: the relative residual is"):
        min_chain_penalty(x, y, 1e-4, depth)


@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_interpolator_from_small_starts_with_many_inputs(depth, seed):
    """Near the walls the weights of the Hessian differ by twenty orders; Newton gets there on any processor."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((20, 60))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    teacher = np.zeros(60)
    teacher[:6] = rng.standard_normal(6)
    y = x @ teacher
    found = min_chain_penalty(x, y, 1e-3, depth)
    assert np.linalg.norm(x @ found - y) <= 1e-8 * np.linalg.norm(y)
    # From a small start it is nearly the least l1 norm.
    least = np.abs(min_l1(x, y)).sum()
    assert least * (1 - 1e-9) <= np.abs(found).sum() < 1.02 * least
