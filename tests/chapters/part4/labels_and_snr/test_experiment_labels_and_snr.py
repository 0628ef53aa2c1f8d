"""Experiments on teachers and labels, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.labels_and_snr import experiment


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


def test_places_in_the_plane_explain_the_noise_free_labels():
    view = experiment.plane([1e-3, 1e9], n_examples=60)
    winners = (view.rows @ view.places).argmax(axis=0)
    for labels in view.labels.values():
        np.testing.assert_array_equal(labels[1], winners)
        assert (labels[0] != winners).mean() > 0.5
    assert set(winners) <= set(np.flatnonzero(view.law > 0))
