"""Transfer in high dimensions, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.high_dimensional_transfer import experiment
from mtlbook_lib.data.gaussian_pairs import gaussian_task, models_of_cosine
from mtlbook_lib.statistics import mean_and_error
from mtlbook_lib.theory.hard_sharing import asymptotic_risk, asymptotic_transfer

D = experiment.N_INPUTS


def test_fixed_inputs_have_one_set_of_rows_and_fresh_labels():
    (x1, x2), models, (y1, y2) = experiment.fixed_inputs(n_draws=400)
    assert (x1.shape, x2.shape, y1.shape, y2.shape) == ((30, 20), (40, 20), (400, 30), (400, 40))
    assert y1.mean(axis=0) == pytest.approx(x1 @ models[0], abs=5 / np.sqrt(400))
    assert (y2 - x2 @ models[1]).std() == pytest.approx(0.5, rel=0.03)
    assert models[0] @ models[1] == pytest.approx(0.8)


def test_near_capacity_has_the_examples_it_says():
    spare = [5, 40]
    run = experiment.near_capacity(spare, 1.0, n_draws=60)
    own = [asymptotic_risk(np.eye(D), np.eye(D), n1, D + m - n1, *models_of_cosine(0.8, D), 1.0, 1.0, 1.0)[0]
           for m, n1 in zip(spare, (27, 48), strict=True)]  # fmt: skip
    assert run.predicted == pytest.approx(own)
    assert run.shared.mean(axis=0)[0] > 2 * run.shared.mean(axis=0)[1]


def test_loss_is_that_of_the_residuals():
    source, target = experiment.CASES[2].tasks(3)
    models, _ = experiment.fit(source, target, 1.0)
    loss = experiment.by_ratio([1.0], n_draws=3)[1][:, 0]
    for i in range(3):
        quadratic = models[i] @ (source.gram + target.gram)[i] @ models[i]
        cross = models[i] @ (source.products + target.products)[i]
        assert 260 * loss[i] == pytest.approx(source.energy[i] + target.energy[i] - 2 * cross + quadratic)


def test_stretch_of_one_changes_nothing_and_determinants_are_one():
    run = experiment.covariate_shift([1.0, 4.0], 60, n_draws=30)
    white = asymptotic_risk(np.eye(D), np.eye(D), 60, 180, np.zeros(D), np.zeros(D), 1.0, 1.0, 1.0)[0]
    assert run.predicted[0] == pytest.approx(white) == pytest.approx(D / (240 - D))
    assert np.linalg.det(experiment.stretched(5.0)) == pytest.approx(1.0)
    assert run.predicted[1] < white


def test_limits_at_equal_sizes_do_not_know_the_stretch():
    run = experiment.covariate_shift([1.0, 3.0, 9.0], 120, n_draws=2)
    assert run.predicted == pytest.approx(np.full(3, D / 200), rel=1e-9)


def test_shared_models_are_better_on_their_training_data_than_any_pooled_ratio():
    source, target = experiment.CASES[0].tasks(5)
    best = experiment.share(source, target)
    of_source, of_target = best.heads[0]
    pulled = experiment.fit(source, target, float(of_target / of_source))[0][0]
    assert pulled == pytest.approx(best.models[1][0], rel=1e-4, abs=1e-6)


def test_limit_risks_are_those_of_the_library():
    for level, cosine, sigma in ((0.5, 0.3, 1.2), (4.0, 0.8, 0.5), (32.0, 0.0, 2.0)):
        white, models = np.eye(6), models_of_cosine(cosine, 6)
        shared = asymptotic_transfer(white, white, 18 * level, 18, *models, sigma, sigma)[1]
        found = experiment.limit_risks(cosine, [level], np.array([sigma]))[0, 0]
        assert found == pytest.approx(shared / (sigma**2 * 6 / 12), rel=1e-3)


def test_borders_are_where_the_limits_cross():
    borders = experiment.boundaries([1.0, 8.0], [0.2, 0.9])
    for i, level in enumerate((1.0, 8.0)):
        for j, cosine in enumerate((0.2, 0.9)):
            at, below, above = (
                experiment.limit_risks(cosine, [level], np.array([f * borders[i, j]]))[0, 0] for f in (1, 0.9, 1.1)
            )
            assert at == pytest.approx(1.0, abs=0.02)
            assert below > 1 > above
    assert np.all(borders[1] > borders[0])


def test_endless_source_leaves_the_sine():
    """Risk sin² against 1/2 noise² for three target examples per input."""
    for cosine in (0.3, 0.8):
        border = experiment.boundaries([1e4], [cosine])[0, 0]
        assert border == pytest.approx(np.sqrt(2 * (1 - cosine**2)), rel=0.02)


def test_risk_counts_the_covariance_of_the_task():
    task = gaussian_task(60, np.diag([4.0, 1.0]), [1.0, 0.0], 0.5, range(300), "target")
    mean, error = mean_and_error(experiment.alone(task))
    assert abs(mean - 0.25 * 2 / (60 - 2 - 1)) < 5 * error
