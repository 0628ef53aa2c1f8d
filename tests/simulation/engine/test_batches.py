"""Networks side by side: groups that fit the memory, folded data, checked covariances, and drawn weights."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.engine import (
    batches,
    covariance_of,
    factors,
    haar_layers,
    networks,
    normal_layers,
    regression,
    run_descent,
    shapes,
    steps_along,
    widths,
)

RNG = np.random.default_rng(4)
LAYERS = [RNG.standard_normal((3, 2, 5, 4)), RNG.standard_normal((3, 2, 6, 5))]
TRAINING = RNG.standard_normal((3, 2, 6, 4))


@pytest.mark.parametrize(
    ("copies", "dtype", "size"), [(4, torch.float64, 6), (7, torch.float64, 3), (7, torch.float32, 7)]
)
def test_groups_are_as_large_as_the_memory_holds(monkeypatch, copies, dtype, size):
    """50 weights of a network, of 8 or 4 bytes, in so many copies."""
    monkeypatch.setattr(batches, "_CACHE_BYTES", 10_000)
    nets = networks([torch.from_numpy(layer).to(dtype) for layer in LAYERS])
    assert nets.group_size(copies) == size


def test_a_group_has_at_least_one_network(monkeypatch):
    monkeypatch.setattr(batches, "_CACHE_BYTES", 10)
    assert networks(LAYERS).group_size(4) == 1


def test_on_a_gpu_all_networks_are_one_group():
    nets = batches.Networks((3, 2), [torch.empty(6, 5, 4, device="meta"), torch.empty(6, 6, 5, device="meta")])
    assert nets.group_size(4) == 6


def test_a_covariance_of_all_networks_stays_one_matrix():
    nets, matrix = networks(LAYERS), np.cov(RNG.standard_normal((4, 9)))
    for given in (matrix, matrix[None, None], torch.from_numpy(matrix)):
        assert covariance_of(nets, given).numpy() == pytest.approx(matrix)
    many = matrix * np.arange(1.0, 4)[:, None, None, None]
    found = covariance_of(nets, many)
    assert found.shape == (6, 4, 4)
    assert found[4].numpy() == pytest.approx(3 * matrix)


@pytest.mark.parametrize(("gap", "accepted"), [(0.9e-5, True), (1.1e-5, False)])
def test_a_covariance_is_symmetric_to_single_precision(gap, accepted):
    matrix = np.diag([3.0, 1.0, 1.0, -0.5])
    matrix[1, 2] = 3 * gap  # of the largest entry
    if accepted:
        covariance_of(networks(LAYERS), matrix)
    else:
        with pytest.raises(ValueError, match="covariance must be symmetric"):
            covariance_of(networks(LAYERS), matrix)


def test_a_problem_hands_out_the_data_of_the_chosen_networks():
    nets, matrix = networks(LAYERS), np.cov(RNG.standard_normal((4, 9)))
    many = matrix * np.arange(1.0, 7).reshape(3, 2, 1, 1)
    target, spread = regression(nets, TRAINING, many)(slice(2, 4))
    assert target.numpy() == pytest.approx(TRAINING[1])
    assert spread.numpy() == pytest.approx(many[1])
    assert regression(nets, TRAINING, matrix)(slice(2, 4))[1].shape == (4, 4)
    assert regression(nets, TRAINING, None)(slice(2, 4))[1] is None


def test_orthogonal_draws_are_the_bases_of_the_normal_ones():
    """A basis turns its draws into a triangle; wide layers are transposed tall ones, square ones are not."""
    sizes = [(6, 4), (5, 5), (3, 7)]
    tall = normal_layers("here", [1, 2], [(6, 4), (5, 5), (7, 3)])
    for drawn, normal, (rows, columns) in zip(haar_layers("here", [1, 2], sizes), tall, sizes, strict=True):
        assert drawn.shape == (2, rows, columns)
        basis = drawn if rows >= columns else drawn.swapaxes(-1, -2)
        triangle = basis.swapaxes(-1, -2) @ normal
        assert np.abs(np.tril(triangle, -1)).max() < 1e-12
        assert np.abs(np.tril(triangle[..., ::-1, :], -1)).max() > 0.1


def test_sizes_of_layers():
    assert widths(3, 4) == [3, 3, 3]
    assert widths((3, 5), 3) == [3, 5]
    assert shapes(2, 9, (3, 5), 3) == [(3, 9), (5, 3), (2, 5)]
    for wrong in ((3,), (3, 4, 5)):
        with pytest.raises(ValueError, match="n_hidden must be one width or depth - 1 = 2 of them"):
            widths(wrong, 3)


def test_a_factor_is_a_power_for_every_setting():
    assert factors("eps", 8.0, 2, 1 / 3) == pytest.approx(np.full((2, 1, 1), 2.0))
    assert factors("eps", [4.0, 9.0], 1, 0.5)[:, 0, 0] == pytest.approx([2.0, 3.0])
    for wrong in ([], [[1.0]], [1.0, 2.0]):
        with pytest.raises(ValueError, match="eps must be a number or one per setting"):
            factors("eps", wrong, 3, 1.0)


@pytest.mark.parametrize("every", [1, 3])
def test_descent_of_lost_networks_is_observed_at_zero(every):
    """The second of two settings doubles its weights in each step; more than 1e8 times its size and one is too much."""
    layers = [np.ones((1, 2, 1, 1)), np.ones((1, 2, 1, 1))]
    layers[0][0, 0] = layers[1][0, 0] = 0.0
    seen = []
    found = run_descent(
        networks(layers),
        lambda group, weights, rate: steps_along(weights, lambda: [w.clone() for w in weights], rate),
        lambda weights: seen.append(weights[1].flatten().tolist()),
        1.0, 30, "half", every, {},
    )  # fmt: skip
    last = 27  # 2 ** 27 is below 2e8, 2 ** 28 above
    assert seen == [[0.0, 2.0**n if n <= last else 0.0] for n in range(0, 31, every)]
    assert found.steps.tolist() == [[30, last + every - last % every]]
    assert found.diverged.tolist() == [[False, True]]
