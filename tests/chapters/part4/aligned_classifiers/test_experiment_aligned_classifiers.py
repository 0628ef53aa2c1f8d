"""Experiments on aligned classifiers, at tiny size."""

import numpy as np

from mtlbook_lib.chapters.part4.aligned_classifiers import experiment


def test_growth_is_descent_at_the_rate_zero():
    found = experiment.growth(2, np.array([0.2, 2.0, 6.0]), n_seeds=2, n_examples=4000)
    np.testing.assert_allclose(found.strength.mean(axis=0), found.predicted, rtol=0.1)


def test_no_more_examples_are_taken_than_the_largest_number():
    times = np.array([0.5, 1.0])
    few, many = (experiment.losses(n, 1.0, times, n_seeds=1, n_test=50, largest=20) for n in (20, 60))
    np.testing.assert_array_equal(few.training, many.training)
    other = experiment.losses(60, 1.0, times, n_seeds=1, n_test=50, largest=60)
    assert np.abs(other.training - few.training).max() > 0.01
