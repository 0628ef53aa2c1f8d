"""Inputs of which a single one is on: counts and sums of the examples that they stand for."""

import numpy as np
import pytest

from mtlbook_lib.data.two_tasks.axis_tasks import axis_task


def test_clean_labels_are_those_of_the_model():
    task = axis_task(500, 20, 0.0, range(3))
    assert task.squares.sum(axis=1) == pytest.approx(20 * 500)
    assert task.model == pytest.approx(np.full(20, 20**-0.5))
    assert task.products == pytest.approx(task.squares * task.model)


def test_noise_of_an_axis_has_the_variance_of_the_sum():
    task = axis_task(4000, 10, 3.0, range(600))
    on_axis = task.squares / 10
    sums = task.products / np.sqrt(10) - on_axis
    scaled = sums / np.sqrt(on_axis) / 3.0
    assert np.mean(scaled**2) == pytest.approx(1.0, abs=0.08)
    assert np.mean(scaled) == pytest.approx(0.0, abs=0.06)
    assert on_axis.std(axis=0).mean() == pytest.approx(np.sqrt(4000 * 0.1 * 0.9), rel=0.1)
