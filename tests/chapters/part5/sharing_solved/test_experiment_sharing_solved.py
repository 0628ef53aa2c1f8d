"""Hard sharing solved, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.sharing_solved import experiment
from mtlbook_lib.data.real import digits, standardiser
from mtlbook_lib.data.scores import area_under_curve
from mtlbook_lib.theory.hard_sharing import sharing_loss

TINY = {"n_problems": 2, "n_starts": 3, "n_steps": 800}


def test_losses_are_those_of_the_definition():
    run = experiment.trained(3, **TINY)
    for start in range(3):
        for index in range(2):
            loss = sharing_loss(
                *run.problem(index), run.fits.shared[start, index], list(run.fits.heads[start, index]),
                experiment.WEIGHTS,
            )  # fmt: skip
            assert run.fits.loss[start, index] == pytest.approx(loss, rel=1e-12)


def test_last_capacity_is_the_tasks_alone():
    found = experiment.capacity_sweep(0.6, n_splits=2)
    assert found.areas.shape == (2, 10, 10)
    assert found.noisy.sum(axis=1).tolist() == [3, 3]
    assert np.flatnonzero(found.noisy[1]).tolist() == [1, 2, 3]
    assert found.gain()[0][-1] == 0.0


def test_alone_is_ridge_regression_by_normal_equations():
    found = experiment.capacity_sweep(0.0, n_splits=2)
    task = digits()
    order = experiment.stream(0, "capacity").permutation(len(task.labels))
    train, test = order[: experiment.N_TRAIN], order[experiment.N_TRAIN :]
    scaling = standardiser(task.inputs[train])
    x, targets = scaling.apply(task.inputs[train]), task.targets[train]
    inverse = np.linalg.inv(x.T @ x + experiment.RIDGE * np.eye(x.shape[1]))
    models = inverse @ x.T @ (targets - targets.mean(axis=0))
    areas = area_under_curve((scaling.apply(task.inputs[test]) @ models).T, task.targets[test].T)
    assert found.areas[0, 9] == pytest.approx(areas, abs=1e-9)
    assert found.areas[0, 8] == pytest.approx(areas, abs=1e-9)


def test_parts_of_the_tasks_add_up():
    found = experiment.capacity_sweep(1.0, n_splits=10)
    both = 0.3 * found.gain("noisy")[0] + 0.7 * found.gain("clean")[0]
    assert both == pytest.approx(found.gain()[0])
    mean, error = found.by_digit(noisy=True)
    assert mean.shape == error.shape == (10, 10)
    assert mean.mean(axis=1) == pytest.approx(found.gain("noisy")[0])


def test_problems_in_other_axes_are_always_the_same_ones(monkeypatch):
    monkeypatch.setenv("MTLBOOK_PROFILE", "quick")
    own = experiment.trained(2, "rotated")
    monkeypatch.setenv("MTLBOOK_SEEDS", "1")
    assert experiment.in_other_axes().fits.loss == pytest.approx(own.fits.loss)
    assert experiment.trained(2, "rotated").fits.loss != pytest.approx(own.fits.loss)
