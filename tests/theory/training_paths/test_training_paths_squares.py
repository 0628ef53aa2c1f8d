"""Paths of training on squares and penalised solutions, against the four layers and against minimisation."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from mtlbook_lib.theory.implicit_bias import pathway_invariants, penalty_terms
from mtlbook_lib.theory.training_paths import flow_path, penalised, width_loss


def task(n=5, dim=9, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, dim))
    return x, x @ np.eye(dim)[0] + 0.3 * rng.standard_normal(n), rng


def layers(x, y, weights, times):
    """The flow of all four layers, (time, layer, D)."""

    def slope(_, state):
        up, vp, um, vm = state.reshape(4, -1)
        pull = 2 / len(y) * (y - x @ (up * vp - um * vm)) @ x
        return np.concatenate([pull * vp, pull * up, -pull * vm, -pull * um])

    found = solve_ivp(slope, (0, times[-1]), weights.ravel(), "DOP853", times, rtol=1e-11, atol=1e-13)
    return found.y.T.reshape(len(times), 4, -1)


@pytest.mark.parametrize("n", [5, 20])
def test_the_path_is_that_of_the_layers(n):
    x, y, rng = task(n)
    weights, times = rng.uniform(0.2, 0.8, (4, 9)), np.array([0.1, 0.5, 2.0])
    kappa, _, start = pathway_invariants(*weights)
    up, vp, um, vm = layers(x, y, weights, times).swapaxes(0, 1)
    assert flow_path(x, y, kappa, start, times, rtol=1e-11) == pytest.approx(up * vp - um * vm, abs=1e-8)


@pytest.mark.parametrize("n", [5, 20])
def test_penalised_is_the_least_sum(n):
    x, y, _ = task(n)
    kappa, start, strength = np.linspace(0.1, 1, 9), np.linspace(-0.2, 0.2, 9), 0.05

    def objective(beta):
        return ((x @ beta - y) ** 2).mean() + strength * penalty_terms(beta, kappa, start).sum()

    found = penalised(x, y, kappa, start, strength)
    best = minimize(objective, start, method="BFGS", options={"gtol": 1e-9})
    assert found == pytest.approx(best.x, abs=1e-5)
    assert objective(found) <= best.fun + 1e-12


def test_lost_width_is_the_square_of_every_pull():
    x, y, _ = task()
    times = np.linspace(0, 3, 601)
    path = flow_path(x, y, 0.3, 0.0, times)
    pulls = 2 * (y - path @ x.T)[:, :, None] * x  # of every example, (time, n, D)
    shares = np.where((times == 0) | (times == 3), 0.5, 1.0) * times[1]
    full, one = shares @ pulls.mean(axis=1) ** 2, shares @ (pulls**2).mean(axis=1)
    assert width_loss(x, y, 0.3, 0.0, times) == pytest.approx(full, rel=1e-12)
    assert width_loss(x, y, 0.3, 0.0, times, 1.0) == pytest.approx(one, rel=1e-12)
    both = width_loss(x, y, 0.3, 0.0, times, 4.0)
    least, most = width_loss(x, y, 0.3, 0.0, times), width_loss(x, y, 0.3, 0.0, times, 1.0)
    assert both == pytest.approx(least + (most - least) / 4, rel=1e-12)


def test_an_integration_that_fails_is_an_error(monkeypatch):
    class Failed:
        success, t, message = False, np.zeros(0), "too stiff"

    monkeypatch.setattr("mtlbook_lib.theory.training_paths.squares.solve_ivp", lambda *_, **__: Failed)
    with pytest.raises(RuntimeError, match="the path of x, y and kappa ended at time 0: too stiff"):
        flow_path(*task()[:2], 0.1, 0.0, [1.0])


def test_bad_arguments_are_named():
    x, y, _ = task()
    for times in ([1.0, 0.5], [0.5, 0.5], [0.0, 2.0, 1.0], [], [[0.1, 0.2]], 1.0):
        with pytest.raises(ValueError, match="times must be an increasing list"):
            flow_path(x, y, 0.1, 0.0, times)
    for wrong in ((x, y[:3]), (np.ones((0, 9)), np.ones(0)), (np.ones((5, 0)), np.ones(5))):
        with pytest.raises(ValueError, match=r"x must be a matrix|one label for each row of x"):
            penalised(*wrong, 0.1, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"kappa must be a number or have shape \(9,\)"):
        flow_path(x, y, np.ones(3), 0.0, [1.0])
    with pytest.raises(ValueError, match=r"start must be a number or have shape \(9,\)"):
        penalised(x, y, 0.1, np.ones((9, 1)), 1.0)
    assert penalised([[1.0]], [1.0], [1.0], [0.0], 1.0).shape == (1,)


@pytest.mark.parametrize("targets", ["some", "none"])
@pytest.mark.parametrize(("kappa", "strength"), [(0.05, 0.02), (3.0, 0.4), (1e-30, 1e-6), (1e-9, 1.0)])
def test_penalised_solutions_meet_the_optimality_conditions(targets, kappa, strength):
    start = 0.3
    x, y, _ = task(n=4)
    y = y if targets == "some" else np.zeros(4)
    beta = penalised(x, y, kappa, start, strength)
    pull = (np.arcsinh(beta / kappa) - np.arcsinh(start / kappa)) * 4 * strength
    scale = max(np.linalg.norm(y), np.linalg.norm(x.sum(axis=1) * start))
    # To 1e-10 of the targets, of which the multipliers are this fraction of a fraction.
    size = np.linalg.norm(x, 2) * scale * 2e-10 + 1e-14 * 4 * strength * 70
    np.testing.assert_allclose(pull, (y - x @ beta) @ x, rtol=0, atol=size)
