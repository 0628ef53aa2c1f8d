"""Experiments on infinite data, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.infinite_data import experiment
from mtlbook_lib.theory import classification as theory


def test_the_first_loss_is_that_of_guessing_and_settings_share_the_start():
    run = experiment.population(1.0, [0.0, 1.0], 5.0, n_seeds=2)
    assert run.alone.shape == (2, 6)
    assert run.together.shape == (2, 2, 6)
    np.testing.assert_allclose(run.alone[:, 0], np.log(10), atol=0.01)
    np.testing.assert_allclose(run.together[..., 0], np.repeat(run.alone[:, :1], 2, axis=1), rtol=1e-12)


def test_noise_in_each_example_ends_at_the_closed_form():
    run = experiment.population(1.0, [1.0], 150.0, "sample", n_seeds=1)
    scale = theory.optimal_scale(theory.teacher_overlap(1.0), 10)
    assert run.alone[0, -1] == pytest.approx(theory.generalization_loss(scale, 1.0, 10), abs=1e-3)
    assert 0 < run.benefit[0, 0] < 0.03


def test_noise_in_the_weights_leaves_a_benefit_and_the_minimum_is_inside():
    run = experiment.population(1.0, [0.0, 1.0], 50.0, n_seeds=2)
    assert np.all(run.benefit[:, 0] < -0.04)
    assert np.all(run.benefit[:, 1] > 0.4)
    assert np.all(run.stopped_inside < 0.9)
    assert np.all(run.alone.min(axis=-1) > theory.optimal_loss(theory.teacher_overlap(1.0), 10) - 0.05)


def test_an_orthogonal_second_task_does_less_harm():
    plain, orthogonal = (
        experiment.population(1.0, [0.0], 40.0, n_hidden=100, orthogonal=chosen, n_seeds=1).benefit[0, 0]
        for chosen in (False, True)
    )
    assert plain < -0.05
    assert abs(orthogonal) < 0.3 * abs(plain)


def test_training_on_examples_is_like_training_on_their_law():
    sizes, benefit = experiment.descents(
        1.0, [1000, 4000, 8000], [0.0, 1.0], 40.0, n_seeds=1, n_test=1000, largest=4000
    )
    np.testing.assert_array_equal(sizes, [1000, 4000])
    law = experiment.population(1.0, [0.0, 1.0], 40.0, n_seeds=1).benefit
    assert np.all(np.abs(benefit[:, 1] - law) < 0.08)
    assert np.all(np.abs(benefit[:, 1] - law) < np.abs(benefit[:, 0] - law) + 0.02)


@pytest.mark.parametrize("relatedness", [0.0, 0.5, 1.0])
def test_the_filter_has_the_overlap_of_the_formula(relatedness):
    found = experiment.filtered_overlap(1.0, relatedness, n_seeds=50)
    error = found.std(ddof=1) / np.sqrt(50)
    assert abs(found.mean() - theory.denoising_overlap(1.0, relatedness, 10, 100)) < 4 * error + 0.003


def test_a_run_is_stopped_where_its_own_loss_is_lowest():
    alone, together = np.ones((2, 6)), np.ones((2, 3, 6))
    alone[0, 1], alone[1, 3] = 0.5, 0.4
    together[0, 2, 4], together[1, 0, 2] = 0.1, 0.3
    run = experiment.Population(np.arange(6.0), alone, together)
    assert run.stopped_inside == pytest.approx([3 / 5, 4 / 5])
    assert run.benefit == pytest.approx(np.array([[-0.5, -0.5, 0.4], [0.1, -0.6, -0.6]]))
