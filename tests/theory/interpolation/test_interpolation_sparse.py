"""Least l1 and group norms, against linear programs, a generic optimiser, and their optimality conditions."""

import numpy as np
import pytest
from scipy.optimize import linprog
from sparse_tasks import task

from mtlbook_lib.theory import interpolation
from mtlbook_lib.theory.interpolation.certificate import duality_gap


def relative_gap(xs, betas, known):
    """Distance of the objective from the bound of the multipliers that best explain the slopes on the support."""
    norms = np.sqrt((betas**2).sum(axis=0) + known**2)
    used = norms > 1e-9
    multipliers = [np.linalg.lstsq(x[:, used].T, beta[used] / norms[used], rcond=None)[0]
                   for x, beta in zip(xs, betas, strict=True)]  # fmt: skip
    slopes = np.array([m @ x for m, x in zip(multipliers, xs, strict=True)])
    return np.linalg.norm(slopes[:, used] - betas[:, used] / norms[used]), np.linalg.norm(slopes, axis=0).max()


@pytest.mark.parametrize(("n", "dim", "nonzero"), [(4, 9, 3), (15, 40, 12), (30, 60, 5), (12, 12, 4)])
def test_least_l1_is_the_linear_program(n, dim, nonzero):
    x, y, _ = task(n, dim, nonzero)
    beta = interpolation.min_l1(x, y)
    program = linprog(np.ones(2 * dim), A_eq=np.hstack((x, -x)), b_eq=y, bounds=(0, None), method="highs")
    np.testing.assert_allclose(beta, program.x[:dim] - program.x[dim:], atol=1e-9)
    assert np.abs(beta).sum() == pytest.approx(program.fun, rel=1e-10)


def test_inputs_of_ones_have_a_minimum_to_the_last_digit():
    """Many of these problems have several minima, or a support that is none: Newton's last steps then mislead."""
    for seed in (0, 6, 9, 16, 22, 28, 32, 202, 315):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 6))
        dim = int(rng.integers(n, 12))
        x, y = rng.choice([-1.0, 1.0], (n, dim)), rng.choice([-1.0, 1.0], n)
        beta = interpolation.min_l1(x, y)
        program = linprog(np.ones(2 * dim), A_eq=np.hstack((x, -x)), b_eq=y, bounds=(0, None), method="highs")
        assert np.abs(beta).sum() == pytest.approx(program.fun, rel=1e-10)
        other = rng.choice([-1.0, 1.0], (n, dim)), rng.choice([-1.0, 1.0], n)
        betas = interpolation.min_group_norm([x, other[0]], [y, other[1]])
        for rows, targets, found in ((x, y, beta), (x, y, betas[0]), (*other, betas[1])):
            assert np.linalg.norm(rows @ found - targets) < 1e-11


def test_multipliers_prove_the_minimum_in_many_coordinates():
    """Slopes of norm 1 on the support and at most 1 elsewhere, from combinations of each task's rows."""
    tasks = [task(n, 80, 30, seed) for seed, n in enumerate((40, 35))]
    xs = [x for x, _, _ in tasks]
    betas = interpolation.min_group_norm(xs, [y for _, y, _ in tasks])
    misfit, steepest = relative_gap(xs, betas, np.zeros(80))
    assert misfit < 1e-11
    assert steepest < 1 + 1e-11
    known = np.abs(tasks[1][2])
    given = interpolation.min_group_norm_given(xs[0], tasks[0][1], known)
    misfit, steepest = relative_gap(xs[:1], given[None], known)
    assert misfit < 1e-11
    assert steepest < 1 + 1e-11


def test_symmetries_and_scales():
    tasks = [task(n, 20, 8, seed) for seed, n in enumerate((7, 9))]
    (x, y, _), (x2, y2, _) = tasks
    betas = interpolation.min_group_norm([x, x2], [y, y2])
    np.testing.assert_allclose(interpolation.min_group_norm([x2, x], [y2, y]), betas[::-1], atol=1e-10)
    np.testing.assert_allclose(interpolation.min_group_norm([x, x2], [-y, y2]), betas * [[-1], [1]], atol=1e-10)
    least = interpolation.min_l1(x, y)
    for scale in (1e-9, 1e9):
        scaled = interpolation.min_group_norm([x, x2], [scale * y, scale * y2])
        np.testing.assert_allclose(scaled, scale * betas, atol=1e-10 * scale)
        np.testing.assert_allclose(interpolation.min_l1(x, scale * y), scale * least, atol=1e-12 * scale)
        given = interpolation.min_group_norm_given(x, scale * y, scale * betas[1])
        np.testing.assert_allclose(given, scale * betas[0], atol=1e-10 * scale)


@pytest.mark.filterwarnings("error")
def test_many_shapes_and_scales_are_certified():
    """Solvers raise unless the duality gap is met: here none does."""
    rng = np.random.default_rng(0)
    for seed in range(40):
        dim = int(rng.integers(2, 30))
        x, y, beta = task(int(rng.integers(1, dim + 1)), dim, dim // 2, seed)
        columns = 10 ** rng.uniform(-2, 2, dim)
        x2, y2, _ = task(int(rng.integers(1, dim + 1)), dim, dim // 2, seed + 1)
        interpolation.min_l1(x * columns, y)
        interpolation.min_group_norm_given(x * columns, y, 10 ** rng.uniform(-3, 3) * beta)
        interpolation.min_group_norm([x * columns, x2], [y, 10 ** rng.uniform(-3, 3) * y2])


@pytest.mark.parametrize(
    "solve",
    [interpolation.min_l1, lambda x, y: interpolation.min_group_norm_given(x, y, np.linspace(0, 1, x.shape[1]))],
)
def test_a_gap_that_is_not_met_is_an_error(monkeypatch, solve):
    x, y, _ = task(15, 40, 12)
    monkeypatch.setattr("mtlbook_lib.theory.interpolation.certificate._PATIENCE", 0)
    with pytest.raises(RuntimeError, match="x and y, or xs and ys: the relative duality gap after 0 steps is"):
        solve(x, y)


def test_multipliers_that_are_too_large_are_scaled_down():
    """The bound of the multipliers holds for slopes of norm at most 1: larger ones say what the scaled ones say."""
    betas, slopes, known = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[0.2, 1.5], [0.1, 2.0]]), np.array([0.3, 0.0])
    total, gap = duality_gap(betas, slopes, 3.0, known)
    assert total == pytest.approx(np.sqrt(1.25 + 0.09) - 0.3 + np.sqrt(5.0))
    # The second slope has norm 2.5; the first then has the square 0.05 / 6.25 = 0.008.
    assert gap == pytest.approx((total - (3.0 / 2.5 - 0.3 * (1 - np.sqrt(1 - 0.008)))) / total)
