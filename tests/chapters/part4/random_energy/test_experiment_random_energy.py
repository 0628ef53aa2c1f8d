"""The softmax random-energy model, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part4.random_energy import experiment
from mtlbook_lib.theory.softmax import isotropic_gain, isotropic_log_partition, rem_critical_norm, rem_gain

NORMS = experiment.NORMS


def test_drawn_logits_follow_the_exact_integrals():
    for k, one in experiment.measured((2, 20), n_seeds=6, n_numbers=40_000).items():
        for (mean, error), exact in (
            (one.log_partition, isotropic_log_partition(NORMS, k)),
            (one.gain, isotropic_gain(NORMS, k)),
        ):
            assert np.all(np.abs(mean - exact) < 6 * error)
        assert one.participation[0] == pytest.approx(1 - (k - 1) * one.gain[0], abs=0.02)


def test_lines_are_above_the_logarithm_of_the_classes_and_in_units_of_the_others():
    one = experiment.Drawn(NORMS, (np.array([3.0]), np.array([0.1])), None, (np.array([0.2]), np.array([0.01])))
    partition, gain = one.above(10)
    assert partition == (pytest.approx(3 - np.log(10)), 0.1)
    assert gain == (pytest.approx(9 * 0.2), pytest.approx(9 * 0.01))


def test_ratio_carries_the_error_of_the_simulation():
    one = experiment.measured((10,), n_seeds=4, n_numbers=10_000)[10]
    ratio, error = one.ratio(rem_gain(NORMS, 10))
    mean, deviation = one.gain
    assert ratio * mean == pytest.approx(rem_gain(NORMS, 10))
    assert error / ratio == pytest.approx(deviation / mean)


def test_shortfall_of_drawn_logits_is_that_of_the_lines():
    found = experiment.around_freezing((10, 100), n_seeds=6, n_numbers=60_000)
    short, error = experiment.shortfall(found)
    lines = experiment.shortfall_lines(np.array([10, 100]), (0.5, 1.0, 2.0))
    assert short.shape == error.shape == lines.shape == (2, 3)
    assert np.all(np.abs(short - lines) < 6 * error)
    # Half of the mean partition function is missing at the critical norm.
    assert experiment.shortfall_lines(np.array([10**6]), (1.0,))[0, 0] * np.log(1e6) == pytest.approx(
        np.log(2), abs=0.03
    )


def test_usable_norm_is_where_the_error_is_reached():
    norm = experiment.usable_norm(100, 0.05)
    assert experiment.relative_error("REM", np.array([norm]), 100)[0] == pytest.approx(0.05, abs=1e-8)
    assert experiment.usable_norm(20, 0.05) == 0
    assert experiment.usable_norm(10, 0.8) == np.inf
    contour = experiment.error_contour((20, 100, 10), 0.05)
    assert np.isnan(contour[[0, 2]]).all()
    assert contour[1] == norm


def test_many_norms_give_what_few_give():
    norms = np.geomspace(0.1, 40, 24)
    many = experiment.relative_error("calibrated", norms, 10)
    few = [experiment.relative_error("calibrated", norms[[i]], 10)[0] for i in range(24)]
    assert many == pytest.approx(np.array(few), abs=1e-11)


def test_border_is_crossed_between_the_two_sides():
    inside, outside = experiment.near_usable_norm((50, 200), 0.05, n_seeds=6, n_numbers=100_000)
    assert np.all(inside[0] < 0.05)
    assert np.all(outside[0] > 0.05)


def test_lines_of_model_and_softmax():
    energies, gains = experiment.model_lines(10, np.array([1e-9, 1.0, 30.0]))
    assert energies["exact"][0] == pytest.approx(0, abs=1e-8)
    assert np.all(energies["exact"] <= energies["REM"] + 1e-12)
    assert np.all(energies["REM"] <= energies["annealed"])
    assert gains["exact"][0] == pytest.approx(0.9)
    assert np.all(gains["exact"] < gains["REM"])
    exact, model = experiment.freezing_lines((10, 100), np.array([0.5, 2.0]))
    assert model == pytest.approx([0.0, 0.5])
    assert np.all(exact[10] > exact[100])
    assert rem_critical_norm(10) < rem_critical_norm(100)


def test_largest_errors_are_in_the_order_of_the_forms():
    largest = experiment.largest_errors((2, 10))
    assert np.all(largest["REM"] > largest["calibrated"])
    assert np.all(largest["calibrated"] > largest["interpolated"])
    assert largest["REM"][1] == pytest.approx(0.71, abs=0.005)
