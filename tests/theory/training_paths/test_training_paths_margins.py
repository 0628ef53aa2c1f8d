"""The largest margins, against linear programs, random directions and a problem solved by hand."""

import numpy as np
import pytest
from scipy.optimize import linprog

from mtlbook_lib.theory.training_paths import largest_margin, relative_margin


def signed(n, dim, seed, n_tasks=1):
    rng = np.random.default_rng(seed)
    rows = [rng.standard_normal((n, dim)) for _ in range(n_tasks)]
    return [z * np.sign(z @ np.eye(dim)[0])[:, None] for z in rows]


@pytest.mark.parametrize(("n", "dim"), [(5, 12), (12, 12), (30, 6)])
def test_one_task_is_the_linear_program(n, dim):
    (z,) = signed(n, dim, n)
    beta, margin = largest_margin([z])
    found = linprog(np.ones(2 * dim), A_ub=-np.hstack([z, -z]), b_ub=-np.ones(n))
    assert margin == pytest.approx(1 / found.fun, rel=1e-7)
    assert beta[0] == pytest.approx((found.x[:dim] - found.x[dim:]) / found.fun, abs=1e-5)
    assert np.abs(beta).sum() == pytest.approx(1)


def test_one_example_of_each_of_two_tasks_by_hand():
    """One input: z1 b1 = z2 b2 with b1² + b2² = 1. A second input that is half as long for both is left out."""
    beta, margin = largest_margin([[[3.0]], [[-4.0]]])
    assert margin == pytest.approx(12 / 5, rel=1e-8)
    assert beta == pytest.approx(np.array([[0.8], [-0.6]]), abs=1e-7)
    beta, margin = largest_margin([[[1.5, 3.0]], [[2.0, -4.0]]])
    assert margin == pytest.approx(12 / 5, rel=1e-8)
    assert beta == pytest.approx(np.array([[0, 0.8], [0, -0.6]]), abs=1e-6)
    assert largest_margin([[[0.5]]])[1] == pytest.approx(0.5, rel=1e-8)


def test_three_tasks_of_unequal_numbers_of_examples():
    """The margin is the optimum: equal for all support examples, and proved by multipliers found by least squares."""
    tasks = [signed(n, 7, n)[0] for n in (2, 5, 4)]
    beta, margin = largest_margin(tasks)
    norms = np.linalg.norm(beta, axis=0)
    assert norms.sum() == pytest.approx(1, rel=1e-12)
    used = norms > 1e-5
    pulls, active = [], []
    for z, b in zip(tasks, beta, strict=True):
        tight = z @ b < margin * (1 + 1e-5)
        active.append(z[tight][:, used])
        pulls.append(b[used] / norms[used])
    duals = [np.linalg.lstsq(a.T, pull, rcond=None)[0] for a, pull in zip(active, pulls, strict=True)]
    assert min(dual.min() for dual in duals) > -1e-4
    for a, dual, pull in zip(active, duals, pulls, strict=True):
        np.testing.assert_allclose(dual @ a, pull, rtol=0, atol=1e-4)
    assert sum(dual.sum() for dual in duals) == pytest.approx(1 / margin, rel=1e-4)


def test_margins_of_given_classifiers_by_hand():
    """Margins 3·.5 − 1·.2 and 2·.4 of the first task and 4·.6 of the second; the norm is sqrt(.61) + sqrt(.2)."""
    tasks = [[[3.0, -1.0], [0.0, 4.0]], [[4.0, 0.0]]]
    found = relative_margin(tasks, [[0.5, 0.2], [0.6, 0.4]])
    assert found == pytest.approx(0.8 / (np.sqrt(0.61) + np.sqrt(0.2)), rel=1e-14)
    assert relative_margin([[[5.0, 1.0]]], [[2.0, 0.0]]) == pytest.approx(5)
    for beta in ([[1.0, 2.0, 3.0]], [[1.0, 2.0], [1.0, 1.0]]):
        with pytest.raises(ValueError, match=r"beta must have shape \(1, 2\)"):
            relative_margin([np.eye(2)], beta)
    with pytest.raises(ValueError, match="beta must have 2 axes"):
        relative_margin([np.eye(2)], [1.0, 0.0])
