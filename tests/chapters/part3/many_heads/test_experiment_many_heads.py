"""Many tasks alike, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.many_heads import experiment
from mtlbook_lib.theory.spiked import noisy_singular_value
from mtlbook_lib.theory.transfer import alike_error


def test_copies_help_each_other():
    """Strong tasks: small errors, near the limit, and smaller in company."""
    found = experiment.copies(np.array([4.0, 8.0]), n_sets=3, n_inputs=40)
    assert list(found) == list(experiment.COPIES)
    means = np.array([mean for mean, _ in found.values()])
    assert np.all(np.diff(means, axis=0) < 0)
    limits = [alike_error(8.0, 1.0, n, experiment.ASPECT) for n in found]
    assert means[:, 1] == pytest.approx(limits, abs=0.02)


def test_a_batch_of_strengths_gives_what_a_loop_gives():
    strengths = np.array([1.0, 3.0])
    batch = experiment.ruled_errors(strengths, 2, range(3), 20)
    loop = [experiment.ruled_errors(strengths[[i]], 2, range(3), 20)[:, 0] for i in range(2)]
    assert batch == pytest.approx(np.transpose(loop))


def test_excess_is_that_of_the_errors_of_new_seeds():
    mean, _ = experiment.excess_near_threshold(n_sets={20: 4})[20]
    errors = experiment.ruled_errors(0.75, 4, range(1000, 1004), 20)
    assert mean == pytest.approx(errors.mean() - alike_error(0.75, 1.0, 4, 0.5))


def test_a_strong_companion_makes_an_outlier():
    value, share, without = experiment.strong_companion(n_sets=10, n_inputs=60)
    assert value.shape == share.shape == without.shape == (10,)
    assert value.mean() == pytest.approx(noisy_singular_value(np.sqrt(3.0), 2.0), abs=0.15)
    assert np.all(without < value)
    assert np.all((share > 0) & (share < 1))


def test_border_where_the_composite_is_square():
    gaps = experiment.square_border_gaps(np.array([0.9, 3.0]), (2, 4), n_parts=5)
    assert gaps.shape == (8,)
    assert gaps == pytest.approx(np.zeros(8), abs=1e-12)
    assert experiment.harm(0.85, 3.0, 2, 0.5) > 0 > experiment.harm(0.95, 3.0, 2, 0.5)


@pytest.mark.parametrize(("n", "aspect"), [(2, 0.5), (3, 2.0)])
def test_strong_tasks_lose_one_unit_of_signal_at_the_border(n, aspect):
    assert experiment.lost_signal_at_border(60.0, n, aspect) == pytest.approx(1, abs=1e-3)


def test_few_companions_are_best_for_flat_tasks_alone():
    assert experiment.best_in_between(0.1, n_strengths=60, most=1e3) < -0.005
    assert experiment.best_in_between(0.5, n_strengths=20, most=1e3) >= -1e-12


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
