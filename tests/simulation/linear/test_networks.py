"""The layers' own equations against automatic differentiation of the loss on explicit examples."""

import itertools

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.linear import descent, students
from mtlbook_lib.simulation.linear._steepest import Steepest
from mtlbook_lib.simulation.linear.networks import composite

SIZES = {2: (7, 5, 4), 3: (7, 3, 6, 4), 5: (7, 5, 6, 2, 5, 4)}


def random_task(sizes, n_nets=3, n_examples=6):
    rng = np.random.default_rng(5)
    layers = [torch.from_numpy(rng.standard_normal((n_nets, m, n))) for n, m in itertools.pairwise(sizes)]
    inputs = torch.from_numpy(rng.standard_normal((n_nets, sizes[0], n_examples)))
    outputs = torch.from_numpy(rng.standard_normal((n_nets, sizes[-1], n_examples)))
    return layers, inputs, outputs


def direction(layers, training, covariance=None, variances=None):
    found = [torch.empty_like(layer) for layer in layers]
    Steepest(layers, training, covariance, variances)(found)
    return found


@pytest.mark.parametrize("sizes", SIZES.values())
def test_direction_is_minus_the_gradient_of_half_the_squared_error(sizes):
    layers, inputs, outputs = random_task(sizes)
    leaves = [layer.clone().requires_grad_() for layer in layers]
    (0.5 * (outputs - composite(leaves) @ inputs).square().sum()).backward()
    directions = direction(layers, outputs @ inputs.mT, inputs @ inputs.mT)
    for leaf, found in zip(leaves, directions, strict=True):
        np.testing.assert_allclose(found.numpy(), -leaf.grad.numpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("loss", "factor"), [("half", 0.5), ("full", 1.0)])
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_one_step_of_descent_follows_the_gradient_of_the_stated_loss(depth, loss, factor):
    layers = students.gaussian(4, 7, 5, 0.5, seeds=[1, 2], depth=depth, n_settings=2)
    _, inputs, outputs = random_task((7, 5, 4), n_nets=4)
    inputs, outputs = inputs.reshape(2, 2, 7, 6), outputs.reshape(2, 2, 4, 6)
    leaves = [layer.cpu().clone().requires_grad_() for layer in layers]
    (factor * (outputs - composite(leaves) @ inputs).square().sum()).backward()
    result = descent.descend(layers, outputs @ inputs.mT, lr=0.01, n_steps=1, loss=loss, covariance=inputs @ inputs.mT)
    for before, leaf, after in zip(layers, leaves, result.layers, strict=True):
        np.testing.assert_allclose(after, before.cpu() - 0.01 * leaf.grad, rtol=0, atol=1e-12)
