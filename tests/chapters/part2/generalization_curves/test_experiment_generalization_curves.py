"""Learning curves of aligned students, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.generalization_curves import experiment
from mtlbook_lib.theory import generalization

TIMES = np.array([0.0, 0.8, 2.0])
STRENGTHS = np.array([[3.0, 0.0], [3.0, 1.5]])


def test_three_ways_to_the_errors_of_one_student():
    found = experiment.one_student(n_test=500)
    assert found.by_examples[0] == pytest.approx(found.by_map[0], rel=1e-12)
    assert found.by_modes == pytest.approx(found.by_map, rel=1e-12)
    assert 0 < found.standard_error < 0.1 * found.by_map[1]
    assert abs(found.by_examples[1] - found.by_map[1]) < 4 * found.standard_error


def test_more_test_inputs_make_a_smaller_error():
    few, many = (experiment.one_student(n_test=n).standard_error for n in (200, 20000))
    assert few / many == pytest.approx(10, rel=0.2)


@pytest.mark.parametrize(("n_hidden", "depth"), [(50, 2), (10, 3)])
def test_networks_have_the_errors_of_their_modes(n_hidden, depth):
    """Second route: the closed form of an aligned student on the same data."""
    trained = experiment.networks(STRENGTHS, TIMES, n_hidden, depth, n_seeds=2)
    exact = experiment.data_sets(STRENGTHS, n_sets=2).curves(TIMES, n_hidden, depth)
    assert trained.train.shape == (2, 2, 3)
    assert trained.train == pytest.approx(exact.train, abs=1e-3)
    assert trained.test == pytest.approx(exact.test, abs=1e-3)


def test_a_student_that_has_learned_nothing_has_errors_of_one():
    exact = experiment.data_sets(STRENGTHS, n_sets=2).curves([0.0], eps=1e-9)
    assert exact.train == pytest.approx(1, abs=1e-7)
    assert exact.test == pytest.approx(1, abs=1e-7)


def test_data_sets_at_the_end_are_learned_and_have_the_error_of_their_noise():
    exact = experiment.data_sets([2.0], n_inputs=20, n_sets=300).curves([1e4])
    mean, error = exact.mean_test
    assert exact.train == pytest.approx(0, abs=1e-9)
    assert abs(mean[0, 0] - 10 / 4) < 4 * error[0, 0]


def test_theory_is_that_of_the_setting():
    """A row of zeros behind the strengths, the size, the rank and the depth all reach the theory."""
    times = np.array([1.0, 3.0, 6.0])
    found = experiment.data_sets(STRENGTHS, n_inputs=60, n_sets=2).curves(times, n_hidden=8, depth=3)
    options = {"n_hidden": 8, "depth": 3, "eps": 1e-3}
    assert found.train_theory[0] == pytest.approx(generalization.train_error(times, [3.0], 0.5, 30, **options))
    first = generalization.test_error(times, [3.0, 1.5], 0.5, 30, order=1, **options)
    assert found.test_theory(order=1)[1] == pytest.approx(first)
    assert not np.allclose(found.test_theory()[1], first, rtol=1e-3)


def test_integration_and_sums_agree_in_either_precision(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DTYPE", "float32")
    integrated, exact = experiment.integrated_and_exact(n_times=2)
    assert integrated.shape == exact.shape == (3, 2, 1, 2, 2)
    assert integrated == pytest.approx(exact, rel=1e-9)


def test_falls_are_counted_before_the_minimum_only():
    time = np.linspace(0, 10, 400)
    step = 1 / (1 + np.exp(4 * (time - 3)))
    two = 0.2 + 0.4 * step + 0.4 / (1 + np.exp(4 * (time - 6)))
    assert experiment.falls(two) == 2
    assert experiment.falls(np.concatenate([two, two + 0.1])) == 2
    assert experiment.falls(0.2 + step) == 1


def test_events_of_a_curve_with_known_times():
    times = np.arange(6.0)
    fell, rose = experiment.event_times(times, np.array([1.0, 0.7, 0.4, 0.2, 1.0, 5.0]))
    assert (fell, rose) == (2.0, 4.0)


def test_changes_after_the_minimum_of_the_mean():
    test = np.array([[[1.0, 0.5, 2.0]], [[1.0, 0.7, 1.8]]])
    train = np.array([[[1.0, 0.6, 0.1]], [[1.0, 0.6, 0.3]]])
    found = experiment.Curves(np.arange(3.0), np.array([[1.0]]), train, test)
    (rise, rise_error), (fall, _) = experiment.after_minimum(found)
    assert rise == pytest.approx([1.3])
    assert rise_error == pytest.approx([0.2])
    assert fall == pytest.approx([-0.4])


def test_the_distance_from_theory_is_the_worst_over_time():
    strengths, ones = np.array([[3.0]]), np.ones((2, 1, 3))
    theory = experiment.Curves(TIMES, strengths, ones, ones).test_theory(order=1)
    off = theory * np.array([1.0, 10.0, 0.5])
    found = experiment.Curves(TIMES, strengths, ones, np.stack([off, off]))
    assert found.decades_off(order=1) == pytest.approx([1.0])
    assert found.decades_off() != pytest.approx([1.0], abs=1e-6)
