"""Students with several heads: what is watched, and what arms of a comparison share."""

import numpy as np
import pytest
import torch

from mtlbook_lib.data.leaky import leaky_pair
from mtlbook_lib.data.related import pair_gram, related_teachers
from mtlbook_lib.simulation.rectifier.descent import forward
from mtlbook_lib.simulation.rectifier.heads import train_first_head

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
