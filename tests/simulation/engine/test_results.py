"""The lowest sample of a run: its numbers, and its refusal to hide failed runs."""

import dataclasses

import numpy as np
import pytest

from mtlbook_lib.simulation.engine import Trajectory, best

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


def test_best_is_the_smallest_sample_of_every_run():
    minimum = best(trajectory())
    np.testing.assert_array_equal(minimum.value, [[0.2, 0.7], [0.1, 1.0], [0.2, 0.5]])
    np.testing.assert_array_equal(minimum.time, [[2.0, 4.0], [1.0, 0.0], [2.0, 1.0]])
    np.testing.assert_array_equal(minimum.interior, [[True, False], [True, False], [True, True]])


def test_failed_runs_are_named():
    with pytest.raises(ValueError, match=r"2 of 6 runs did not finish.*\(1, 0\), \(2, 1\)"):
        best(trajectory(failed=[(1, 0), (2, 1)]))


def test_a_run_flagged_unfinished_is_named_even_where_its_numbers_are_finite():
    converged = np.array([[True, True], [False, True], [True, True]])
    with pytest.raises(ValueError, match=r"1 of 6 runs did not finish.*\(1, 0\)"):
        best(dataclasses.replace(trajectory(), converged=converged))


def test_an_observable_that_is_not_finite_does_not_pass_as_finished():
    result = trajectory()
    result.values["test_error"][0, 1, 3] = np.inf
    with pytest.raises(ValueError, match=r"\(0, 1\)"):
        best(result)
