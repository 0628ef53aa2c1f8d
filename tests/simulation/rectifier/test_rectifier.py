"""Leaky rectifier networks against automatic differentiation, the linear special case, and homogeneity."""

import numpy as np
import pytest
import torch
from _flow_tasks import DevicesAreNamed
from torch.nn.functional import leaky_relu

from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.simulation.linear import descent, students
from mtlbook_lib.simulation.rectifier import descent as rectifier

SEEDS = [4, 7]
DEPTHS = [2, 4]


def task(depth, n_settings=3):
    rng = np.random.default_rng(2)
    inputs = gaussian_inputs(6, 9, SEEDS)
    targets = rng.standard_normal((2, n_settings, 4, 9))
    return students.gaussian(4, 6, 5, 0.5, SEEDS, depth=depth, n_settings=n_settings), inputs, targets


def by_hand(layers, inputs, slope, leaky_output):
    layers = [layer.cpu() for layer in layers]
    for layer in layers[:-1]:
        inputs = leaky_relu(layer @ inputs, slope)
    output = layers[-1] @ inputs
    return leaky_relu(output, slope) if leaky_output else output


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("slope", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("leaky_output", [False, True])
@pytest.mark.parametrize(("loss", "factor"), [("half", 0.5), ("full", 1.0)])
def test_one_step_follows_the_gradient_of_the_stated_loss(depth, slope, leaky_output, loss, factor):
    layers, inputs, targets = task(depth)
    leaves = [layer.clone().requires_grad_() for layer in layers]
    outputs = by_hand(leaves, torch.from_numpy(inputs)[:, None], slope, leaky_output)
    (factor * (torch.from_numpy(targets) - outputs).square().sum()).backward()
    result = rectifier.descend(layers, inputs, targets, 0.1, 1, slope=slope, leaky_output=leaky_output, loss=loss)
    for before, leaf, after in zip(layers, leaves, result.layers, strict=True):
        np.testing.assert_allclose(after, (before - 0.1 * leaf.grad).cpu(), rtol=0, atol=1e-12)


def test_forward_rectifies_hidden_layers_and_the_output_on_request():
    layers, inputs, _ = task(4)
    examples = torch.from_numpy(inputs)[:, None]
    for leaky_output in (False, True):
        outputs = rectifier.forward(layers, examples, 0.3, leaky_output)
        torch.testing.assert_close(outputs, by_hand(layers, examples, 0.3, leaky_output), rtol=1e-12, atol=1e-14)
    plain = rectifier.forward(layers, examples)
    torch.testing.assert_close(plain, by_hand(layers, examples, 0.2, False), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("depth", DEPTHS)
def test_slope_one_is_the_linear_network(depth):
    layers, inputs, targets = task(depth)
    linear = descent.descend(
        layers,
        targets @ inputs.swapaxes(-1, -2)[:, None],
        0.01,
        100,
        covariance=(inputs @ inputs.swapaxes(-1, -2))[:, None],
    )
    leaky = rectifier.descend(layers, inputs, targets, 0.01, 100, slope=1.0)
    for one, other in zip(linear.layers, leaky.layers, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(linear.times, leaky.times)


def test_new_tensors_name_their_device():
    layers, inputs, targets = task(2)
    observe = {"train": rectifier.prediction_error(inputs, targets)}
    with DevicesAreNamed():
        rectifier.descend(layers, inputs, targets, 0.02, 3, observe=observe)
