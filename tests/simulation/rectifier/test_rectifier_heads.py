"""Students with several heads: what is watched, what arms of a comparison share, and the stored runs of the book."""

import json

import numpy as np
import pytest
import torch

from mtlbook_lib._files import chapter_file
from mtlbook_lib.data.leaky import leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.simulation.linear import descent
from mtlbook_lib.simulation.rectifier.descent import forward
from mtlbook_lib.simulation.rectifier.heads import train_first_head

STORED = chapter_file("part3/nonlinear_transfer/nonlinear-transfer.json")
DOUBLE = {"n_hidden": 4, "dtype": torch.float64}


@pytest.fixture(scope="module")
def pair():
    return leaky_pair(related_teachers(3, 6, [[3.0], [2.0]], pair_gram([0.0, 0.7]), range(2)), n_probe=9)


def trained(pair, outputs, **changes):
    arguments = {"lr": 0.05, "n_steps": 20, "record_every": 5} | DOUBLE | changes
    return train_first_head(pair.inputs, outputs, pair.probe, pair.answers, pair.seeds, **arguments)


def test_error_is_that_of_the_first_outputs(pair):
    run = trained(pair, pair.joint)
    outputs = forward([torch.tensor(layer) for layer in run.layers], torch.tensor(pair.probe[:, None]), 0.2, True)
    missed = outputs.numpy()[..., :3, :] - pair.answers
    expected = (missed**2).sum((-2, -1)) / (pair.answers**2).sum((-2, -1))
    np.testing.assert_allclose(run.values["test_error"][..., -1], expected, rtol=1e-12)
    assert run.values["test_error"].shape == (2, 2, 5)


def test_one_step_is_that_of_automatic_differentiation(pair):
    start = trained(pair, pair.joint, lr=1e-12, n_steps=1).layers
    layers = [torch.tensor(layer, requires_grad=True) for layer in start]
    missed = torch.tensor(pair.joint) - forward(layers, torch.tensor(pair.inputs[:, None]), 0.2, True)
    (missed.square().sum() / 2).backward()
    moved = trained(pair, pair.joint, lr=0.01, n_steps=1).layers
    for before, after in zip(layers, moved, strict=True):
        np.testing.assert_allclose(after, (before - 0.01 * before.grad).detach().numpy(), atol=1e-10)


def test_arms_start_with_the_same_first_layer(pair):
    alone, joint = (trained(pair, outputs, lr=1e-12, n_steps=1).layers[0] for outputs in (pair.first, pair.joint))
    np.testing.assert_allclose(joint, np.broadcast_to(alone, joint.shape), atol=1e-10)
    gram = joint @ joint.swapaxes(-1, -2)
    np.testing.assert_allclose(gram, np.broadcast_to(1e-3 * np.eye(4), gram.shape), atol=1e-12)


def test_a_student_can_start_as_a_part_of_a_larger_one(pair):
    part = trained(pair, pair.first, lr=1e-12, n_steps=1, rows_drawn=6).layers
    whole = trained(pair, pair.joint, lr=1e-12, n_steps=1).layers
    np.testing.assert_allclose(part[0][:, 0], whole[0][:, 0], atol=1e-10)
    np.testing.assert_allclose(part[1][:, 0], whole[1][:, 0, :3], atol=1e-10)


def test_slope_one_is_gradient_descent_on_a_linear_network(pair):
    start = trained(pair, pair.joint, slope=1.0, lr=1e-12, n_steps=1).layers
    statistics = pair.joint @ pair.inputs.swapaxes(-1, -2)[:, None]
    linear = descent.descend(start, statistics, 0.05, 100)
    run = trained(pair, pair.joint, slope=1.0, n_steps=100)
    for found, expected in zip(run.layers, linear.layers, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "partner", "place", "index"), [("strong", "100", 0, 5), ("strong", "3", 2, 11), ("weak", "10", 0, 77)]
)
def test_a_slice_of_the_stored_result_trained_again(name, partner, place, index):
    found = json.loads(STORED.read_text())["experiments"][name]
    rules, joint = found["settings"], found["joint"][partner]
    seed, lr = rules["seeds"][index], rules["learning_rate"]
    strengths = [[rules["strength_a"]] * rules["rank"], [float(partner)] * rules["rank"]]
    gram = pair_gram(rules["similarities"][place], rules["rank"], rules["rank"])
    pair = leaky_pair(related_teachers(rules["n_outputs"], rules["n_inputs"], strengths, gram, [seed]), rules["slope"])
    steps = round(joint["time"][place] / lr)
    run = train_first_head(pair.inputs, pair.joint, pair.probe, pair.answers, [seed], lr, steps, record_every=steps)
    assert run.values["test_error"][0, 0, -1] == pytest.approx(joint["error"][index][place], abs=1e-3)
