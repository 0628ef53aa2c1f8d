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


def test_short_steps_go_down_the_gradient_of_the_summed_means():
    start = random_layers(4, 10, [0], 0.3, n_tasks=2)
    end = gradient_flow(start, [X[:1], X2[:1]], [Y[:1], Y2[:1]], reach=1e-6, max_steps=12).layers
    first, second = (torch.tensor(part[0, 0], requires_grad=True) for part in (start.first, start.second))
    slopes = torch.autograd.grad(loss_of(first, second, [(X[0, 0], Y[0, 0]), (X2[0, 0], Y2[0, 0])]), (first, second))
    moved = np.concatenate([(end.first - start.first).ravel(), (end.second - start.second).ravel()])
    down = -np.concatenate([slope.numpy().ravel() for slope in slopes])
    assert moved @ down / np.linalg.norm(moved) / np.linalg.norm(down) > 1 - 1e-8
    assert np.linalg.norm(moved) > 0


@pytest.mark.parametrize("scale", [0.05, 0.5])
def test_the_flow_ends_where_plain_descent_with_small_steps_ends(scale):
    start = random_layers(4, 12, [1], scale)
    fits = gradient_flow(start, [X[:1, :, :5]], [Y[:1, :, :5]], 1e-5, reach=0.05, miss=0.05)
    other = descended(start, [(X[0, 0, :5], Y[0, 0, :5])], 0.1, 1e-5)
    ours, theirs = fits.layers.outputs(NEW), other.outputs(NEW)
    assert fits.converged.all()
    assert np.linalg.norm(ours - theirs) < 0.02 * np.linalg.norm(theirs)


def test_a_batch_is_a_loop_over_its_networks():
    start = random_layers(4, 8, [0, 1], 0.1, n_tasks=2)
    batch = Layers(*(np.concatenate([part, 2 * part], axis=1) for part in (start.first, start.second)))
    fits = gradient_flow(batch, [X, X2], [Y, Y2], 1e-3)
    assert fits.steps.std() > 0  # each on its own clock
    for seed in range(2):
        for setting in range(2):
            one = Layers(*(part[seed : seed + 1, setting : setting + 1] for part in (batch.first, batch.second)))
            data = [x[seed : seed + 1] for x in (X, X2)], [y[seed : seed + 1] for y in (Y, Y2)]
            alone = gradient_flow(one, *data, 1e-3)
            assert alone.steps[0, 0] == fits.steps[seed, setting]
            assert alone.layers.first[0, 0] == pytest.approx(fits.layers.first[seed, setting], abs=1e-8)
            assert alone.layers.second[0, 0] == pytest.approx(fits.layers.second[seed, setting], abs=1e-8)


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


def test_a_network_that_fits_already_is_left_alone():
    start = random_layers(4, 8, [0, 1], 0.5)
    fits = gradient_flow(start, [X], [start.outputs(X)[:, :, 0]])
    assert (fits.steps == 0).all()
    assert fits.layers.first == pytest.approx(start.first)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"inputs": [X, X]}, "inputs"),
        ({"inputs": [X[..., :3]]}, "inputs"),
        ({"labels": [Y[..., :4]]}, "inputs"),
        ({"labels": [np.ones((2, 3, 9))]}, "labels"),
        ({"tolerance": 0.0}, "tolerance"),
    ],
)
def test_what_does_not_fit_is_named(change, name):
    call = {"layers": random_layers(4, 8, [0, 1], 0.1), "inputs": [X], "labels": [Y], **change}
    with pytest.raises(ValueError, match=name):
        gradient_flow(**call)
