"""Held-out modes: the definition, and that held-out projections are free of the training noise."""

import numpy as np
import pytest

from mtlbook_lib.simulation.held_out import held_out_modes


def task(rng, n, d=6, k=3, scale=1.0):
    """White training inputs, plain new inputs, and targets from one map with noise."""
    inputs = np.sqrt(n) * np.linalg.qr(rng.normal(size=(n, d)))[0]
    teacher = rng.normal(size=(k, d))
    new = rng.normal(size=(400, d))
    return inputs, inputs @ teacher.T + scale * rng.normal(size=(n, k)), new, new @ teacher.T, teacher


def test_without_noise_training_and_held_out_modes_agree():
    inputs, targets, new, new_targets, teacher = task(np.random.default_rng(0), 40, scale=0.0)
    modes = held_out_modes(inputs, targets, new, new_targets)
    expected = np.sqrt(40 / 6) * np.linalg.svd(teacher, compute_uv=False)
    assert modes.values == pytest.approx(expected)
    assert modes.projections == pytest.approx(expected)
    assert modes.residual_scale == pytest.approx(0.0, abs=1e-12)
    assert modes.aspect == 0.5


def test_residual_scale_is_unbiased_and_raw_values_exceed_held_out_ones():
    rng = np.random.default_rng(1)
    found = [held_out_modes(*task(rng, 40, scale=1.5)[:4]) for _ in range(200)]
    variances = np.array([modes.residual_scale**2 for modes in found]) * 33 / 34
    assert variances.mean() == pytest.approx(2.25, abs=4 * variances.std() / np.sqrt(200))
    excess = np.array([(modes.values - modes.projections).sum() for modes in found])
    assert excess.mean() > 4 * excess.std() / np.sqrt(200)


def rows(n, d, n_new):
    rng = np.random.default_rng(3)
    inputs = np.sqrt(n) * np.linalg.qr(rng.normal(size=(n, d)))[0]
    return inputs, rng.normal(size=(n, 2)), rng.normal(size=(n_new, d)), rng.normal(size=(n_new, 2))


def test_the_mean_of_the_held_out_rows_does_not_matter():
    x, y, a, b = rows(9, 4, 7)
    plain, shifted = held_out_modes(x, y, a, b), held_out_modes(x, y, a + np.array([1.0, 2.0, 0.0, -3.0]), b - 5.0)
    assert shifted.projections == pytest.approx(plain.projections)
    modes = np.linalg.svd(np.sqrt(9 / 4) * y.T @ x / 9, full_matrices=False)
    fit = np.linalg.lstsq(np.column_stack([a, np.ones(7)]), b, rcond=None)[0][:4].T
    assert plain.projections == pytest.approx([modes[0][:, k] @ fit @ modes[2][k] * 1.5 for k in range(2)])
