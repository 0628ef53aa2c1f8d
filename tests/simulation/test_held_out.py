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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda x, y, a, b: (x * 1.1, y, a, b), "must be white"),
        (lambda x, y, a, b: (x, y[1:], a, b), "row by row"),
        (lambda x, y, a, b: (x, y, a[:, 1:], b), "row by row"),
        (lambda x, y, a, b: (x, y, a[:6], b[:6]), "more rows than columns"),
    ],
)
def test_bad_rows_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        held_out_modes(*change(*task(np.random.default_rng(2), 40)[:4]))


def rows(n, d, n_new):
    rng = np.random.default_rng(3)
    inputs = np.sqrt(n) * np.linalg.qr(rng.normal(size=(n, d)))[0]
    return inputs, rng.normal(size=(n, 2)), rng.normal(size=(n_new, d)), rng.normal(size=(n_new, 2))


def test_two_more_rows_than_columns_are_needed_for_training_and_one_for_the_others():
    assert held_out_modes(*rows(6, 4, 5)).values.shape == (2,)
    for n, n_new in ((5, 5), (6, 4)):
        with pytest.raises(ValueError, match="must have more rows than columns"):
            held_out_modes(*rows(n, 4, n_new))


def test_rows_match_one_by_one_and_inputs_are_white_to_a_hundred_millionth():
    x, y, a, b = rows(9, 4, 7)
    for wrong in ((x, y[1:], a, b), (x, y, a[:, 1:], b), (x, y, a, b[1:]), (x, y, a, b[:, 1:])):
        with pytest.raises(ValueError, match="must match the inputs row by row"):
            held_out_modes(*wrong)
    held_out_modes(x * (1 + 1e-9), y, a, b)
    with pytest.raises(ValueError, match="must be white"):
        held_out_modes(x * (1 + 1e-6), y, a, b)


def test_the_mean_of_the_held_out_rows_does_not_matter():
    x, y, a, b = rows(9, 4, 7)
    plain, shifted = held_out_modes(x, y, a, b), held_out_modes(x, y, a + np.array([1.0, 2.0, 0.0, -3.0]), b - 5.0)
    assert shifted.projections == pytest.approx(plain.projections)
    modes = np.linalg.svd(np.sqrt(9 / 4) * y.T @ x / 9, full_matrices=False)
    fit = np.linalg.lstsq(np.column_stack([a, np.ones(7)]), b, rcond=None)[0][:4].T
    assert plain.projections == pytest.approx([modes[0][:, k] @ fit @ modes[2][k] * 1.5 for k in range(2)])
