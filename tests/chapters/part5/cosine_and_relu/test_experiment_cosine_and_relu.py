"""Cosine similarity and rectified features, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.cosine_and_relu import experiment

TINY = {"n_seeds": 2, "n_steps": 60}


def test_linear_optimum_is_the_bisector():
    run = experiment.linear_sweep([1.0, 0.5, -0.5], n_seeds=2, n_examples=2000)
    assert run.alone == pytest.approx(np.ones((2, 3)))
    assert run.shared[:, 0] == pytest.approx(np.ones(2), abs=1e-9)
    assert run.shared[:, 1:] == pytest.approx(np.full((2, 2), 6 / np.pi * np.arcsin(np.sqrt(0.75) / 2)), abs=0.02)


def test_trained_scores_fall_with_the_distance():
    for panel in "bcd":
        run = experiment.trained_sweep(panel, [1.0, 0.0], **TINY)
        assert run.shared.shape == run.alone.shape == (2, 2)
        assert np.all(run.shared[:, 0] > run.shared[:, 1] + 0.1)
        assert np.all(run.alone[:, 1] > run.shared[:, 1])


def test_noise_spoils_the_direction_however_many_examples_the_theorem_asks_for():
    quiet, enough = experiment.equal_models(1.0, 2000, 0.4, n_seeds=3)
    loud, as_many = experiment.equal_models(300.0, 2000, 0.4, n_seeds=3)
    assert np.array_equal(enough, as_many)
    assert enough.max() == pytest.approx(2000 * 0.4**2 / (2 * np.log(2) * (1 / 0.4**2 + np.log(2))))
    assert enough.min() < enough.max()  # in one draw the target's energy decides
    assert np.median(quiet) < 0.2 < 0.8 < np.median(loud)


def test_source_of_the_same_model_helps_and_an_unrelated_one_harms():
    run = experiment.higher_rank([300], [0.0, 1.0], n_seeds=2, n_steps=150)
    assert run.change.shape == (2, 1, 2)
    assert np.all(run.change[:, 0, 1] > 0.2)
    assert np.all(run.change[:, 0, 0] < 0)
    assert run.cosines == pytest.approx([0.0, 1.0], abs=1e-9)


def test_half_similar_sources_are_those_in_the_middle():
    run = experiment.higher_rank([50, 100], [0.5], **TINY)
    assert experiment.half_similar([50, 100], **TINY) == pytest.approx(run.change[:, :, 0])


def test_products_of_features():
    found = experiment.kernel_products([0.0, np.pi], n_seeds=3)
    assert found[:, 0] == pytest.approx(np.ones(3), abs=0.06)
    assert found[:, 1] == pytest.approx(np.zeros(3), abs=1e-12)
    assert experiment.feature_norms(400, n_seeds=20).mean() == pytest.approx(np.sqrt(200), rel=0.05)


def test_links_of_the_chain_hold_and_noise_breaks_the_bound():
    clean, noisy = (experiment.chain(s, [200, 3000], n_seeds=2) for s in (0.1, 100.0))
    for run in (clean, noisy):
        assert run.angle.shape == (2, 2)
        assert np.all(run.cosine >= run.cosine_bound)
        assert np.all(run.angle <= run.angle_bound)
    assert np.all(clean.angle_bound[:, 1] < 1)
    assert np.all(noisy.angle_bound == np.pi)


def test_errors_of_the_head_grow_with_the_condition_number():
    errors = experiment.head_errors([3.0, 10.0], 0.5)
    leakage = (np.array([3.0, 10.0]) - 1 / np.array([3.0, 10.0])) / 2
    assert errors == pytest.approx(np.sqrt(0.75) + leakage * 0.5 - 1, rel=0.01)


def test_ratios_of_the_head_are_at_most_one():
    ratios = experiment.head_ratios(n_seeds=60)
    assert 30 < ratios.size < 60  # the bound applies to most problems, not to all
    assert np.all(ratios <= 1 + 1e-9)
