"""Summaries over seeds and time: their numbers, and their refusal to hide failed runs."""

import dataclasses

import numpy as np
import pytest

from mtlbook_lib.simulation.engine import Trajectory, best, best_of_mean, mean_over_seeds

TIMES = np.array([0.0, 1.0, 2.0, 4.0])
CURVES = np.array(
    [
        [[1.0, 0.4, 0.2, 0.6], [1.0, 0.9, 0.8, 0.7]],
        [[1.0, 0.1, 0.3, 0.9], [1.0, 1.2, 1.4, 1.6]],
        [[1.0, 0.7, 0.2, 0.3], [1.0, 0.5, 0.6, 0.9]],
    ]
)


def trajectory(curves=CURVES, failed=()):
    converged = np.ones(curves.shape[:2], dtype=bool)
    values = {"test_error": curves.copy(), "modes": np.stack([curves, 2 * curves], axis=-1)}
    for run in failed:
        converged[run] = False
        for value in values.values():
            value[run][2:] = np.nan
    return Trajectory(
        times=TIMES,
        values=values,
        layers=(),
        converged=converged,
        diverged=~converged,
        steps=np.ones(curves.shape[:2], dtype=np.int64),
        step=np.ones(curves.shape[:2]),
        method="none",
        device="cpu",
        dtype="float64",
    )


def test_mean_and_standard_error_over_seeds():
    summary = mean_over_seeds(trajectory(), "test_error")
    np.testing.assert_allclose(summary.mean, CURVES.mean(axis=0), rtol=1e-15)
    np.testing.assert_allclose(summary.standard_error, CURVES.std(axis=0, ddof=1) / np.sqrt(3), rtol=1e-12, atol=1e-16)
    np.testing.assert_array_equal(summary.count, [3, 3])


def test_observables_with_further_axes_are_averaged_entry_by_entry():
    summary = mean_over_seeds(trajectory(failed=[(1, 0)]), "modes", only_finished=True)
    assert summary.mean.shape == (2, 4, 2)
    np.testing.assert_allclose(summary.mean[0, :, 1], 2 * CURVES[[0, 2], 0].mean(axis=0), rtol=1e-15)
    np.testing.assert_allclose(summary.mean[1, :, 0], CURVES[:, 1].mean(axis=0), rtol=1e-15)


def test_failed_runs_are_named_not_averaged():
    result = trajectory(failed=[(1, 0), (2, 1)])
    for summary in (mean_over_seeds, best, best_of_mean):
        with pytest.raises(ValueError, match=r"2 of 6 runs did not finish.*\(1, 0\), \(2, 1\)"):
            summary(result, "test_error")


def test_failed_runs_are_left_out_on_request():
    summary = mean_over_seeds(trajectory(failed=[(1, 0)]), "test_error", only_finished=True)
    kept = CURVES[[0, 2], 0]
    np.testing.assert_array_equal(summary.count, [2, 3])
    np.testing.assert_allclose(summary.mean[0], kept.mean(axis=0), rtol=1e-15)
    np.testing.assert_allclose(summary.standard_error[0], kept.std(axis=0, ddof=1) / np.sqrt(2), rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(summary.mean[1], CURVES[:, 1].mean(axis=0), rtol=1e-15)


def test_a_run_flagged_unfinished_is_left_out_even_where_its_numbers_are_finite():
    converged = np.array([[True, True], [False, True], [True, True]])
    result = dataclasses.replace(trajectory(), converged=converged)
    with pytest.raises(ValueError, match=r"\(1, 0\)"):
        mean_over_seeds(result, "test_error")
    assert mean_over_seeds(result, "test_error", only_finished=True).count.tolist() == [2, 3]


def test_an_observable_that_is_not_finite_does_not_pass_as_finished():
    result = trajectory()
    result.values["test_error"][0, 1, 3] = np.inf
    with pytest.raises(ValueError, match=r"\(0, 1\)"):
        mean_over_seeds(result, "test_error")


def test_a_setting_without_finished_runs_cannot_be_averaged():
    with pytest.raises(ValueError, match=r"setting \[0\]"):
        mean_over_seeds(trajectory(failed=[(0, 0), (1, 0), (2, 0)]), "test_error", only_finished=True)


def test_a_single_seed_has_no_standard_error():
    summary = mean_over_seeds(trajectory(CURVES[:1]), "test_error")
    np.testing.assert_array_equal(summary.mean, CURVES[0])
    assert np.isnan(summary.standard_error).all()


def test_best_is_the_smallest_sample_of_every_run():
    minimum = best(trajectory())
    np.testing.assert_array_equal(minimum.value, [[0.2, 0.7], [0.1, 1.0], [0.2, 0.5]])
    np.testing.assert_array_equal(minimum.time, [[2.0, 4.0], [1.0, 0.0], [2.0, 1.0]])
    np.testing.assert_array_equal(minimum.interior, [[True, False], [True, False], [True, True]])


def test_best_gives_no_number_for_a_failed_run():
    minimum = best(trajectory(failed=[(1, 0)]), only_finished=True)
    assert np.isnan(minimum.value[1, 0])
    assert np.isnan(minimum.time[1, 0])
    assert not minimum.interior[1, 0]
    assert minimum.value[0, 0] == 0.2


def test_best_of_the_mean_curve_stops_all_seeds_at_one_time():
    minimum = best_of_mean(trajectory())
    np.testing.assert_allclose(minimum.value, [0.7 / 3, 2.6 / 3], rtol=1e-14)
    np.testing.assert_array_equal(minimum.time, [2.0, 1.0])
    assert np.all(minimum.value >= best(trajectory()).value.mean(axis=0))


def test_shapes_are_checked():
    for summary in (best, best_of_mean):
        with pytest.raises(ValueError, match="one number per run"):
            summary(trajectory(), "modes")
