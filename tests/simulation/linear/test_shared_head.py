"""Networks with a shared head: their equations against automatic differentiation, and what they conserve."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.linear.shared_head import head_flow, head_networks

RNG = np.random.default_rng(3)
W, V = RNG.standard_normal((2, 3, 4, 7)) / 2, RNG.standard_normal((2, 3, 4))
X = RNG.standard_normal((2, 1, 9, 7))
Y = RNG.standard_normal((2, 1, 9))


def loss_by_definition(first, head):
    outputs = torch.einsum("stk,stkd,stnd->stn", head, first, torch.tensor(X).expand(2, 3, 9, 7))
    return ((outputs - torch.tensor(Y)) ** 2).mean(dim=-1)


@pytest.mark.parametrize("layers", ["both", "readout"])
def test_the_flow_begins_along_minus_the_gradient(layers):
    start = head_networks(W, V)
    first, head = torch.tensor(W, requires_grad=True), torch.tensor(V, requires_grad=True)
    loss_by_definition(first, head).sum().backward()
    end, loss = head_flow(start, X, Y, 1e-7, layers=layers)
    moved = (end.features - W) / 1e-7, (end.head - V) / 1e-7
    assert moved[1] == pytest.approx(-head.grad.numpy(), abs=1e-4)
    wanted = -first.grad.numpy() if layers == "both" else np.zeros_like(W)
    assert moved[0] == pytest.approx(wanted, abs=1e-4)
    assert loss == pytest.approx(loss_by_definition(torch.tensor(W), torch.tensor(V)).numpy(), rel=1e-5)


def test_the_flow_conserves_the_balance_of_the_layers():
    end, loss = head_flow(head_networks(W, V), X, Y, 5.0, rtol=1e-9)

    def balance(features, head):
        return features @ features.swapaxes(2, 3) - head[..., None] * head[..., None, :]

    np.testing.assert_allclose(balance(end.features, end.head), balance(W, V), atol=1e-6)
    assert np.abs(end.features - W).max() > 0.1
    assert np.all(loss < loss_by_definition(torch.tensor(W), torch.tensor(V)).numpy())
