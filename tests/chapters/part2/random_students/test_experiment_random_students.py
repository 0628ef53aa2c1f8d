"""The experiments on students that start at random, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.learning_curves import random_errors
from mtlbook_lib.chapters.part2.random_students import experiment
from mtlbook_lib.data.teachers import low_rank_teachers
from mtlbook_lib.statistics import Arm
from mtlbook_lib.theory import linear_dynamics as ld

TIMES = np.linspace(0, 6, 601)


def made_up(rate, delay=0.0):
    """Curves whose errors fall and rise exponentially, and those of a student for which time runs slower."""
    slow = TIMES / (1 + delay)
    test = np.maximum(np.exp(-rate * slow), 1e-2 * np.exp(slow))
    return Arm(np.exp(-rate * slow)[None]), Arm(test[None])


def test_small_students_are_integrated_to_the_exact_flow():
    found = experiment.small_students(n_seeds=2)
    exact = ld.balanced_flow(found.first, found.second, found.data, found.times)
    assert exact.shape == (2, 1, 6, 15, 30)
    np.testing.assert_allclose(found.integrated, exact, rtol=0, atol=1e-8)


def test_a_strong_mode_is_late_by_what_its_start_says():
    found = experiment.delays((40, 20, 20), [4.0], n_seeds=4)
    assert found.measured.shape == (4, 1)
    np.testing.assert_allclose(found.measured, found.realised, rtol=0.05)
    np.testing.assert_allclose(found.measured.mean(), found.formula.mean(), rtol=0.4)


def test_starts_have_the_effective_scale_on_average():
    found = experiment.log_starts(60, 20, 30, n_seeds=4)
    assert found.shape == (4,)
    assert found.mean() == pytest.approx(-np.log(ld.effective_initial_scale(1.0, 60, 20, 30)), abs=0.1)


def test_errors_relative_to_several_goals():
    teachers, times = low_rank_teachers(5, 7, [[1.0], [2.0]], seeds=range(3)), np.array([0.0, 1.0, 200.0])
    test, train = random_errors(teachers, times, 5, 1e-3, teachers.clean, teachers.training)
    assert test.shape == train.shape == (3, 2, 3)
    np.testing.assert_allclose(test[..., 0], 1, atol=0.02)
    assert np.all(train[..., -1] < 0.05 * train[..., 0])
    np.testing.assert_array_equal(random_errors(teachers, times, 5, 1e-3)[0], test)


def test_integration_and_exact_flow_of_the_papers_students():
    integrated, exact = experiment.integrated_slice(n_seeds=1)
    assert integrated.shape == (2, 1, 1, 12)
    np.testing.assert_allclose(integrated, exact, rtol=0, atol=1e-6)


def test_curves_have_both_arms_with_theory():
    found = experiment.curves([3.0], n_seeds=2)
    for arms in (found.train, found.test):
        assert set(arms) == {"aligned", "random"}
        for arm in arms.values():
            assert arm.simulated.shape == (2, 61)
            assert arm.mean[0] == pytest.approx(arm.theory[0], abs=0.02)
    assert np.all(found.train["random"].mean[1:] > found.train["aligned"].mean[1:])


def test_lateness_of_a_student_for_which_time_runs_slower():
    (train, test), (late_train, late_test) = made_up(3.0), made_up(3.0, 0.25)
    found = experiment.Curves(TIMES, {"aligned": train, "random": late_train}, {"aligned": test, "random": late_test})
    np.testing.assert_allclose(experiment.fall_lateness(found, [0.9, 0.3]), 0.25, rtol=0.01)
    np.testing.assert_allclose(experiment.rise_lateness(found, [0.3, 0.8]), 0.25, rtol=0.02)
    delays = experiment.fall_delays(found, [0.9, 0.3])
    np.testing.assert_allclose(delays, [-np.log([0.9, 0.3]) / 3 * 0.25], rtol=0.02)


def test_pairs_see_the_same_data_and_stop_late():
    found = experiment.pair([[2.0], [4.0]], n_seeds=2, n_times=31)
    assert found.aligned.shape == found.random.shape == (2, 2, 31)
    assert np.all(found.later > 0)
    assert np.all(np.abs(found.gap) < 0.15)
    np.testing.assert_array_equal(found.setting([1]).gap, found.gap[:, [1]])
    narrow = experiment.narrow_pair([[4.0]], 5, n_seeds=2, n_times=31)
    assert np.all(narrow.later > found.later[:, [1]])


def test_arms_of_the_minima_carry_theory():
    found = experiment.pair([[4.0]], n_seeds=2, n_times=61)
    errors, times = experiment.stopping_arms(found, [[4.0]])
    assert errors["aligned"].theory[0] == pytest.approx(errors["aligned"].mean[0], abs=0.03)
    assert times["random"].theory[0] > times["aligned"].theory[0]


def test_aligned_minima_are_near_theory():
    found, theory = experiment.aligned_minima([[3.0], [6.0]], (100, 5), n_seeds=3, n_times=31)
    assert found.shape == (3, 2, 2)
    assert theory.shape == (2, 2)
    np.testing.assert_allclose(found.mean(axis=0), theory, atol=0.05)
    assert np.all(found[..., 0] > found[..., 1])


def test_students_with_small_gaussian_weights_start_from_their_scale():
    half, s_hat = experiment.gaussian_half_times(0.005, n_seeds=2)
    np.testing.assert_allclose(half, ld.half_time(s_hat, 50 * 0.005**2 / 2), rtol=0.1)


def test_crowded_students_are_those_of_the_other_delays():
    found = experiment.crowded_delays(n_seeds=2)
    expected = experiment.delays((100, 5, 100), [6.0, 4.0, 2.0], span=10.0, n_seeds=2)
    np.testing.assert_array_equal(found.measured, expected.measured)
    assert found.formula.shape == (2, 3)
