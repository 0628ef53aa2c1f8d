"""Optimal stopping: the lowest sample, the parabola through it, and the flag of a run that was too short."""

from dataclasses import replace

import numpy as np
from _classification_tasks import students, two_tasks

from mtlbook_lib.simulation import softmax


def result(curves, times):
    tasks, test = two_tasks()
    run = softmax.descend(students(), tasks, 0.2, 1, observe={"test_loss": softmax.cross_entropy(test)})
    return replace(run, times=np.asarray(times), values={"test_loss": np.asarray(curves, dtype=float)})


def test_a_parabola_is_recovered_between_uneven_samples():
    times = np.array([0.0, 1.0, 2.5, 3.0, 5.0])
    centres, depths = np.array([[0.9, 2.1, 2.6], [3.4, 1.3, 1.9]]), np.array([[0.3, 1.0, 2.0], [0.1, 0.2, 0.3]])
    curves = depths[..., None] + 0.7 * (times - centres[..., None]) ** 2
    stop = softmax.optimal_stopping(result(curves, times))
    np.testing.assert_allclose(stop.refined, depths, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(stop.loss, curves.min(axis=-1))
    np.testing.assert_array_equal(stop.time, times[np.abs(times - centres[..., None]).argmin(axis=-1)])
    assert not stop.at_end.any()


def test_the_ends_are_told_apart():
    times = np.arange(4.0)
    curves = np.stack([np.stack([times, -times, (times - 1) ** 2]), np.stack([times, -times, -times])])
    stop = softmax.optimal_stopping(result(curves, times))
    np.testing.assert_array_equal(stop.at_end, [[False, True, False], [False, True, True]])
    np.testing.assert_array_equal(stop.time, [[0, 3, 1], [0, 3, 3]])
    np.testing.assert_array_equal(stop.refined, [[0, -3, 0], [0, -3, -3]])
