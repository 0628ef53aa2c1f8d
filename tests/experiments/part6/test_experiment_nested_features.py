"""The experiments of the chapter on nested features, at tiny sizes, and what is stored for it."""

import numpy as np
import pytest

from mtlbook_lib.experiments import stored_results
from mtlbook_lib.experiments.part6 import nested_features as experiment
from mtlbook_lib.experiments.part6.nested_features import stored
from mtlbook_lib.theory.implicit_bias import penalty_orders

TASKS, FACTORS, SIZES = ((5, 5), (20, 20), (5, 0)), (1.0, 0.1), (16, 32)


@pytest.fixture(scope="module")
def networks():
    return experiment.trained(3, TASKS, FACTORS, SIZES, 120, 124)


def test_rescaled_networks_are_at_the_exact_minimiser(networks):
    assert networks.distance.shape == networks.error.shape == (3, 2, 2)
    assert networks.distance.max() < 2e-3
    assert 0.5 * experiment.LOSS < networks.loss <= experiment.LOSS


def test_predictions_are_of_the_same_tasks_as_the_networks(networks):
    penalty, group = experiment.predicted(3, TASKS, FACTORS, SIZES, 120)
    wide = networks.error > 1e-3
    assert wide.sum() >= 6
    assert penalty[wide] == pytest.approx(networks.error[wide], rel=0.1)
    assert group.shape == (3, 2)
    assert np.all((group >= 0) & (group < 3))


def test_rescaling_helps_the_sparse_task_and_costs_the_dense_one():
    penalty, _ = experiment.predicted(3, ((2, 2), (40, 40)), FACTORS, (20,), 120)
    assert penalty[0, 1, 0] < 0.5 * penalty[0, 0, 0]
    assert penalty[1, 1, 0] > penalty[1, 0, 0]


def test_relative_errors():
    truth = np.array([[1.0, -1.0], [2.0, 0.0]])
    assert experiment.relative_errors(np.zeros((2, 2)), truth).tolist() == [1.0, 1.0]
    assert experiment.relative_errors(truth + [[1.0, 0.0], [0.0, 2.0]], truth).tolist() == [0.5, 1.0]


def test_orders_read_off_networks_are_those_of_the_penalty():
    ratios = np.array([0.1, 1.0, 100.0])
    expected = penalty_orders(1.0, 1 / ratios, experiment.ALPHA, 1e-9)[0]
    assert experiment.measured_orders(ratios) == pytest.approx(expected, abs=0.01)


def test_the_limit_is_the_mean_of_many_inputs():
    limit = experiment.limits((40, 40), (1.0,), 32)[0]
    found = [experiment.predicted(seed, ((40, 40),), (1.0,), (32,), 1000)[0][0, 0, 0] for seed in range(8)]
    assert np.mean(found) == pytest.approx(limit, rel=0.2)


def test_stored_results_have_the_announced_shapes():
    networks = experiment.stored_networks()
    shape = (len(experiment.TASKS), len(experiment.TRAINED_FACTORS), len(experiment.TRAINED_SIZES))
    assert networks.error.shape[1:] == networks.distance.shape[1:] == shape
    assert networks.loss <= experiment.LOSS
    penalty, group = experiment.stored_predicted()
    assert penalty.shape[1:] == (len(experiment.TASKS), len(experiment.FACTORS), len(experiment.SIZES))
    assert group.shape == (len(penalty), len(experiment.TASKS), len(experiment.SIZES))
    assert all(
        limit.shape == (len(experiment.LIMIT_TASKS), len(experiment.LIMIT_FACTORS))
        for limit in experiment.stored_limits().values()
    )


def test_a_stored_prediction_is_found_again():
    penalty, _ = experiment.stored_predicted()
    now, _ = experiment.predicted(5, experiment.TASKS[:1], experiment.FACTORS[3:4], experiment.SIZES[:2], stored.DIM)
    assert now[0, 0] == pytest.approx(penalty[5, 0, 3, :2], rel=1e-3)


def test_networks_trained_again_are_compared_with_their_own_cell(monkeypatch):
    kept = experiment.stored_networks().error

    def pretend(seed, tasks, factors, sizes, dim, n_aux):
        place = experiment.TASKS.index(tasks[0])
        return experiment.Networks(kept[seed, place : place + 1, :, : len(sizes)], np.zeros(1), 0.0)

    monkeypatch.setattr(stored, "trained", pretend)
    for draw in range(4):
        now, before = experiment.train_again(draw)
        assert now.shape == before.shape == (len(experiment.TRAINED_FACTORS), 2)
        assert np.array_equal(now, before)


def test_run_keeps_what_the_cells_find(tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "N_TRAINED", 2)
    monkeypatch.setattr(stored, "N_PREDICTED", 2)
    monkeypatch.setattr(stored, "trained", lambda seed, *_: experiment.Networks(np.full((1, 1, 1), seed), np.ones(1), 0.5))
    monkeypatch.setattr(stored, "predicted", lambda seed, *_: (np.array([1 / 3]), np.array([seed])))
    monkeypatch.setattr(stored, "limits", lambda task, factors, n: np.array([task[0] / n]))
    found = experiment.run(tmp_path)
    assert found["networks"]["error"] == [[[[0.0]]], [[[1.0]]]]
    assert found["predicted"]["finetune"] == [[0.33333], [0.33333]]
    assert np.shape(found["limits"]) == (len(experiment.LIMIT_TASKS) * 2, 1)
    assert stored_results.text(found).startswith("{")
