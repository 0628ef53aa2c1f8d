"""The experiments of the chapter on aligned classifiers, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.aligned_classifiers import experiment

TIMES = np.array([0.0, 2.0, 4.0])


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_growth_starts_aligned_and_follows_the_flow(depth):
    found = experiment.growth(depth, TIMES, start=0.2, n_seeds=2, n_examples=2000)
    assert found.strength[:, 0] == pytest.approx(0.2)
    assert found.outside[:, 0] == pytest.approx(0.0, abs=1e-6)  # single precision
    assert found.strength.mean(axis=0) == pytest.approx(found.predicted, rel=0.03)
    assert found.predicted[-1] > 1.5 * found.predicted[0]


def test_more_examples_leave_less_outside():
    share, error = experiment.leaks([500, 4000], 4.0)
    assert share[0] > 1.8 * share[1]
    assert np.all(error > 0)


def test_few_examples_part_training_from_test_loss():
    found = experiment.losses(60, 100.0, np.array([0.0, 15.0]), n_seeds=2, n_test=300)
    assert found.training.shape == found.test.shape == (2, 2)
    assert found.training[:, 0] == pytest.approx(np.log(10), abs=0.2)
    assert np.all(found.training[:, 1] < 0.5 * found.test[:, 1])


def test_the_output_mode_of_a_rank_one_teacher_turns():
    found = experiment.turning(1, TIMES, n_seeds=2, n_examples=4000)
    assert found.output_overlap[:, 0] == pytest.approx(1.0)
    assert found.output_overlap == pytest.approx(found.predicted_overlap(TIMES), abs=0.01)
    assert np.all(found.limit < found.output_overlap[:, -1])
    assert np.all(found.input_overlap > 0.99)
    assert found.left.sum(axis=-1) == pytest.approx(0.0, abs=1e-12)


def test_all_modes_may_start_alike():
    found = experiment.turning(2, TIMES, other_modes=True, n_seeds=1, n_examples=500)
    start = found.singular_values[0, 0]
    assert start[:9] == pytest.approx(0.05, abs=1e-6)
    assert start[9] == pytest.approx(0.0, abs=1e-6)
