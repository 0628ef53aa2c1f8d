"""The experiments on deeper students, at tiny sizes."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part2.deeper_students import experiment
from mtlbook_lib.statistics import Arm


def test_half_times_are_near_the_reduction():
    found = experiment.half_time_ratios([4.0, 3.0], 2, 1e-2, n_seeds=2)
    assert found.simulated.shape == (2, 2)
    assert found.theory.shape == (2,)
    np.testing.assert_allclose(found.simulated.mean(axis=0), found.theory, rtol=0.1)


def test_half_size_and_square_students():
    narrow = experiment.half_size_ratios([3.0], 0.0, n_seeds=2)
    square = experiment.square_ratios(3, n_seeds=6, width=12)
    assert narrow.simulated.shape == (2, 1)
    assert narrow.theory > square.theory > 1
    np.testing.assert_allclose(square.simulated.mean(), square.theory, rtol=0.15)


def test_lines_are_the_prediction_of_the_half_times():
    lines = experiment.ratio_lines(np.array([1e-3, 1e-2]), [2, 3])
    assert lines[3][0] == pytest.approx(1.347, abs=1e-3)
    assert np.all(lines[2] < lines[3])


def test_noise_is_learned_in_the_end():
    times, arm = experiment.noise_learning(2, n_seeds=1, n_grid=8)
    assert arm.simulated.shape == (1, 24)
    assert arm.theory.shape == times.shape == (24,)
    assert np.all(np.diff(arm.mean) > 0)
    np.testing.assert_allclose(arm.mean, arm.theory, atol=0.2)


def test_strong_modes_align_first():
    found = experiment.alignment([5.0, 3.0], 2, 3.0, n_seeds=1)
    assert found.alignment.shape == found.share.shape == (1, 49, 2)
    assert found.reach(0.8)[0, 0] < found.reach(0.8)[0, 1]
    assert np.all(found.reach(0.8) < found.half)


def test_stops_of_strong_teachers_agree_and_are_late():
    found = experiment.stops([[6.0]], 3, 1e-2, end=5.0, n_seeds=1, n_times=41)
    assert np.all(found.lag > 1)
    assert np.all(np.abs(found.gap) < 0.05)
    assert found.error["aligned"].theory[0] == pytest.approx(found.error["aligned"].mean[0], abs=0.03)
    assert experiment.strong_stops(1e-1, 2.0, n_seeds=1).gap.shape == (1, 1)


def test_gap_and_lag_compare_students_of_one_seed():
    pair = {"aligned": Arm(np.array([[0.2], [0.4]])), "random": Arm(np.array([[0.3], [0.4]]))}
    found = experiment.Stops(pair, pair)
    np.testing.assert_allclose(found.gap, [[0.1], [0.0]])
    np.testing.assert_allclose(found.lag, [[1.5], [1.0]])


def test_kept_stops_are_of_all_grids_and_scales():
    by_name, by_scale = experiment.kept_stops()
    assert {name: run.gap.shape for name, run in by_name.items()} == dict.fromkeys(experiment.GRIDS, (20, 5))
    assert {run.lag.shape for run in by_scale.values()} == {(60, 1)}


def test_what_is_kept_of_a_run():
    kept = experiment.train_kept(n_seeds=1, n_strong=1, n_times=5)
    assert set(kept["strong"]) == {"0.1", "0.01", "0.001"}
    assert np.shape(kept["grids"]["rank 3"]["random"]) == (2, 1, 5)
