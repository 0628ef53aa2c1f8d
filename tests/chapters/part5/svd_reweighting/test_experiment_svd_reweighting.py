"""SVD reweighting on real data, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.svd_reweighting import experiment
from mtlbook_lib.data.noisy_tasks import noisy_tasks
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.theory.hard_sharing import shared_solution, svd_task_weights


def drawn(shares, n_splits=3, name="at least 5"):
    noise = np.tile(shares, (n_splits, 1))
    return noisy_tasks(name, noise, 80, range(n_splits)), noise


def test_alone_is_ridge_regression_by_normal_equations():
    splits, noise = drawn((0.0, 0.2))
    found = experiment.compare(splits, noise, 1)
    x, y = splits.inputs[1], splits.labels[1]
    models = np.linalg.solve(x.T @ x + experiment.RIDGE * np.eye(x.shape[1]), x.T @ y)
    areas = area_under_curve((splits.new_inputs[1] @ models).T, splits.new_labels[1].T)
    assert found.areas["alone"][1] == pytest.approx(areas, abs=1e-9)


def test_weighted_sharing_is_the_closed_form_with_rows_for_the_ridge():
    splits, noise = drawn((0.0, 0.2, 0.8))
    found = experiment.compare(splits, noise, 1)
    x, y = splits.inputs[2], splits.labels[2]
    weights = svd_task_weights(x, y, 1)
    assert found.weights["svd"][2] == pytest.approx(weights / weights.mean())
    rows = np.concatenate([x, np.sqrt(experiment.RIDGE) * np.eye(x.shape[1])])
    labels = np.concatenate([y, np.zeros((x.shape[1], 3))])
    layer, heads, _ = shared_solution([rows] * 3, list(labels.T), 1, weights)
    scores = splits.new_inputs[2] @ layer @ np.column_stack(heads)
    assert found.areas["svd"][2] == pytest.approx(area_under_curve(scores.T, splits.new_labels[2].T), abs=1e-9)


def test_weights_change_nothing_where_there_is_room_for_all():
    found = experiment.many_tasks("ten digits", [3, 9, 10], n_splits=2)
    for arm in ("svd", "kendall", "alone"):
        for rank in (9, 10):
            assert found[rank].areas[arm] == pytest.approx(found[rank].areas["equal"], abs=1e-6)
        assert np.abs(found[3].areas[arm] - found[3].areas["equal"]).max() > 1e-3


def test_training_with_equal_weights_ends_at_the_closed_form():
    name, columns, shares, rank = experiment.CASES["weak annotators"]
    noise = np.array([shares])
    closed = experiment.compare(noisy_tasks(name, noise, 150, [3], columns), noise, rank)
    trained = experiment.trained_cells("weak annotators", "equal", 3)["areas"]
    assert trained == pytest.approx(closed.areas["equal"][0], abs=2e-4)
