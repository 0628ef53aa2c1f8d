"""Experiments on nonlinear networks, at tiny size."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from mtlbook_lib.chapters.part2.nonlinear import experiment
from mtlbook_lib.data.inputs import gaussian_inputs
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation.engine import Minimum, to_tensor

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
