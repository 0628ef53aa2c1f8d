"""The experiments of the chapter on nested features, at tiny sizes, and what is stored for it."""

import numpy as np
import pytest

from mtlbook_lib.chapters import sparse_pairs
from mtlbook_lib.chapters.part6.nested_features import experiment
from mtlbook_lib.data.sparse_tasks import sphere_inputs
from mtlbook_lib.theory.interpolation import min_group_norm_given, min_l2


def test_a_large_factor_is_ridge_regression_on_the_old_features():
    found = experiment.trained(2, ((20, 20),), (10.0,), (16,), 120, 124)["error"][0, 0, 0]
    aux, main = sparse_pairs.teachers(2, ((20, 20),), 120)
    x = sphere_inputs(120, 16, [2])[0]
    old = np.flatnonzero(aux)
    fit = np.zeros(120)
    fit[old] = min_l2(x[:, old], x @ main[0])
    # What pretraining left on other inputs is rescaled too, and takes a little of the labels.
    assert found == pytest.approx(sparse_pairs.relative_errors(fit, main[0]), rel=0.01)


def test_both_tasks_together_are_near_the_least_group_norm_and_fit_the_examples():
    aux, main = sparse_pairs.teachers(1, ((5, 5),), 100)
    beta = sparse_pairs.joint(1, ((5, 5),), (20, 30), 100, 104)
    x = sphere_inputs(100, 30, [1])[0]
    assert beta.shape == (1, 2, 100)
    assert x @ beta[0, 1] == pytest.approx(x @ main[0], abs=1e-4)
    best = min_group_norm_given(x, x @ main[0], aux)
    assert 1 - 1e-6 < np.hypot(beta[0, 1], aux).sum() / np.hypot(best, aux).sum() < 1.3


def test_a_flow_that_does_not_get_there_is_an_error():
    aux, _ = sparse_pairs.teachers(0, ((5, 5),), 60)
    fits = sparse_pairs.pretrained(0, aux, 62)
    assert fits.finished() is fits
    far = type(fits)(fits.weights, fits.loss, np.zeros_like(fits.converged), fits.steps, fits.time)
    with pytest.raises(RuntimeError, match="training stopped at loss"):
        far.finished()


def test_relative_errors():
    truth = np.array([[1.0, -1.0], [2.0, 0.0]])
    assert sparse_pairs.relative_errors(np.zeros((2, 2)), truth).tolist() == [1.0, 1.0]
    assert sparse_pairs.relative_errors(np.array([[2.0, -1.0], [2.0, 2.0]]), truth).tolist() == [0.5, 1.0]


def test_the_limit_of_the_group_norm_is_the_mean_of_minimisers():
    aux, main = zip(*(sparse_pairs.teachers(seed, ((40, 40),), 1000) for seed in range(6)), strict=True)
    x = sphere_inputs(1000, 32, range(6))
    fits = [min_group_norm_given(x[i], x[i] @ main[i][0], aux[i]) for i in range(6)]
    errors = [sparse_pairs.relative_errors(fit, truth[0]) for fit, truth in zip(fits, main, strict=True)]
    assert np.mean(errors) == pytest.approx(sparse_pairs.group_limit((40, 40), 32), rel=0.15)
