"""Algorithm 1 by its definition: its steps are autograd's, and small ones follow the flow of the task's own loss."""

import numpy as np
import pytest
import torch
from scipy.integrate import solve_ivp

from mtlbook_lib.simulation.alignment import align

RNG = np.random.default_rng(5)
X, Y, B, A = (RNG.standard_normal(shape) for shape in ((3, 7, 4), (3, 7), (3, 4), (3,)))


def by_autograd(x, y, b, a, rate, n_steps):
    x, y, b = map(torch.from_numpy, (x, y, b))
    matrix = torch.eye(4, dtype=torch.float64, requires_grad=True)
    for _ in range(n_steps):
        (slope,) = torch.autograd.grad(((a * x @ matrix @ b - y) ** 2).sum() / 2, matrix)
        matrix = (matrix - rate * slope).detach().requires_grad_()
    return (a * matrix @ b).detach().numpy()


def test_steps_are_those_of_descent_on_the_matrix():
    found = align(X, Y, B, A, 0.01, 5)
    for i in range(3):
        assert found[i] == pytest.approx(by_autograd(X[i], Y[i], B[i], A[i], 0.01, 5), rel=1e-12)
        assert found[i] == pytest.approx(align(X[i], Y[i], B[i], A[i], 0.01, 5), rel=1e-12)


def test_small_steps_follow_the_flow_of_the_model():
    speed = A[0] ** 2 * B[0] @ B[0]
    path = solve_ivp(lambda _, w: -speed * X[0].T @ (X[0] @ w - Y[0]), (0, 0.1), A[0] * B[0], rtol=1e-10, atol=1e-12)
    assert align(X[0], Y[0], B[0], A[0], 1e-4, 1000) == pytest.approx(path.y[:, -1], abs=1e-3)


def test_what_the_examples_do_not_reach_stays():
    few = np.concatenate([X[..., :2, :3], np.zeros((3, 2, 1))], axis=-1)
    found = align(few, Y[:, :2], B, A, 0.01, 300)
    assert found[:, 3] == pytest.approx(A * B[:, 3])
