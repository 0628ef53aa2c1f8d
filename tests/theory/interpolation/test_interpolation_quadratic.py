"""Least Euclidean norms, against pseudo-inverses and exact rational arithmetic; and what no interpolator accepts."""

import mpmath
import numpy as np
import pytest
from sparse_tasks import task

from mtlbook_lib.theory import interpolation

X, Y = [[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]], [1.0, 2.0]
SOLVERS = [
    interpolation.min_l2,
    interpolation.min_l1,
    lambda x, y: interpolation.min_weighted_l2(x, y, 2.0),
    lambda x, y: interpolation.min_penalty(x, y, 0.1),
    lambda x, y: interpolation.min_group_norm([x], [y])[0],
    lambda x, y: interpolation.min_group_norm_given(x, y, np.ones(3)),
]


def exact_weighted(x, y, weights, start):
    with mpmath.workdps(80):
        rows, scale, begin = mpmath.matrix(x.tolist()), mpmath.diag(weights.tolist()), mpmath.matrix(start.tolist())
        gap = mpmath.matrix(y.tolist()) - rows * begin
        end = begin + scale * rows.T * mpmath.lu_solve(rows * scale * rows.T, gap)
        return np.array([float(value) for value in end])


@pytest.mark.parametrize("decades", [0, 4, 16])
def test_weighted_l2_is_exact_over_many_decades_of_weights(decades):
    rng = np.random.default_rng(decades)
    x, y, _ = task(15, 40, 3)
    weights, start = 10 ** rng.uniform(-decades, decades / 4, 40), rng.normal(size=40)
    expected = exact_weighted(x, y, weights, start)
    np.testing.assert_allclose(interpolation.min_weighted_l2(x, y, weights, start), expected, rtol=1e-9)


def test_an_unsorted_span_of_weights_is_no_harder():
    """Without sorting, a factorisation loses up to five digits more here."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, y, _ = task(15, 40, 3, seed)
        weights = 10 ** rng.uniform(-16, 4, 40)
        expected = exact_weighted(x, y, weights, np.zeros(40))
        np.testing.assert_allclose(interpolation.min_weighted_l2(x, y, weights), expected, rtol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_repeated_rows_are_allowed_and_contradictions_are_not(solver):
    repeated = [*X, [1.0, 3.0, 1.0]]
    np.testing.assert_allclose(solver(repeated, [1.0, 2.0, 3.0]), solver(X, Y), atol=1e-12)
    with pytest.raises(ValueError, match="must be consistent: no coefficients fit them"):
        solver(repeated, [1.0, 2.0, 3.001])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("x", "y", "error", "match"),
    [
        (np.ones((4, 3)), np.ones(4), ValueError, "must have at most as many rows as columns"),
        (X, [1.0], ValueError, "one label for each row of x"),
        (X, [[1.0], [2.0]], ValueError, "one label for each row of x"),
        (np.zeros((2, 3)), Y, ValueError, "must be consistent"),
    ],
)
def test_data_outside_the_domain_are_named(solver, x, y, error, match):
    with pytest.raises(error, match=match):
        solver(x, y)


def test_a_solution_that_does_not_fit_is_an_error(monkeypatch):
    monkeypatch.setattr("mtlbook_lib.theory.interpolation.quadratic._scaled_step", lambda rows, *_: rows[0] * 1e-3)
    with pytest.raises(RuntimeError, match="x and y, or xs and ys: the relative residual is"):
        interpolation.min_weighted_l2(X, Y, 1.0)


def test_least_l2_is_the_pseudo_inverse():
    x, y, _ = task(5, 12, 4)
    np.testing.assert_allclose(interpolation.min_l2(x, y), np.linalg.pinv(x) @ y, atol=1e-14)
