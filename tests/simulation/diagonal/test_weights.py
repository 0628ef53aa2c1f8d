"""Weights of diagonal networks, and what is done to them between two tasks."""

import numpy as np
import pytest
from _diagonal_tasks import random_start

from mtlbook_lib.simulation.diagonal import Fits


def test_coefficients_are_products_of_the_layers():
    w = random_start(n_tasks=2)
    place = (1, 2, 1, 4)
    expected = w.u_plus[1, 2, 4] * w.v_plus[place] - w.u_minus[1, 2, 4] * w.v_minus[place]
    assert w.beta[place] == pytest.approx(expected, rel=1e-15)


def test_coefficients_of_one_task_and_the_layers_that_make_them():
    two, one = random_start(n_tasks=2, shape=(3, 1)), random_start(shape=(3, 1))
    for task in (0, 1):
        np.testing.assert_array_equal(two.coefficients(task), two.beta[:, 0, task])
    up, vp, um, vm = one.pathways
    np.testing.assert_array_equal(up * vp - um * vm, one.coefficients())
    assert up.shape == vm.shape == (3, 9)


def test_predictions_are_the_products_of_inputs_and_coefficients():
    w, x = random_start(n_tasks=2, shape=(3, 1)), np.random.default_rng(1).standard_normal((3, 5, 9))
    for task in (0, 1):
        expected = [[row @ beta for row in rows] for rows, beta in zip(x, w.coefficients(task), strict=True)]
        assert w.predictions(x, task) == pytest.approx(np.array(expected))
        assert w.predictions(x[0], task)[0] == pytest.approx(w.predictions(x, task)[0])


def test_one_run_that_did_not_get_there_is_enough_to_refuse():
    start = random_start()
    zero = np.zeros((2, 3, 1))
    for converged in (np.ones((2, 3), dtype=bool), np.arange(6).reshape(2, 3) > 0):
        fits = Fits(start, zero[..., 0] + 0.5, converged, zero[..., 0].astype(int), zero[..., 0])
        if converged.all():
            assert fits.finished() is fits
        else:
            with pytest.raises(RuntimeError, match=r"training stopped at loss 0\.5"):
                fits.finished()


def test_squared_norm_is_that_of_all_weights():
    w = random_start(n_tasks=2)
    for s, k in np.ndindex(2, 3):
        parts = (w.u_plus[s, k], w.u_minus[s, k], w.v_plus[s, k], w.v_minus[s, k])
        assert w.squared_norm[s, k] == pytest.approx(sum(np.linalg.norm(part) ** 2 for part in parts))
