"""The experiments of the chapter on closed flows, at tiny sizes."""

import numpy as np

from mtlbook_lib.chapters.part4.closed_flow import experiment


def test_one_time_is_that_of_the_curves():
    whole = experiment.curves(300, [0.1], np.array([0.0, 3.0]), n_seeds=2, n_test=300, largest=300).descent
    alone = experiment.at_once(300, 0.1, 3.0, n_seeds=2, n_test=300)
    np.testing.assert_allclose(alone, experiment.benefit(whole)[:, 0, -1], atol=1e-6)


def test_benefit_is_the_loss_alone_less_the_loss_with_the_second_task():
    losses = np.array([[[3.0], [1.0], [5.0]]])
    assert np.array_equal(experiment.benefit(losses), [[[2.0], [-2.0]]])
