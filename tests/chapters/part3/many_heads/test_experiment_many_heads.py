"""Many tasks alike, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.many_heads import experiment
from mtlbook_lib.theory.transfer import alike_error


def test_a_batch_of_strengths_gives_what_a_loop_gives():
    strengths = np.array([1.0, 3.0])
    batch = experiment.ruled_errors(strengths, 2, range(3), 20)
    loop = [experiment.ruled_errors(strengths[[i]], 2, range(3), 20)[:, 0] for i in range(2)]
    assert batch == pytest.approx(np.transpose(loop))


def test_excess_is_that_of_the_errors_of_new_seeds():
    mean, _ = experiment.excess_near_threshold(n_sets={20: 4})[20]
    errors = experiment.ruled_errors(0.75, 4, range(1000, 1004), 20)
    assert mean == pytest.approx(errors.mean() - alike_error(0.75, 1.0, 4, 0.5))


def test_least_similarity_is_the_border():
    s = np.array([0.5, 3.0])
    never, border = experiment.least_similarity(s, 2, n_grid=501)
    assert np.isnan(never)
    assert 0.9 < border <= 0.902 + 1e-12
    assert experiment.least_similarity(s, np.inf, n_grid=501)[0] == pytest.approx(0.002)


def test_one_identical_companion_is_worth_half_the_similarity_of_many():
    assert experiment.as_good_as_one(np.array([1.0]), 1.0) == pytest.approx(0.5)
    assert np.isnan(experiment.as_good_as_one(np.array([3.0]), 0.5))
    assert np.isnan(experiment.as_good_as_one(np.array([0.9]), 0.1))  # it is seen alone, from 0.84 on, and not in two
