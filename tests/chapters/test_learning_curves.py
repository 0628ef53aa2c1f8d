"""Curves of aligned students against trained ones; minima and crossings against curves whose answer is known."""

import numpy as np
import pytest

from mtlbook_lib.chapters import learning_curves
from mtlbook_lib.chapters.learning_curves import aligned_errors, distances_to_goals, minima
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.simulation import spectra
from mtlbook_lib.simulation.linear import gradient_flow, observables, students
from mtlbook_lib.theory.linear_dynamics import mode_strength


@pytest.mark.parametrize("depth", [2, 3])
def test_curves_of_aligned_students_are_those_of_trained_ones(depth):
    teachers, times = low_rank_teachers(6, 9, [[2.0, 1.0], [3.0, 0.5]], seeds=range(2)), np.array([0.5, 1.5, 4.0])
    layers = students.aligned(teachers.training, 4, 1e-2, range(2), depth=depth)
    watch = {"test": observables.relative_test_error(teachers.clean)}
    trained = gradient_flow.integrate(layers, teachers.training, times, observe=watch, rtol=1e-9).values["test"]
    found = aligned_errors(teachers, times, 4, 1e-2, depth)
    assert found.shape == (2, 2, 3)
    np.testing.assert_allclose(found, trained, rtol=0, atol=1e-6)


def test_distances_to_two_maps_in_parts_are_those_of_the_maps(monkeypatch):
    monkeypatch.setattr(learning_curves, "_CACHED", 20)  # a few of the six data sets at a time
    teachers, times = low_rank_teachers(4, 6, [[2.0], [3.0]], seeds=range(3)), np.array([0.5, 1.5])
    modes, found = spectra.data_modes(teachers.training, teachers.clean), spectra.svd(teachers.training)
    distances = distances_to_goals(modes, [modes.captured, modes.values], times, 1e-2, 3)
    for i, goal in enumerate((teachers.clean, teachers.training)):
        for j, t in enumerate(times):
            x = np.asarray(mode_strength(t, found.values[..., :3], 1e-2))
            learned = (found.left[..., :3] * x[..., None, :]) @ found.right[..., :3].swapaxes(-1, -2)
            expected = ((learned - goal) ** 2).sum((-2, -1)) - (goal**2).sum((-2, -1))
            np.testing.assert_allclose(distances[i, ..., j], expected, rtol=1e-10)


def test_minima_are_those_of_each_curve():
    least, stop = minima(np.array([0.0, 1.0, 2.0]), np.array([[3.0, 1.0, 2.0], [0.5, 0.7, 0.9], [3.0, 2.0, 1.0]]))
    assert least.tolist() == [1.0, 0.5, 1.0]
    np.testing.assert_allclose(stop, [1 + 1 / 6, 0.0, 2.0])


def test_the_time_of_a_minimum_between_two_samples_is_found():
    times = np.linspace(0, 4, 21)
    _, stop = minima(times, (times - 1.37) ** 2 + 0.3)
    assert stop == pytest.approx(1.37, abs=1e-12)
    assert minima(times, np.ones(21))[1] == 0.0
