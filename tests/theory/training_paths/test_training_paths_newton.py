"""The derivatives behind Newton's methods and integrators, against differences, and how fast the methods arrive."""

import numpy as np
import pytest

from mtlbook_lib.theory import _hyperbolic
from mtlbook_lib.theory.interpolation import min_penalty
from mtlbook_lib.theory.training_paths import (
    chain_response,
    chains,
    flow_path,
    largest_margin,
    margins,
    min_chain_penalty,
    penalised,
    squares,
)

STEP = 1e-5


def slope(function, at):
    """Derivatives of a function of a vector by central differences, one row for each entry of the vector."""
    shifts = STEP * np.eye(at.size)
    return np.array([(function(at + shift) - function(at - shift)) / (2 * STEP) for shift in shifts])


@pytest.fixture
def tasks():
    """Three examples of one task and two of another, four inputs, of lengths about 1."""
    rng = np.random.default_rng(5)
    return margins._Stacked(rng.standard_normal((5, 4)) / 2, np.array([0, 0, 0, 1, 1]), 2)


def objective(tasks, logs, barrier):
    """The value that a centre maximises, as a function of the logarithms of the multipliers."""
    duals = np.exp(logs)
    slopes = [duals[tasks.task == o] @ tasks.rows[tasks.task == o] for o in (0, 1)]
    room = 1 - slopes[0] ** 2 - slopes[1] ** 2
    return duals.sum() / barrier + np.log(duals).sum() + np.log(room).sum()


def test_derivatives_of_the_barrier_are_differences_of_its_value(tasks):
    duals, barrier = np.array([0.11, 0.2, 0.07, 0.16, 0.05]), 0.37
    centre = margins._Centre(duals, 1 - (tasks.slopes(duals) ** 2).sum(axis=0))
    gradient, curvature = margins._derivatives(tasks, centre, barrier)
    logs = np.log(duals)
    assert centre.value(barrier) == pytest.approx(objective(tasks, logs, barrier), rel=1e-13)
    np.testing.assert_allclose(gradient, slope(lambda at: objective(tasks, at, barrier), logs), rtol=1e-7)

    def pulls(at):
        """The gradient in the multipliers themselves, in units of their present values."""
        inner = margins._Centre(np.exp(at), 1 - (tasks.slopes(np.exp(at)) ** 2).sum(axis=0))
        return margins._derivatives(tasks, inner, barrier)[0] / np.exp(at) * duals

    np.testing.assert_allclose(curvature, -slope(pulls, logs), rtol=1e-6, atol=1e-9)


def test_a_step_keeps_the_room_up_to_date(tasks):
    duals, step = np.array([0.11, 0.2, 0.07, 0.16, 0.05]), np.array([0.03, -0.1, 0.02, 0.07, -0.01])
    moved = margins._Centre(duals, 1 - (tasks.slopes(duals) ** 2).sum(axis=0)).moved(tasks, step)
    np.testing.assert_allclose(moved.duals, duals + step, rtol=1e-14)
    np.testing.assert_allclose(moved.slack, 1 - (tasks.slopes(duals + step) ** 2).sum(axis=0), rtol=1e-13)


def test_outside_the_barrier_has_no_value(tasks):
    inside = margins._Centre(np.full(5, 0.1), np.full(4, 0.5))
    assert np.isfinite(inside.value(1.0))
    negative, full = np.full(5, 0.1), np.full(4, 0.5)
    negative[2], full[1] = -0.1, -0.5
    assert not np.isfinite(margins._Centre(negative, inside.slack).value(1.0))
    assert not np.isfinite(margins._Centre(inside.duals, full).value(1.0))


def test_newtons_method_centres_in_few_steps(tasks, monkeypatch):
    """With the right curvature 13 steps per centre reach a margin of the same twelve digits as 60."""
    signed = [np.abs(tasks.rows[:3]) * [1, 1, -1, 1] + [0.5, 0, 0, 0], np.abs(tasks.rows[3:])]
    beta, margin = largest_margin(signed)
    monkeypatch.setattr(margins, "_NEWTONS", 13)
    few = largest_margin(signed)
    assert few[1] == pytest.approx(margin, rel=1e-12)
    np.testing.assert_allclose(few[0], beta, rtol=0, atol=1e-11)


@pytest.mark.parametrize("depth", [3, 4, 7])
def test_steepness_is_the_slope_of_the_response(depth):
    z = np.array([-0.7, -0.2, 0.0, 0.35, 0.9])
    found = chains._steepness(z, depth / (depth - 2))
    expected = (chain_response(z + STEP, depth) - chain_response(z - STEP, depth)) / (2 * STEP)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def task(n=4, dim=8, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, dim))
    return x, x @ np.eye(dim)[0] + 0.2 * rng.standard_normal(n)


def test_steps_that_run_out_are_an_error(monkeypatch):
    x, y = task()
    monkeypatch.setattr(chains, "_STEPS", 2)
    monkeypatch.setattr(_hyperbolic, "_MAX_STEPS", 2)
    monkeypatch.setattr(margins, "_ROUNDS", 3)
    with pytest.raises(RuntimeError, match="no interpolator found for x, y and alpha: the relative residual is"):
        min_chain_penalty(x, y, 0.01, 3)
    with pytest.raises(RuntimeError, match="no solution found in 2 Newton steps; rescale"):
        penalised(x, y, 1e-3, 0.0, 1e-3)
    with pytest.raises(RuntimeError, match="no largest margin of signed was proved in 3 rounds"):
        largest_margin([x * np.sign(y)[:, None]])


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
