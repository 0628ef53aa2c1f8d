"""Transfer at the ends of its ranges: defaults, units, tolerances on both sides, and limits of size and strength."""

import numpy as np
import pytest
from transfer_draws import equal_overlaps, pair

from mtlbook_lib.theory import spiked, transfer

TASKS, GRAM = [[2.5, 1.1], [3.5]], pair([[0.6], [0.3]], 2, 1)


def test_a_head_with_as_many_modes_as_outputs_has_no_noise_modes():
    """One output each and two inputs: the data are two composite modes, and the error is that of these alone."""
    times, eps, strengths = np.array([0.5, 2.0]), 1e-2, 2 * np.sqrt([1.4, 0.6])
    s_hat = spiked.noisy_singular_value(strengths, 1.0)
    x = s_hat / (1 + (s_hat / eps - 1) * np.exp(-2 * s_hat * times[:, None]))
    left = spiked.left_overlap(strengths, 1.0) ** 2
    added = x**2 * (0.5 * left + (1 - left) / 2) - x * strengths * spiked.overlap(strengths, 1.0)
    found = transfer.head_error(times, [2.0, 2.0], pair(0.4), 0.5, 1, eps)
    np.testing.assert_allclose(found, 1 + np.sum(added, axis=1) / 4, rtol=1e-10)


def test_more_modes_than_inputs_are_refused_beyond_rounding():
    # 4 outputs at aspect 2 are two inputs, a little less at a little more.
    modes = ([2.0, 3.0], pair(0.5))
    exact = transfer.head_error(1.0, *modes, 2.0, 4, 1e-3)
    assert transfer.head_error(1.0, *modes, 2.0 * (1 + 1e-14), 4, 1e-3) == pytest.approx(exact, rel=1e-9)
    for aspect in (2.0 * (1 + 1e-9), 2.5):
        with pytest.raises(ValueError, match="n_outputs/aspect inputs at least the sum of ranks"):
            transfer.head_error(1.0, *modes, aspect, 4, 1e-3)


def test_a_gram_matrix_may_be_off_by_rounding_and_no_more():
    for ranks in ([2.0, 3.0], [[2.0, 3.0]]):  # asymmetric between two tasks, or not orthonormal within one
        both = pair(0.0)
        both[0, 1] = both[1, 0] = 1e-10
        if len(ranks) == 2:
            both[1, 0] = 0.0
        np.testing.assert_allclose(transfer.composite_modes(ranks, both)[0], [3.0, 2.0], rtol=1e-9)
        with pytest.raises(ValueError, match="gram must"):
            transfer.composite_modes(ranks, both + (both - np.eye(2)))
    with pytest.raises(ValueError, match="gram must have no negative eigenvalue"):
        transfer.composite_modes([2.0, 3.0], pair(1 + 1e-7))
    with pytest.raises(ValueError, match="q must have no singular value above 1"):
        transfer.transfer_benefit(2.0, 3.0, 1 + 1e-7, 0.5, 50, 1e-3)


def test_an_overlap_may_exceed_one_by_rounding_on_either_side():
    exact = transfer.rank_one_pair(2.0, 3.0, 1.0, 0.5)
    for part, expected in zip(transfer.rank_one_pair(2.0, 3.0, -1 - 1e-12, 0.5), exact, strict=True):
        np.testing.assert_array_equal(part, expected)
    for q in (-1.01, -1 - 1e-7, 1 + 1e-7, 1.4):
        with pytest.raises(ValueError, match="q must lie in"):
            transfer.rank_one_pair(2.0, 3.0, q, 0.5)


@pytest.mark.parametrize("scale", [1e-8, 1e-4, 1e4, 1e8])
def test_the_unit_of_the_strengths_does_not_decide_which_are_equal(scale):
    for tasks, gram in (([3.0, 3.0, 3.0], equal_overlaps(0.5, 3)), (TASKS, GRAM)):
        strengths, weights = transfer.composite_modes(tasks, gram)
        scaled = transfer.composite_modes([scale * np.asarray(task) for task in tasks], gram)
        np.testing.assert_allclose(scaled[0], scale * strengths, rtol=1e-12)
        np.testing.assert_allclose(scaled[1], weights, atol=1e-12)


def test_shrinkage_at_the_edge_is_exactly_none():
    aspects = np.linspace(0.1, 3.0, 200)
    for n_heads in (1, 2):
        assert np.all(transfer.head_shrinkage(1 + np.sqrt(n_heads * aspects), 1.0, aspects, n_heads) == 0)


def test_a_mode_of_another_head_that_noise_does_not_reach_gets_no_strength():
    assert transfer.known_share_strength(1e12, 0.0, 0.5) == 0.0
    assert transfer.known_share_strength(1e12, 1.0, 0.5) == pytest.approx(1e12, rel=1e-12)


def test_price_is_refused_up_to_two_outputs_and_finite_beyond():
    for n in (2.0, [50.0, 1.5], [2.0, 50.0]):
        with pytest.raises(ValueError, match="n_outputs must be above 2"):
            transfer.share_price(0.5, n, 0.5)
    assert np.all(np.diff(transfer.share_price(0.5, [2.2, 2.6, 3.0, 4.0], 0.5)) < 0)
