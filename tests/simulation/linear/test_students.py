"""Initial weights: their spectra, their alignment with the data, and what their random streams share."""

import itertools

import numpy as np
import pytest
import torch

from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.linear.networks import composite

SEEDS = [3, 1, 8]
WIDTHS = [(2, 6), (3, (5, 9)), (5, (6, 4, 8, 5)), (2, 30), (4, 3)]


def training(n_outputs=8, n_inputs=12):
    return low_rank_teachers(n_outputs, n_inputs, [[1.0], [4.0]], SEEDS).training


def balance_gaps(layers):
    return [float((b.mT @ b - a @ a.mT).abs().max()) for a, b in itertools.pairwise(layers)]


@pytest.mark.parametrize(("depth", "width"), WIDTHS)
def test_aligned_map_has_the_top_singular_vectors_of_the_data_at_strength_eps(depth, width):
    data = training()
    layers = students.aligned(data, width, 1e-2, SEEDS, depth=depth)
    left, _, right_t = np.linalg.svd(data, full_matrices=False)
    rank = min(8, *np.atleast_1d(width))
    expected = 1e-2 * left[..., :rank] @ right_t[..., :rank, :]
    np.testing.assert_allclose(composite(layers).cpu(), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("depth", "width"), WIDTHS)
def test_orthogonal_layers_have_equal_singular_values(depth, width):
    layers = students.orthogonal(8, 12, width, 1e-3, SEEDS, depth=depth)
    for layer in layers:
        np.testing.assert_allclose(torch.linalg.svdvals(layer).cpu(), 1e-3 ** (1 / depth), rtol=1e-12)


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_orthogonal_layers_are_balanced_when_hidden_layers_are_narrow(depth):
    layers = students.orthogonal(8, 12, 6, 1e-3, SEEDS, depth=depth)
    assert max(balance_gaps(layers)) < 1e-14
    np.testing.assert_allclose(torch.linalg.svdvals(composite(layers))[..., :6].cpu(), 1e-3, rtol=1e-12)


@pytest.mark.parametrize("make", [students.orthogonal, students.gaussian])
def test_settings_share_the_draws_of_a_seed_and_scale_them(make):
    for layer in make(8, 12, 6, [1e-4, 1e-2, 1.0], SEEDS, depth=4):
        assert layer.shape[:2] == (3, 3)
        power = 0.25 if make is students.orthogonal else 1.0
        np.testing.assert_allclose((layer[:, 1] / layer[:, 0]).cpu(), 100**power, rtol=1e-10)
        np.testing.assert_allclose((layer[:, 2] / layer[:, 1]).cpu(), 100**power, rtol=1e-10)
    same = make(8, 12, 6, 0.1, SEEDS, n_settings=2)
    assert all(torch.equal(layer[:, 0], layer[:, 1]) for layer in same)


@pytest.mark.parametrize("shape", [(8, 8), (6, 10), (10, 6)])
@pytest.mark.parametrize("rank", [0, 3])
def test_aligned_map_without_data_is_a_draw_of_its_seed_and_not_roundoff(shape, rank):
    clean = low_rank_teachers(*shape, np.ones((2, 3)), SEEDS, noise_scale=0.0).clean * (rank > 0)
    data = clean, clean + roundoff_like(clean)
    maps = [composite(students.aligned(one, 10, 0.1, SEEDS)).numpy(force=True) for one in data]
    np.testing.assert_allclose(maps[1], maps[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.svd(maps[0])[1], 0.1, rtol=1e-12)
    kernel = [np.eye(n) - x @ np.linalg.pinv(x) for n, x in zip(shape, (clean, clean.mT), strict=True)]
    free = kernel[0] @ maps[0] @ kernel[1]
    np.testing.assert_allclose(np.linalg.svd(free)[1][..., : min(shape) - rank], 0.1, rtol=1e-9)
    assert np.abs(free[0] - free[1]).max() > 0.01


def roundoff_like(data):
    """Another roundoff of the same data, inside its own rows and columns."""
    return np.einsum("...ij,...jk->...ik", data, 1e-15 * np.ones((data.shape[-1],) * 2))


@pytest.mark.parametrize("make", [students.orthogonal, students.gaussian])
def test_each_layer_of_each_seed_has_its_own_stream(make):
    layers = make(8, 12, (6, 7), 0.1, SEEDS, depth=3)
    again = make(8, 12, (6, 7), 0.1, SEEDS, depth=3)
    alone = make(8, 12, (6, 7), 0.1, SEEDS[1:2], depth=3)
    wider = make(8, 12, (6, 11), 0.1, SEEDS, depth=3)
    assert all(torch.equal(a, b) for a, b in zip(layers, again, strict=True))
    assert all(torch.equal(a[1:2], b) for a, b in zip(layers, alone, strict=True))
    assert torch.equal(layers[0], wider[0])
    assert not torch.allclose(layers[0][0], layers[0][1])
    square = make(6, 6, 6, 0.1, SEEDS)
    assert not torch.allclose(square[0], square[1])
