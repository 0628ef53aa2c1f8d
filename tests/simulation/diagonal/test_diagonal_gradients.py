"""The equations of the weights against automatic differentiation, and what their flow conserves."""

import numpy as np
import pytest
import torch
from _diagonal_tasks import X, Y, conserved, distance, random_start

from mtlbook_lib.simulation.diagonal import descend, gradient_flow, sampled_flow


def loss_by_definition(parts, xs, ys):
    u_plus, u_minus, v_plus, v_minus = parts
    total = 0.0
    for o, (x, y) in enumerate(zip(xs, ys, strict=True)):
        beta = u_plus * v_plus[:, :, o] - u_minus * v_minus[:, :, o]
        total = total + ((torch.einsum("stnd,std->stn", x, beta) - y) ** 2).mean(dim=-1)
    return total


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_one_small_step_of_descent_is_minus_the_gradient(n_tasks):
    start = random_start(n_tasks)
    xs, ys = [X, X[..., :3, :]][:n_tasks], [Y, Y[..., :3]][:n_tasks]
    moved = descend(start, xs, ys, reach=1e-6, max_steps=1)
    parts = [torch.tensor(p, requires_grad=True) for p in (start.u_plus, start.u_minus, start.v_plus, start.v_minus)]
    loss = loss_by_definition(parts, [torch.tensor(x) for x in xs], [torch.tensor(y) for y in ys])
    loss.sum().backward()
    ends = (moved.weights.u_plus, moved.weights.u_minus, moved.weights.v_plus, moved.weights.v_minus)
    for part, end in zip(parts, ends, strict=True):
        rate = moved.time.reshape(2, 3, *(1,) * (end.ndim - 2))
        assert (end - part.detach().numpy()) / rate == pytest.approx(-part.grad.numpy(), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_the_flow_conserves_three_numbers_of_each_input(n_tasks):
    start = random_start(n_tasks)
    states, loss = sampled_flow(start, [X] * n_tasks, [Y, -2 * Y][:n_tasks], [0.0, 0.5, 5.0], rtol=1e-10)

    assert np.all(np.diff(loss, axis=-1) < 0)
    assert conserved(states[0]) == pytest.approx(conserved(start), abs=1e-14)
    assert conserved(states[2]) == pytest.approx(conserved(start), abs=1e-8)
    assert np.abs(states[2].beta - start.beta).max() > 0.1


def test_a_frozen_first_layer_leaves_its_readouts_to_a_linear_equation():
    """X S Xᵀ is what the residuals decay with, S being the sum of squares of both pathways."""
    start = random_start()
    states, loss = sampled_flow(start, [X], [Y], [0.0, 0.7, 3.0], rtol=1e-10, layers="readout")
    energy = start.u_plus**2 + start.u_minus**2
    kernel = np.einsum("stnd,std,stmd->stnm", X, energy, X)
    residual = Y - np.einsum("stnd,std->stn", X, start.beta[:, :, 0])
    for time, state, found in zip((0.7, 3.0), states[1:], loss.transpose(2, 0, 1)[1:], strict=True):
        decay = torch.matrix_exp(torch.tensor(-2 * time / Y.shape[-1] * kernel)).numpy()
        left = (decay @ residual[..., None])[..., 0]
        np.testing.assert_allclose(found, (left**2).mean(axis=-1), rtol=1e-7)
        np.testing.assert_allclose(state.u_plus, start.u_plus, rtol=1e-13)
        np.testing.assert_allclose(state.u_minus, start.u_minus, rtol=1e-13)
        path = (state.v_plus - start.v_plus)[:, :, 0] / start.u_plus
        back = (start.v_minus - state.v_minus)[:, :, 0] / start.u_minus
        np.testing.assert_allclose(back, path, rtol=1e-6, atol=1e-9)


XS, YS = [X, X[..., :3, :]], [Y, -2 * Y[..., :3]]


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_three_methods_agree(n_tasks):
    start, xs, ys = random_start(n_tasks), XS[:n_tasks], YS[:n_tasks]
    stiff = gradient_flow(start, xs, ys, tolerance=1e-12, accuracy=1e-6)
    slow = descend(start, xs, ys, tolerance=1e-12, reach=5e-4 * n_tasks)
    states, loss = sampled_flow(start, xs, ys, [400.0], rtol=1e-9)
    assert stiff.converged.all()
    assert slow.converged.all()
    assert loss.max() < 1e-11
    assert distance(stiff.beta, states[-1].beta) < 3e-6
    assert distance(slow.beta, states[-1].beta) < 1e-3 * n_tasks


@pytest.mark.parametrize("n_tasks", [1, 2])
def test_time_of_the_stiff_method_is_that_of_the_flow(n_tasks):
    start, xs, ys = random_start(n_tasks), XS[:n_tasks], YS[:n_tasks]
    fits = gradient_flow(start, xs, ys, tolerance=0.05, accuracy=1e-5)
    _, loss = sampled_flow(start, xs, ys, np.sort(fits.time.ravel()), rtol=1e-9)
    place = np.argsort(np.argsort(fits.time.ravel())).reshape(2, 3, 1)
    assert np.take_along_axis(loss, place, axis=-1)[..., 0] == pytest.approx(fits.loss, rel=2e-3)
