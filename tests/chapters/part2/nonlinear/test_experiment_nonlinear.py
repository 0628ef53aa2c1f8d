"""Experiments on nonlinear networks, at tiny size."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from mtlbook_lib.chapters.part2.nonlinear import experiment
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.data.training import training_set
from mtlbook_lib.simulation.engine import Minimum, to_tensor
from mtlbook_lib.simulation.linear import students
from mtlbook_lib.simulation.rectifier.descent import descend, prediction_error

TIMES = np.arange(7.0)
CURVE = np.array([1.0, 0.9, 0.5, 0.42, 0.40, 0.43, 0.46])


@pytest.fixture
def run(monkeypatch):
    """A run with one network whose test error is ``CURVE``."""
    monkeypatch.setattr(
        experiment.engine, "best", lambda run: Minimum(np.array([[0.40]]), np.array([[4.0]]), np.array([[0]]))
    )
    return SimpleNamespace(times=TIMES, values={"test_error": CURVE[None, None]})


def test_landmarks_of_a_known_curve(run):
    marks = experiment.landmarks(run)
    assert [marks.half.item(), marks.reached.item(), marks.onset.item()] == [2, 3, 6]
    assert [marks.least.item(), marks.last.item()] == [0.40, 0.46]
    assert experiment.onset(run, rise=0.02).item() == 5
    with pytest.raises(ValueError, match="train for more steps"):
        experiment.onset(run, ratio=2.0)


def test_mode_half_times_are_halfway_to_the_least():
    errors = np.array([[[1.0, 1.0], [0.4, 1.0], [0.2, 0.7], [0.2, 0.4]]])  # (seed, time, mode)
    run = SimpleNamespace(times=np.arange(4.0), values={"modes": np.stack([errors + 1, errors], axis=1)})
    assert experiment.mode_half_times(run, task=1).tolist() == [[1, 3]]


def test_kept_plateaus_are_those_of_networks_trained_here():
    found = experiment.plateaus()
    teachers = low_rank_teachers(50, 100, experiment.STRENGTHS, range(2))
    data, fresh = training_set(teachers, 100), gaussian_inputs(100, 300, range(2), role="test")
    start = students.orthogonal(50, 100, 50, experiment.EPS, range(2), n_settings=3, dtype=torch.float32)
    watch = {"test_error": prediction_error(fresh, teachers.outputs(fresh))}
    options = {"slope": 0.2, "record_every": 4, "observe": watch}
    marks = experiment.landmarks(descend(start, data.inputs, data.outputs, 0.02, 300, **options))
    assert found.shape == (24, 2, 2)
    # Times are read off samples: another processor may find the neighbouring one.
    assert found[:2, 0] == pytest.approx(((marks.onset - marks.reached) / marks.half)[:, :2], rel=0.1)


def test_kept_onsets_are_those_of_the_kept_curves():
    found, runs = experiment.onsets(), experiment.deep_runs(n_seeds=8)
    assert found.shape == (24, 2, 2, 3, 3)
    for place, slope in enumerate((1.0, 0.2)):
        run, times = runs[3, slope], found[:8, 1, place]
        assert times[:, 0] == pytest.approx(experiment.half_times(run), abs=0.21)
        assert times[:, 1] == pytest.approx(experiment.onset(run, ratio=1.1), abs=0.21)
        assert times[:, 2] == pytest.approx(experiment.onset(run, rise=0.05), abs=0.21)


def test_kept_curves_stand_in_for_runs():
    runs = experiment.deep_runs(n_seeds=3)
    assert set(runs) == {(3, 1.0), (3, 0.2)}
    assert experiment.landmarks(runs[3, 0.2]).onset.shape == (3, 3)
    modes = runs[3, 0.2].values["modes"]
    assert modes.shape == (3, 3, runs[3, 0.2].times.size, 3)
    assert np.isnan(modes[:, :2]).all()
    assert np.isfinite(modes[:, 2]).all()


def test_kept_is_what_tiny_networks_give(monkeypatch):
    monkeypatch.setattr(experiment, "_onsets", lambda run: np.ones((3, 2, 3)))
    marks = SimpleNamespace(half=1.0, reached=np.ones((2, 3)), onset=3.0)
    monkeypatch.setattr(experiment, "landmarks", lambda run: marks)
    found = experiment.train_kept(n_seeds=2, n_curves=1, n_inputs=12, n_probes=20)
    assert np.shape(found["plateaus"]) == (2, 2, 2)
    assert np.shape(found["stages"]) == (2, 2, 3)
    assert np.shape(found["leaky"]["modes"])[:2] == (1, 1)
    assert np.shape(found["onsets"]) == (2, 2, 2, 3, 3)
    assert len(found["linear"]["test_error"]) == 1


def test_error_of_a_mode_is_one_at_zero_and_none_at_the_teacher():
    teachers = low_rank_teachers(4, 8, [[3.0, 2.0]], range(2))
    inputs = gaussian_inputs(8, 30, range(2))
    observe, clean = experiment.mode_errors(teachers, inputs), to_tensor(teachers.clean)
    assert observe(lambda x: clean @ x).numpy() == pytest.approx(np.zeros((2, 1, 2)), abs=1e-12)
    assert observe(lambda x: 0 * clean @ x).numpy() == pytest.approx(np.ones((2, 1, 2)))
    assert observe(lambda x: (clean @ x).to(torch.float32)).dtype == torch.float32


def test_teachers_have_equal_weight_on_both_signs():
    maps = experiment.balanced_teachers(3)
    np.testing.assert_allclose(np.linalg.svd(maps)[1][:, :2], [[3, 0]] * 3, atol=1e-12)
    powers = [np.where(sign * maps[:, 0] > 0, maps[:, 0] ** 2, 0).sum(axis=1) for sign in (1, -1)]
    np.testing.assert_allclose(*powers)
