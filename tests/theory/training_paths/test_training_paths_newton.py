"""The derivative that an integrator is given, against differences of the flow."""

import numpy as np
import pytest

from mtlbook_lib.theory.interpolation import min_penalty
from mtlbook_lib.theory.training_paths import (
    flow_path,
    squares,
)

STEP = 1e-5


def slope(function, at):
    """Derivatives of a function of a vector by central differences, one row for each entry of the vector."""
    shifts = STEP * np.eye(at.size)
    return np.array([(function(at + shift) - function(at - shift)) / (2 * STEP) for shift in shifts])


def task(n=4, dim=8, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, dim))
    return x, x @ np.eye(dim)[0] + 0.2 * rng.standard_normal(n)


@pytest.mark.parametrize("kappa", [0.2, np.linspace(0.5, 40, 8)])
def test_the_jacobian_of_the_path_is_the_slope_of_its_flow(kappa, monkeypatch):
    x, y = task()
    handed = {}

    def integrator(flow, *arguments, jac, **options):
        handed.update(flow=flow, jacobian=jac)
        return solve(flow, *arguments, jac=jac, **options)

    solve = squares.solve_ivp
    monkeypatch.setattr(squares, "solve_ivp", integrator)
    end = flow_path(x, y, kappa, 0.1, [0.5, 1e3])[1]
    assert end == pytest.approx(min_penalty(x, y, kappa, 0.1), rel=1e-5, abs=1e-6)
    nu = np.array([0.03, -0.2, 0.11, 0.05])
    expected = slope(lambda at: handed["flow"](0.0, at), nu)
    np.testing.assert_allclose(handed["jacobian"](0.0, nu), expected.T, rtol=1e-6, atol=1e-6)
