"""Integrated gradient flow against an independent integrator, its order, its invariants, and its bookkeeping."""

import functools

import numpy as np
import pytest
from _flow_tasks import MAP, TIMES, task
from scipy.integrate import solve_ivp

from mtlbook_lib.simulation.linear.gradient_flow import integrate


def reference(layers, data, spread, times=TIMES):
    """Composite maps of one network by SciPy's integrator of order 8; equations written out anew."""
    shapes = [layer.shape for layer in layers]
    cuts = np.cumsum([np.prod(shape) for shape in shapes])[:-1]

    def product(factors, size):
        return functools.reduce(lambda total, factor: factor @ total, factors, np.eye(size))

    def unpack(y):
        return [part.reshape(shape) for part, shape in zip(np.split(y, cuts), shapes, strict=True)]

    def slope(_, y):
        weights = unpack(y)
        residual = data - product(weights, shapes[0][1]) @ spread
        return np.concatenate(
            [
                (product(weights[i + 1 :], shapes[i][0]).T @ residual @ product(weights[:i], shapes[0][1]).T).ravel()
                for i in range(len(weights))
            ]
        )

    start = np.concatenate([layer.ravel() for layer in layers])
    solution = solve_ivp(slope, (0, times[-1]), start, "DOP853", t_eval=times, rtol=1e-12, atol=1e-14)
    return np.array([product(unpack(y), shapes[0][1]) for y in solution.y.T])


@functools.cache
def exact(depth):
    """Two of the four networks of `task`: (seed, setting) = (0, 0) and (1, 1)."""
    layers, data, spread = task(depth)
    return np.array([reference([w[i, i].cpu().numpy() for w in layers], data[i, i], spread) for i in range(2)])


def test_flow_agrees_with_an_independent_integrator():
    layers, data, spread = task(3)
    result = integrate(layers, data, TIMES, covariance=spread, observe=MAP, rtol=1e-10)
    assert result.converged.all()
    assert not result.diverged.any()
    np.testing.assert_allclose(result.values["map"][[0, 1], [0, 1]], exact(3), rtol=0, atol=3e-9)


def test_covariance_may_differ_between_networks():
    layers, data, spread = task(2)
    many = np.stack([np.stack([spread, 2 * spread]), np.stack([spread, 3 * spread])])
    result = integrate(layers, data, TIMES, covariance=many, observe=MAP, rtol=1e-10)
    for s, k in np.ndindex(2, 2):
        expected = reference([w[s, k].cpu().numpy() for w in layers], data[s, k], many[s, k])
        np.testing.assert_allclose(result.values["map"][s, k], expected, rtol=0, atol=3e-9)


@pytest.mark.parametrize("depth", [2, 5])
def test_adaptive_method_keeps_its_tolerance_at_every_sample(depth):
    layers, data, spread = task(depth)
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        result = integrate(layers, data, TIMES, covariance=spread, rtol=rtol, observe=MAP)
        errors.append(np.abs(result.values["map"][[0, 1], [0, 1]] - exact(depth)).max())
        assert errors[-1] < 30 * rtol
    assert errors[0] > 100 * errors[1] > 100 * errors[3]


def test_samples_between_steps_do_not_change_the_steps():
    layers, data, spread = task(2)
    sparse = integrate(layers, data, [4.0], covariance=spread, rtol=1e-6)
    dense = integrate(layers, data, np.linspace(0, 4, 101), covariance=spread, rtol=1e-6)
    np.testing.assert_array_equal(sparse.steps, dense.steps)
    for a, b in zip(sparse.layers, dense.layers, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_allclose(sparse.step, 4.0 / sparse.steps)
