"""Composite modes against the decomposition of a stacked teacher, and the shrinkage of every head."""

import numpy as np
import pytest
from transfer_draws import draw_teachers, equal_overlaps, pair

from mtlbook_lib.theory import spiked, transfer

RANKS = [(1, 1), (2, 1), (3, 3), (1, 4, 2), (2, 2, 2, 2)]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("shared", [0.0, 0.9])
def test_modes_are_those_of_the_stacked_teacher(rng, ranks, shared):
    common = rng.standard_normal((12, max(ranks)))
    bases = [np.linalg.qr(shared * common[:, :r] + rng.standard_normal((12, r)))[0] for r in ranks]
    gram = np.concatenate(bases, axis=1).T @ np.concatenate(bases, axis=1)
    tasks = [rng.uniform(0.5, 5, rank) for rank in ranks]
    left, values, _ = np.linalg.svd(np.concatenate(draw_teachers(rng, tasks, gram, 6, 12)))
    strengths, weights = transfer.composite_modes(tasks, gram)
    np.testing.assert_allclose(strengths, values[: len(strengths)], atol=1e-10)
    shares = np.sum(left[:, : len(strengths)].reshape(len(ranks), 6, -1) ** 2, axis=1)
    np.testing.assert_allclose(weights, shares, atol=1e-10)
    np.testing.assert_allclose(weights.sum(axis=0), 1, atol=1e-12)


def test_modes_of_equal_strength_share_their_mean_weight():
    for gram, expected in ((np.eye(2), [3.0, 3.0]), (pair(1e-7), [3.0, 3.0])):
        strengths, weights = transfer.composite_modes([[3.0], [3.0]], gram)
        np.testing.assert_allclose(strengths, expected, rtol=1e-6)
        np.testing.assert_allclose(weights, 0.5, atol=1e-8)
    _, weights = transfer.composite_modes([3.0, 3.0, 3.0], equal_overlaps(0.5, 3))
    np.testing.assert_allclose(weights, 1 / 3, atol=1e-12)
    _, weights = transfer.composite_modes([[4.0, 4.0], [2.0]], np.eye(3))
    np.testing.assert_allclose(weights, [[1, 1, 0], [0, 0, 1]], atol=1e-12)


@pytest.mark.parametrize(("s_a", "s_b"), [(3, 3), (3, 1), (0.84, 10), (100, 99), (5, 1e-3)])
@pytest.mark.parametrize("q", [0.0, 1e-3, 0.5, -0.8, 1.0])
def test_pair_has_the_composite_modes(s_a, s_b, q):
    strengths, weights, benefit = transfer.rank_one_pair(s_a, s_b, q, 0.4)
    expected_strengths, expected_weights = transfer.composite_modes([s_a, s_b], pair(q))
    np.testing.assert_allclose(strengths, expected_strengths, rtol=1e-12, atol=1e-12 * s_a)
    np.testing.assert_allclose(weights, expected_weights[0], atol=1e-11)
    by_shrinkage = transfer.transfer_benefit(s_a, s_b, q, 0.4, 50, 1e-3, method="shrinkage")
    assert benefit == pytest.approx(by_shrinkage, abs=1e-11)
    assert isinstance(benefit, float)


def test_pair_is_finite_at_extremes():
    for arguments in [(1e200, 1e-200, 0.5), (1e-200, 1e200, 0.5), (1, 1, 1e-300), (1e150, 1e150, 1), (1e-9, 1e-9, 0)]:
        strengths, weights, benefit = transfer.rank_one_pair(*arguments, 0.5)
        assert np.all(np.isfinite(strengths))
        assert np.all((weights >= 0) & (weights <= 1))
        assert -1 < benefit < 1


@pytest.mark.parametrize("n_heads", [1, 2, 3])
def test_head_shrinkage_recovers_the_optimal_strength(n_heads):
    sigma, weight, aspect = np.array([1.5, 3.0, 40.0]), np.array([[0.0], [0.3], [1.0]]), 0.4
    composite = n_heads * aspect
    left, both = spiked.left_overlap(sigma, composite) ** 2, spiked.overlap(sigma, composite)
    energy = weight * left + (1 - left) / n_heads
    x = transfer.head_shrinkage(spiked.noisy_singular_value(sigma, composite), energy, aspect, n_heads)
    np.testing.assert_allclose(x, sigma * weight * both / energy, rtol=1e-9, atol=1e-9)
    if n_heads == 1:
        s_hat = spiked.noisy_singular_value(sigma, aspect)
        np.testing.assert_allclose(x[2], spiked.optimal_shrinkage(s_hat, aspect), rtol=1e-12)


def test_head_shrinkage_keeps_the_bulk_and_impossible_shares_in_bounds():
    for aspect in (0.4, 0.5, 1.5):
        edge = 1 + np.sqrt(2 * aspect)
        assert np.all(transfer.head_shrinkage([0.0, 0.5, 1.5, edge], 0.5, aspect) == 0)
        assert transfer.head_shrinkage(edge + 1e-6, 0.9, aspect) > 0
    x = transfer.head_shrinkage(3.0, [0.0, 0.01, 0.5, 1.0, 1 + 1e-12], 0.4)
    assert x[0] == x[1] == 0 < x[2] < x[3] == x[4]
    sigma = spiked.clean_singular_value(3.0, 0.8)
    left = spiked.left_overlap(sigma, 0.8) ** 2
    assert x[3] == pytest.approx(sigma * spiked.overlap(sigma, 0.8) / (left + (1 - left) / 2), rel=1e-12)


@pytest.mark.parametrize("head", [0, 1, 2])
def test_error_of_shrinkage_is_least_at_the_head_s_own_strengths(head):
    tasks, gram = [[3.0, 1.0], [0.8], [2.0]], np.eye(4)
    gram[0, 2] = gram[2, 0] = 0.7
    gram[1, 3] = gram[3, 1] = 0.5
    own = transfer.head_shrinkage_error(tasks, gram, 0.3, head)
    assert own < transfer.head_shrinkage_error(tasks, gram, 0.3, head, joint=True)
    strengths, weights = transfer.composite_modes(tasks, gram)
    left, both = spiked.left_overlap(strengths, 0.9) ** 2, spiked.overlap(strengths, 0.9)
    share = weights[head] * left + (1 - left) / 3
    gained = np.sum((strengths * weights[head] * both) ** 2 / share)
    assert own == pytest.approx(1 - gained / np.sum(np.square(tasks[head])), rel=1e-12)
