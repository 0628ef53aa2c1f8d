"""Learning curves of aligned students, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.generalization_curves import experiment
from mtlbook_lib.theory import generalization, spiked
from mtlbook_lib.theory import marchenko_pastur as mp

TIMES = np.array([0.0, 0.8, 2.0])
STRENGTHS = np.array([[3.0, 0.0], [3.0, 1.5]])


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


def test_the_cut_of_narrow_students_counts_the_teachers_modes_apart():
    """At the end ten modes are learned, nine of them of the bulk: with ten of fifty the error would be another."""
    curves = experiment.networks([3.0], np.array([0.0, 30.0]), n_hidden=10, n_seeds=60)
    mean, error = (part[0, 1] for part in curves.mean_train)

    def unlearned(share):
        below = mp.expectation(np.square, 0.5, upper=mp.tail_quantile(share, 0.5)) / (1 - share)
        return 40 * below / (49 + spiked.noisy_singular_value(3.0, 0.5) ** 2)

    assert abs(mean - unlearned(9 / 49)) < 4 * error
    assert abs(mean - unlearned(10 / 50)) > 4 * error
