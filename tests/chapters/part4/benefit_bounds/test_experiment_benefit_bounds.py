"""The experiments of the chapter on bounds of the benefit, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.benefit_bounds import experiment
from mtlbook_lib.theory import classification

TIMES = np.array([1.0, 10.0, 25.0])


@pytest.fixture(scope="module")
def pairs():
    return experiment.sandwich(TIMES, n_examples=60, n_seeds=2, n_test=300)


def test_what_the_bounds_tell_is_counted(pairs):
    told = (pairs.lower > 0) | (pairs.upper < 0)
    assert pairs.certified == pytest.approx(told.mean(axis=(0, 1)))
    assert pairs.certified[0] == 1.0
    assert pairs.misled.sum() == np.sum((pairs.upper > 0) & (pairs.benefit < 0)) > 0


def test_eq_5_is_the_tangent_of_the_loss():
    mode = np.array([0.8, 0.1, -0.9])
    strengths = np.array([1.0, 1.0 + 1e-4])
    benefit, bound = experiment.rank_one_bound(mode / np.linalg.norm(mode), strengths)
    assert bound[0, 1] == pytest.approx(benefit[0, 1], rel=1e-3)
    assert bound[0, 1] > benefit[0, 1]
    assert benefit[1, 0] == pytest.approx(-benefit[0, 1])


@pytest.mark.parametrize("overlap", [0.0, 0.6, 1.0])
def test_the_bound_of_equal_strengths_is_the_tangent_too(overlap):
    benefit, bound = experiment.equal_strengths_bound(overlap, np.array([1.0, 1.0 + 1e-4]))
    assert bound[0, 1] == pytest.approx(benefit[0, 1], rel=1e-3)
    assert np.all(bound[[0, 1], [1, 0]] > benefit[[0, 1], [1, 0]])


def test_vectors_of_a_strong_teacher_show_through_the_noise():
    output, features = experiment.vector_overlaps([0.1, 100.0], n_seeds=20)
    assert output.shape == features.shape == (20, 2)
    assert np.all(output[:, 1] > 0.999)
    # Random directions overlap by the square root of 2 / (pi n) on average.
    assert output[:, 0].mean() == pytest.approx(np.sqrt(2 / (10 * np.pi)), abs=0.12)
    assert features[:, 0].mean() == pytest.approx(np.sqrt(2 / (100 * np.pi)), abs=0.05)


def test_aligned_students_pass_the_best_strength_and_gain_nothing():
    paths = experiment.aligned_paths(np.array([0.0, 1.0]), np.linspace(0, 20, 9))
    assert paths.shape == (3, 9)
    assert paths[:, 0] == pytest.approx(0.05)
    assert paths[2, -1] > paths[0, -1] > paths[1, -1]
    assert experiment.best_on_path(paths, 0.5) == pytest.approx(classification.optimal_loss(0.5, 10))
    short = paths[:, :2]
    ends = classification.generalization_loss(short[:, -1], 0.9, 10)
    assert experiment.best_on_path(short, 0.9) == pytest.approx(ends)
