"""The experiments on students that start at random, at tiny sizes."""

import numpy as np

from mtlbook_lib.chapters.learning_curves import random_errors
from mtlbook_lib.chapters.part2.random_students import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.statistics import Arm

TIMES = np.linspace(0, 6, 601)


def made_up(rate, delay=0.0):
    """Curves whose errors fall and rise exponentially, and those of a student for which time runs slower."""
    slow = TIMES / (1 + delay)
    test = np.maximum(np.exp(-rate * slow), 1e-2 * np.exp(slow))
    return Arm(np.exp(-rate * slow)[None]), Arm(test[None])


def test_errors_relative_to_several_goals():
    teachers, times = low_rank_teachers(5, 7, [[1.0], [2.0]], seeds=range(3)), np.array([0.0, 1.0, 200.0])
    test, train = random_errors(teachers, times, 5, 1e-3, teachers.clean, teachers.training)
    assert test.shape == train.shape == (3, 2, 3)
    np.testing.assert_allclose(test[..., 0], 1, atol=0.02)
    assert np.all(train[..., -1] < 0.05 * train[..., 0])
    np.testing.assert_array_equal(random_errors(teachers, times, 5, 1e-3)[0], test)


def test_lateness_of_a_student_for_which_time_runs_slower():
    (train, test), (late_train, late_test) = made_up(3.0), made_up(3.0, 0.25)
    found = experiment.Curves(TIMES, {"aligned": train, "random": late_train}, {"aligned": test, "random": late_test})
    np.testing.assert_allclose(experiment.fall_lateness(found, [0.9, 0.3]), 0.25, rtol=0.01)
    np.testing.assert_allclose(experiment.rise_lateness(found, [0.3, 0.8]), 0.25, rtol=0.02)
    delays = experiment.fall_delays(found, [0.9, 0.3])
    np.testing.assert_allclose(delays, [-np.log([0.9, 0.3]) / 3 * 0.25], rtol=0.02)
