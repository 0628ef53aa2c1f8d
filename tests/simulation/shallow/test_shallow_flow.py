"""Gradient flow of shallow networks, against automatic differentiation and plain gradient descent."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.shallow import Layers, gradient_flow, random_layers

RNG = np.random.default_rng(3)
X, X2 = (RNG.standard_normal((2, 1, n, 4)) / 2 for n in (9, 6))
Y, Y2 = (np.tanh(x @ RNG.standard_normal(4)) for x in (X, X2))
NEW = RNG.standard_normal((1, 1, 50, 4)) / 2


def loss_of(first, second, data):
    total = torch.zeros(())
    for task, (x, y) in enumerate(data):
        outputs = second[task] @ torch.relu(first @ torch.as_tensor(x).T)
        total = total + (outputs - torch.as_tensor(y)).square().mean()
    return total


def descended(layers, data, rate, tolerance):
    """One network by plain gradient descent, its gradients by automatic differentiation."""
    first, second = (torch.tensor(part[0, 0], requires_grad=True) for part in (layers.first, layers.second))
    for _ in range(20_000):
        loss = loss_of(first, second, data)
        if loss.item() <= tolerance:
            break
        slopes = torch.autograd.grad(loss, (first, second))
        with torch.no_grad():
            first -= rate * slopes[0]
            second -= rate * slopes[1]
    return Layers(first.detach().numpy()[None, None], second.detach().numpy()[None, None])


@pytest.mark.parametrize("scale", [0.05, 0.5])
def test_the_flow_ends_where_plain_descent_with_small_steps_ends(scale):
    start = random_layers(4, 12, [1], scale)
    fits = gradient_flow(start, [X[:1, :, :5]], [Y[:1, :, :5]], 1e-5, reach=0.05, miss=0.05)
    other = descended(start, [(X[0, 0, :5], Y[0, 0, :5])], 0.1, 1e-5)
    ours, theirs = fits.layers.outputs(NEW), other.outputs(NEW)
    assert fits.converged.all()
    assert np.linalg.norm(ours - theirs) < 0.02 * np.linalg.norm(theirs)


def test_the_balance_of_each_unit_is_conserved_the_better_the_shorter_the_steps():
    start = random_layers(4, 12, [0, 1], 0.05, n_tasks=2)
    drifts = []
    for reach in (0.1, 0.02):
        layers = gradient_flow(start, [X, X2], [Y, Y2], 1e-2, reach, reach).layers
        drifts.append(np.abs(layers.balance - start.balance).max())
        assert (layers.second**2).sum(axis=-2).max() > 0.2
    assert drifts[1] < 0.4 * drifts[0] < 0.02


def test_what_a_network_computes_does_not_say_how_its_layers_share_it():
    """A large first layer makes the problem stiff, which costs no steps."""
    start = random_layers(4, 20, [0, 1], 0.3).rescaled(100.0)
    fits = gradient_flow(start, [X], [Y], 1e-10)
    assert fits.converged.all()
    assert fits.steps.max() < 100
    assert fits.layers.outputs(X)[:, :, 0] == pytest.approx(Y, abs=1e-4)


def test_a_run_that_needs_more_steps_says_so():
    fits = gradient_flow(random_layers(4, 8, [0, 1], 0.01), [X], [Y], 1e-8, max_steps=5)
    assert not fits.converged.any()
    assert (fits.steps == 5).all()
    assert (fits.loss > 1e-8).all()


def test_a_step_solves_the_linearly_implicit_equations():
    """Written out with the Jacobian of all outputs from automatic differentiation."""
    start = random_layers(4, 10, [0], 0.6, n_tasks=2)
    data = [(X[0, 0], Y[0, 0]), (X2[0, 0], Y2[0, 0])]
    end = gradient_flow(start, [X[:1], X2[:1]], [Y[:1], Y2[:1]], 1e-9, reach=1e6, miss=1e6, max_steps=1).layers
    flat = torch.tensor(np.concatenate([start.first.ravel(), start.second.ravel()]))

    def residuals(weights):
        first, second = weights[:40].reshape(10, 4), weights[40:].reshape(2, 10)
        outputs = [torch.relu(torch.as_tensor(x) @ first.T) @ v for (x, _), v in zip(data, second, strict=True)]
        return torch.cat(
            [(torch.as_tensor(y) - out) / np.sqrt(len(y)) for (_, y), out in zip(data, outputs, strict=True)]
        )

    jacobian, rho, h = -torch.autograd.functional.jacobian(residuals, flat), residuals(flat), 0.1
    push = torch.linalg.solve(torch.eye(15) + 2 * h * jacobian @ jacobian.T, 2 * h * rho)
    moved = np.concatenate([(end.first - start.first).ravel(), (end.second - start.second).ravel()])
    assert moved == pytest.approx((jacobian.T @ push).numpy(), rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("limit", ["reach", "miss"])
def test_a_step_that_goes_too_far_is_not_taken(limit):
    """No unit moves by more than its share, and no residual is missed by more than its own."""
    start = random_layers(4, 10, [0, 1], 0.6, n_tasks=2)
    limits = {"reach": 1e6, "miss": 1e6, limit: 1e-4}
    once = gradient_flow(start, [X, X2], [Y, Y2], **limits, max_steps=1)
    assert np.array_equal(once.layers.first, start.first)
    assert np.array_equal(once.layers.second, start.second)
    later = gradient_flow(start, [X, X2], [Y, Y2], **limits, max_steps=12)
    assert np.abs(later.layers.first - start.first).max() > 0
    assert np.all(later.loss < once.loss)
