"""Training of shared layers and heads."""

import numpy as np
import pytest
import torch

from mtlbook_lib._random import normal
from mtlbook_lib.simulation.sharing import train_shared

RNG = np.random.default_rng(3)
X, Y = RNG.standard_normal((2, 3, 8, 4)), RNG.standard_normal((2, 3, 8))


def test_training_ends_when_it_has_come_to_rest():
    """Ten million steps would take a quarter of an hour."""
    fits = train_shared(X, Y, 4, [0, 1], 10**7)
    assert fits.slope.max() < 1e-6
    assert fits.loss == pytest.approx(train_shared(X, Y, 4, [0, 1], 3000).loss, rel=1e-10)


def test_loss_is_that_of_layers_and_heads():
    fits = train_shared(X, Y, 2, [4], 50, weights=[1.0, 2.0, 0.5])
    models = fits.shared @ fits.heads.swapaxes(-1, -2)
    errors = np.einsum("pkmd,spdk->spkm", X, models) - Y
    assert fits.loss == pytest.approx((errors**2).sum(axis=-1) @ [1.0, 2.0, 0.5])


def steps_by_hand(x, y, alphas, shared, heads, n_steps):
    """Accelerated descent of one run, its gradients by automatic differentiation."""

    def loss_and_slopes(b, a):
        b, a = b.clone().requires_grad_(), a.clone().requires_grad_()
        total = sum(w * ((xi @ b @ ai - yi) ** 2).sum() for w, xi, yi, ai in zip(alphas, x, y, a, strict=True))
        return total.item(), torch.autograd.grad(total, (b, a))

    layers = [shared, heads]
    best, slopes = loss_and_slopes(*layers)
    rate = 0.1 * best / sum(float((g**2).sum()) for g in slopes)
    ahead, momentum, dropped = layers, 0, 0
    for _ in range(n_steps):
        new = [p - rate * g for p, g in zip(ahead, slopes, strict=True)]
        loss = loss_and_slopes(*new)[0]
        if loss <= best:
            rate, momentum, best = 1.02 * rate, momentum + 1, loss
        else:
            new, rate, momentum, dropped = layers, 0.6 * rate, 0, dropped + 1
        ahead = [p + momentum / (momentum + 3) * (p - q) for p, q in zip(new, layers, strict=True)]
        layers, slopes = new, loss_and_slopes(*ahead)[1]
    return layers, dropped


def test_training_is_accelerated_descent_from_starts_of_the_size_of_the_labels():
    fits = train_shared(X, Y, 2, [4, 9], 160, weights=[1.0, 2.0, 0.5])
    typical = np.sqrt((Y**2).mean() / ((X**2).mean() * 4 * 2))
    starts = [torch.from_numpy(np.sqrt(typical) * normal(shape, [9], "sharing start", part)[0])
              for part, shape in enumerate([(4, 2), (3, 2)])]  # fmt: skip
    (shared, heads), dropped = steps_by_hand(torch.from_numpy(X[1]), torch.from_numpy(Y[1]), (1, 2, 0.5), *starts, 160)
    assert 0 < dropped < 80
    assert fits.shared[1, 1] == pytest.approx(shared.numpy(), rel=1e-6)
    assert fits.heads[1, 1] == pytest.approx(heads.numpy(), rel=1e-6)
