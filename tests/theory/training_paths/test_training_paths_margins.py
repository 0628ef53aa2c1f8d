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


def test_two_examples_by_hand():
    beta, margin = largest_margin([np.diag([1.0, 2.0])])
    assert beta[0] == pytest.approx([2 / 3, 1 / 3], abs=1e-7)
    assert margin == pytest.approx(2 / 3, rel=1e-8)


def test_nothing_has_a_larger_margin_for_its_group_norm():
    tasks = signed(8, 10, 3, n_tasks=2)
    beta, margin = largest_margin(tasks)
    assert relative_margin(tasks, beta) == pytest.approx(margin, rel=1e-9)
    rng = np.random.default_rng(0)
    for size in np.geomspace(1e-4, 1, 200):
        assert relative_margin(tasks, beta + size * rng.standard_normal(beta.shape)) <= margin * (1 + 1e-8)


def test_the_same_task_twice_is_one_task():
    (z,) = signed(6, 9, 1)
    one, twice = largest_margin([z]), largest_margin([z, z])
    assert twice[0][0] == pytest.approx(twice[0][1], abs=1e-6)
    assert twice[0][0] * np.sqrt(2) == pytest.approx(one[0][0], abs=1e-5)
    assert twice[1] * np.sqrt(2) == pytest.approx(one[1], rel=1e-7)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_margin_scales_with_the_inputs(scale):
    tasks = signed(6, 9, 2, n_tasks=2)
    assert largest_margin([scale * z for z in tasks])[1] == pytest.approx(scale * largest_margin(tasks)[1], rel=1e-7)


def test_what_cannot_be_separated_is_refused():
    with pytest.raises(ValueError, match="signed must be separable"):
        largest_margin([np.array([[1.0, 0.0], [-1.0, 0.0]])])


@pytest.mark.parametrize("wrong", [[], [np.ones((0, 2))], [np.ones((2, 2)), np.ones((2, 3))]])
def test_shapes_are_checked(wrong):
    with pytest.raises(ValueError, match="signed must have at least one task"):
        largest_margin(wrong)


def test_a_margin_can_be_negative_and_needs_coefficients():
    assert relative_margin([np.eye(2)], [[1.0, -1.0]]) == pytest.approx(-0.5)
    with pytest.raises(ValueError, match=r"beta must have shape \(1, 2\)"):
        relative_margin([np.eye(2)], np.zeros((1, 2)))
