"""The experiments of the chapter on closed flows, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.closed_flow import experiment

ROOT = np.sqrt(0.05)


def test_one_time_is_that_of_the_curves():
    whole = experiment.curves(300, [0.1], np.array([0.0, 3.0]), n_seeds=2, n_test=300, largest=300).descent
    alone = experiment.at_once(300, 0.1, 3.0, n_seeds=2, n_test=300)
    np.testing.assert_allclose(alone, experiment.benefit(whole)[:, 0, -1], atol=1e-6)


def test_equal_tasks_keep_the_trunk_and_follow_the_reduced_flow():
    times = np.array([0.0, 6.0, 9.0])
    found = experiment.confined([0.0, 1.0], [0.0, ROOT], times, n_seeds=2, n_examples=4000)
    assert found.gain.shape == found.outside.shape == (2, 3, 3)
    assert found.gain[:, :, 0] == pytest.approx(0.0, abs=1e-12)
    assert np.abs(found.gain[:, 0]).max() < 5e-3
    assert found.gain[:, 2].mean(axis=0) == pytest.approx(found.predicted[2], rel=0.08)
    assert np.array_equal(found.predicted[1], found.predicted[2])
    assert np.all(found.gain[:, 1, 1:] < found.gain[:, 2, 1:])
    assert found.outside[:, :, 0] == pytest.approx(0.0, abs=1e-7)


def test_both_flows_start_where_descent_does_and_the_one_with_the_examples_is_nearer():
    times = np.array([0.0, 6.0, 15.0])
    found = experiment.curves(2000, [0.0, 1.0], times, n_seeds=2, n_test=4000)
    assert found.descent.shape == found.sample.shape == found.population.shape == (2, 3, 3)
    assert found.descent[..., 0] == pytest.approx(np.log(10), abs=0.01)
    np.testing.assert_allclose(found.sample[..., 0], found.population[..., 0], rtol=1e-12)
    near, far = (np.abs((flow - found.descent).mean(axis=0)) for flow in (found.sample, found.population))
    assert near.max() < 0.01
    assert far.max() > 3 * near.max()


def test_benefit_is_the_loss_alone_less_the_loss_with_the_second_task():
    losses = np.array([[[3.0], [1.0], [5.0]]])
    assert np.array_equal(experiment.benefit(losses), [[[2.0], [-2.0]]])


def test_equal_tasks_help_and_unrelated_ones_harm_narrow_students_more():
    times = np.array([0.0, 15.0, 24.0])
    narrow, wide = (experiment.wide(h, [0.0, 1.0], times, n_seeds=3).mean(axis=0) for h in (50, 400))
    assert narrow[1, 1] > 0.3
    assert narrow[0, 2] < 4 * wide[0, 2] < 0


def test_few_examples_harm_at_the_best_time_of_each():
    found = experiment.stopped(50, 200, 30.0, n_seeds=3, n_test=500)
    assert found.shape == (3,)
    assert found.mean() < -0.03
