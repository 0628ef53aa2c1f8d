"""The experiments of the chapter on how training ends, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part6.how_training_ends import experiment


def test_stopping_helps_with_noise_only():
    clean, noisy = (experiment.stopped(1e-3, noise, n_seeds=3) for noise in (0.0, 1.0))
    assert clean.path[0] == pytest.approx(1.0, abs=1e-3)
    assert np.all(clean.end <= clean.path.min(axis=0) + 1e-3)
    assert np.all(noisy.best("path") < noisy.end)
    assert np.all(noisy.path[-1] == pytest.approx(noisy.end, rel=0.2))
    assert noisy.penalised[-1] == pytest.approx(1.0, abs=0.1)


def test_the_best_is_chosen_on_other_seeds():
    errors = np.array([[1.0, 5.0], [2.0, 4.0]])
    found = experiment.Stopped(np.arange(2.0), errors, errors[::-1], np.zeros(2))
    assert found.best("path") == pytest.approx([2.0, 5.0])
    assert found.best("penalised") == pytest.approx([2.0, 5.0])


def test_descent_lags_in_proportion_to_the_rate():
    fast, slow = (experiment.followed(0.3, 0.5, rate, n_seeds=1) for rate in (2.0, 1.0))
    assert fast.distance / slow.distance == pytest.approx(2, rel=0.05)
    assert slow.own.max() < slow.distance.max() < 0.02
    assert np.all(np.diff(slow.times) > 0)


def test_noise_of_labels_has_its_size():
    _, clean, _ = experiment.task(0.0, 40)
    _, noisy, _ = experiment.task(0.5, 40)
    assert (noisy - clean).std() == pytest.approx(0.5 * clean.std(), rel=0.06)


def test_deeper_is_nearer_to_the_least_norm():
    alphas = np.array([0.03, 0.3])
    two, three, four = (experiment.excess(depth, alphas, n_seeds=2).mean(axis=1) for depth in (2, 3, 4))
    assert np.all((two > three) & (three > four) & (four > 0))
    small, large = experiment.excess(3, alphas, n_seeds=2)
    assert experiment.powers(3, *alphas, n_seeds=2) == pytest.approx(np.log10(large / small))
    more, gap = experiment.chains(3, 0.4, 0.02, n_seeds=1)
    assert gap.max() < 0.02
    assert more.mean() == pytest.approx(experiment.excess(3, np.array([0.4]), n_seeds=1).mean(), rel=0.05)


def test_noisy_steps_cost_width():
    rates = np.array([4.0])
    all_of_them, single = (experiment.noisy(batch, rates, n_seeds=1) for batch in (None, 1))
    assert all_of_them.lost[0] / 4 == pytest.approx(all_of_them.predicted, rel=0.1)
    assert single.lost.min() > 10 * all_of_them.lost.max()
    assert np.all(all_of_them.own < 0.2 * all_of_them.first)
