"""Weights of diagonal networks, and what is done to them between two tasks."""

import numpy as np
import pytest
from _diagonal_tasks import random_start

from mtlbook_lib.simulation.diagonal import Fits, equal_pathways


def test_equal_pathways_compute_nothing():
    start = equal_pathways([0.1, 0.2, 0.3], 0.5, (2, 4, 3), n_tasks=2)
    assert start.beta.shape == (2, 4, 2, 3)
    assert np.all(start.beta == 0)
    assert start.squared_norm == pytest.approx(np.full((2, 4), 2 * (0.14 + 2 * 3 * 0.25)))


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


def test_between_two_tasks():
    old = random_start()
    new = old.rescaled(0.1).with_readout(1e-3)
    assert new.v_plus.shape == (2, 3, 1, 9)
    assert new.beta[:, :, 0] == pytest.approx(1e-4 * (old.u_plus - old.u_minus))
    same = old.symmetrised(np.sqrt(np.abs(old.beta[:, :, 0]))).with_readout(0.1)
    assert np.all(same.beta == 0)
    assert same.v_plus.shape == old.v_plus.shape == (2, 3, 1, 9)
    assert equal_pathways(1.0, 1.0, (2, 4, 3)).v_minus.shape == (2, 4, 1, 3)
    assert same.u_minus**2 == pytest.approx(np.abs(old.beta[:, :, 0]))


def test_the_old_weights_stay():
    old = random_start()
    before = old.u_plus.copy()
    old.rescaled(3.0).u_plus[:] = 7.0
    old.with_readout(1.0).v_plus[:] = 7.0
    assert np.all(old.u_plus == before)
    assert np.all(old.v_plus != 7.0)


def test_squared_norm_is_that_of_all_weights():
    w = random_start(n_tasks=2)
    for s, k in np.ndindex(2, 3):
        parts = (w.u_plus[s, k], w.u_minus[s, k], w.v_plus[s, k], w.v_minus[s, k])
        assert w.squared_norm[s, k] == pytest.approx(sum(np.linalg.norm(part) ** 2 for part in parts))


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
