"""Experiments on teachers and labels, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.labels_and_snr import experiment


def test_labels_go_from_chance_to_the_clean_ones():
    kept = experiment.agreement(n_seeds=6, n_examples=100)
    for shares in kept.values():
        assert shares.shape == (6, 9)
        assert shares[:, 0].mean() == pytest.approx(0.1, abs=0.05)
        assert shares[:, -1].min() > 0.9
        assert np.all(np.diff(shares.mean(axis=0)[2:]) > 0)


def test_output_ratios_do_not_depend_on_the_strength():
    ratios = experiment.output_ratios((10, 3), n_seeds=3)
    assert ratios.shape == (3, 2, 9)
    assert np.ptp(ratios, axis=-1).max() < 1e-10
    np.testing.assert_allclose(ratios[..., 0].mean(axis=0), [1, np.sqrt(0.3)], rtol=0.1)


def test_both_kinds_of_noise_have_the_same_part_along_the_teacher():
    found = experiment.label_covariances((1.0, 100.0), n_seeds=4, n_examples=4000)
    weight, sample = (found.clean[kind].mean(axis=0) for kind in experiment.KINDS)
    np.testing.assert_allclose(weight, sample, atol=0.04)
    assert np.all(found.size["weight"][:, 0] > 1.5 * found.size["sample"][:, 0])
    np.testing.assert_allclose(found.size["weight"][:, 1], found.size["sample"][:, 1], rtol=0.1)


def test_shares_add_up_and_rank_one_has_two_classes():
    shares = experiment.class_shares(1, [1.0], "none", n_seeds=3, n_examples=500)
    assert shares.shape == (3, 1, 10)
    np.testing.assert_allclose(shares.sum(axis=-1), 1.0)
    np.testing.assert_array_equal((shares > 0).sum(axis=-1), 2)


@pytest.mark.parametrize("rank", [2, 3])
def test_the_exact_law_is_that_of_the_corners(rank):
    exact, counted = experiment.class_laws(rank, n_seeds=3, n_examples=20_000)
    np.testing.assert_allclose(exact.sum(axis=-1), 1.0, atol=1e-10)
    np.testing.assert_allclose(counted, exact, atol=0.015)
    corners = experiment.corners(rank, [10], n_seeds=3)[:, 0]
    level, largest = experiment.law_summary(rank, n_seeds=3)
    assert np.all(level <= np.log(corners))
    assert np.all(largest >= 1 / corners)


def test_corners_are_the_classes_with_a_probability():
    left = [experiment.class_laws(3, n_seeds=5, n_examples=10, n_features=10)[0] > 0]
    np.testing.assert_array_equal(left[0].sum(axis=1), experiment.corners(3, [10], n_seeds=5)[:, 0])


def test_noisy_teachers_lose_relatedness_or_win_it_by_chance():
    found = experiment.noisy_overlaps([(1e6, 1e6, 0.4), (1e6, 1e6, 0.0), (0.01, 1.0, 1.0)], n_seeds=4)
    np.testing.assert_allclose(found[:, :2], np.tile([0.4, 0.0], (4, 1)), atol=1e-5)
    np.testing.assert_allclose(found[:, 2], np.sqrt(0.1), atol=0.08)


def test_places_in_the_plane_explain_the_noise_free_labels():
    view = experiment.plane([1e-3, 1e9], n_examples=60)
    winners = (view.rows @ view.places).argmax(axis=0)
    for labels in view.labels.values():
        np.testing.assert_array_equal(labels[1], winners)
        assert (labels[0] != winners).mean() > 0.5
    assert set(winners) <= set(np.flatnonzero(view.law > 0))
