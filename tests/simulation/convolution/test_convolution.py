"""Batches of small convolutional networks: against torch's own convolutions, and where training ends."""

import numpy as np
import pytest
import torch
from torch.nn.functional import conv2d, cross_entropy

from mtlbook_lib.simulation import convolution
from mtlbook_lib.simulation.convolution.layers import as_matrix

RNG = np.random.default_rng(5)
SEEDS = (3, 8, 11)


def images(n, n_classes=2, n_networks=3):
    labels = RNG.integers(0, n_classes, (n_networks, n))
    return convolution.Images(RNG.standard_normal((n_networks, n, 64)) + labels[..., None], labels)


def filters_of(layer):
    """Filters as torch has them: (channels out, channels in, 3, 3)."""
    return torch.from_numpy(layer).permute(2, 1, 0).reshape(layer.shape[2], layer.shape[1], 3, 3)


def by_torch(networks, place, inputs, task=0):
    """Logits by torch's convolution."""
    first, second, dense = (layer[place] for layer in networks.trunk)
    hidden = torch.relu(conv2d(torch.from_numpy(inputs).reshape(-1, 1, 8, 8), filters_of(first), stride=2, padding=1))
    hidden = torch.relu(conv2d(hidden, filters_of(second), stride=2, padding=1))
    flat = hidden.permute(0, 2, 3, 1).reshape(len(inputs), -1).numpy()
    return np.maximum(flat @ dense, 0) @ networks.heads[task][place]


def test_logits_are_those_of_torch():
    networks, given = convolution.random_networks([2, 5], SEEDS), images(4)
    for task in (0, 1):
        for place in range(3):
            wanted = by_torch(networks, place, given.inputs[place], task)
            assert networks.logits(given.inputs, task)[place] == pytest.approx(wanted, abs=1e-10)


def test_a_matrix_of_filters_has_their_entries_only():
    filters = torch.arange(1.0, 10).reshape(1, 9, 1, 1)
    matrix = as_matrix(filters, 4)[0]
    assert matrix.shape == (16, 4)
    assert sorted(matrix[:, 3][matrix[:, 3] > 0].tolist()) == list(range(1, 10))
    assert (matrix[:, 0] > 0).sum() == 4


def test_the_loss_told_is_that_of_the_networks_told():
    fits = convolution.descend(convolution.random_networks([2], SEEDS), [given := images(5)], 0.05)
    assert given.errors(fits.networks)[1] == pytest.approx(fits.losses[0], rel=1e-3)
    assert given.errors(fits.networks)[0] == pytest.approx(np.zeros(3))


def test_steps_are_those_of_adam():
    networks, given = convolution.random_networks([2], (1,)), images(5, n_networks=1)
    layers = [torch.from_numpy(w.copy()).requires_grad_() for w in (*networks.trunk, *networks.heads)]
    rule = torch.optim.Adam(layers, lr=1e-3)
    for _ in range(3):
        rule.zero_grad()
        hidden = torch.relu(torch.from_numpy(given.inputs) @ as_matrix(layers[0], 8))
        hidden = torch.relu(torch.relu(hidden @ as_matrix(layers[1], 4)) @ layers[2])
        cross_entropy((hidden @ layers[3])[0], torch.from_numpy(given.labels[0])).backward()
        rule.step()
    fits = convolution.descend(networks, [given], 1e-12, max_steps=3, dtype=torch.float64)
    assert not fits.converged.any()
    assert fits.steps.tolist() == [3]
    assert fits.networks.trunk[1] == pytest.approx(layers[1].detach().numpy(), abs=1e-12)


def test_probing_leaves_the_trunk():
    networks, given = convolution.random_networks([2], SEEDS), images(4)
    fits = convolution.descend(networks, [given], 0.1, 1e-2, heads_only=True)
    assert fits.converged.all()
    for now, then in zip(fits.networks.trunk, networks.trunk, strict=True):
        assert np.array_equal(now, then)
    assert not np.allclose(fits.networks.heads[0], networks.heads[0])


def test_heads_of_roles_differ_and_trunks_do_not_depend_on_the_tasks():
    one, two = convolution.random_networks([2], SEEDS), convolution.random_networks([2, 8], SEEDS)
    assert np.array_equal(one.trunk[2], two.trunk[2])
    assert np.array_equal(one.heads[0], two.heads[0])
    (new,) = convolution.random_heads([2], SEEDS, "finetuning")
    assert not np.allclose(new, one.heads[0])
    assert one.with_heads([new]).repeated(2).heads[0][::2] == pytest.approx(new)


def test_starts_have_the_variance_of_their_fan_in():
    networks = convolution.random_networks([2, 5], range(40))
    for layer, variance in zip(networks.trunk, (2 / 9, 2 / 144, 2 / 128), strict=True):
        assert (layer**2).mean() == pytest.approx(variance, rel=6 * np.sqrt(2 / layer.size))
    for head in networks.heads:
        assert (head**2).mean() == pytest.approx(1 / 64, rel=6 * np.sqrt(2 / head.size))


def test_only_all_tasks_at_the_tolerance_are_the_end():
    """The first task of every network is learnt at once, the second is not."""
    networks, easy, hard = convolution.random_networks([2, 5], SEEDS), images(1), images(20, 5)
    fits = convolution.descend(networks, [easy, hard], 0.3, max_steps=15)
    assert np.all(fits.losses[0] < 0.3)
    assert np.all(fits.losses[1] > 0.3)
    assert not fits.converged.any()
    assert np.all(fits.steps == 15)
