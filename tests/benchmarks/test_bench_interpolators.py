"""The solver against training: what is compared is the same problem, and descent is what autograd would do."""

import numpy as np
import pytest
import torch

from benchmarks import bench_interpolators
from benchmarks.diagonal import Descent, by_descent, largest_curvature
from mtlbook_lib.simulation.diagonal import start_from


@pytest.fixture
def networks():
    """Two networks of three inputs and two tasks, one of them with fewer examples than inputs."""
    rng = np.random.default_rng(0)
    first, second = rng.standard_normal((2, 1, 2, 3)), rng.standard_normal((2, 1, 2, 2, 3))
    tasks = [(rng.standard_normal((n, 3)), rng.standard_normal((2, n))) for n in (5, 2)]
    return start_from(*first, *second), tasks


def loss_of(parts, tasks):
    """Sum over networks of the losses, from tensors (network, D) and (network, task, D)."""
    up, down, forth, back = parts
    beta = up[:, None] * forth - down[:, None] * back
    each = ((beta[:, o] @ torch.tensor(x).T - torch.tensor(y)) ** 2 for o, (x, y) in enumerate(tasks))
    return sum(square.mean(dim=1).sum() for square in each)


def test_a_step_of_descent_is_that_of_autograd(networks):
    weights, tasks = networks
    parts = [torch.tensor(part[0], requires_grad=True)
             for part in (weights.u_plus, weights.u_minus, weights.v_plus, weights.v_minus)]  # fmt: skip
    rate = np.array([0.01, 0.03])
    slopes = torch.autograd.grad(loss_of(parts, tasks), parts)
    scaled = [slope * torch.tensor(rate).view(-1, *(1,) * (slope.ndim - 1)) for slope in slopes]
    wanted = [(part - step).detach().numpy() for part, step in zip(parts, scaled, strict=True)]
    descent = Descent(weights, tasks, rate)
    descent.step()
    found = [*descent.first, descent.second[0], -descent.second[1]]
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


def test_the_curvature_is_that_of_the_loss_where_it_vanishes(networks):
    weights, tasks = networks
    x, _ = tasks[1]
    one = start_from(weights.u_plus, weights.u_minus, weights.v_plus[:, :, :1], weights.v_minus[:, :, :1])
    flat = [np.ravel(part[0, 1]) for part in (one.u_plus, one.u_minus, one.v_plus, one.v_minus)]
    up, down, forth, back = flat
    fitted = torch.tensor((up * forth - down * back) @ x.T)

    def loss(parts):
        up, down, forth, back = parts.reshape(4, 3)
        return (((up * forth - down * back) @ torch.tensor(x).T - fitted) ** 2).mean()

    curvature = torch.autograd.functional.hessian(loss, torch.tensor(np.concatenate(flat)))
    assert largest_curvature([x], one)[1] == pytest.approx(float(torch.linalg.eigvalsh(curvature)[-1]), rel=1e-12)


def test_descent_says_when_a_rate_is_too_large(networks):
    weights, tasks = networks
    one = start_from(weights.u_plus, weights.u_minus, weights.v_plus[:, :, :1], weights.v_minus[:, :, :1])
    with pytest.raises(FloatingPointError):
        by_descent(one, tasks[1], np.array([9.0, 9.0]), 1e-10)


def test_the_solver_and_all_training_are_close_where_they_solve_one_problem():
    found = bench_interpolators.rows(small=True)
    fast, slow, flow = found[:3]
    assert max(row.our_error for row in found[:3]) < 1e-5
    assert slow.their_error < 0.012 < fast.their_error < 0.2  # 1 %, but for the second order of the rate
    assert flow.their_error < 3e-4
    assert slow.theirs > fast.theirs
    total, norm = found[-1], found[3]
    assert total.theirs > norm.theirs
    assert min(total.our_error, norm.our_error) > 0.05  # networks are not where these routes end
