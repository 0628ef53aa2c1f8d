"""One shared direction trained on mixed batches, against torch's own Adam and against the tasks' models."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation.mixed_batches import train_on_mixed_batches

RNG = np.random.default_rng(1)
X = [RNG.standard_normal((2, m, 3)) for m in (6, 9)]
THETA = RNG.standard_normal((2, 3))
Y = [(x @ THETA[..., None])[..., 0] for x in X]


def test_whole_batches_are_adam_of_torch():
    found = train_on_mixed_batches(X[:1], Y[:1], [0, 1], 30, rate=0.01, batch_size=6)
    start = train_on_mixed_batches(X[:1], Y[:1], [0, 1], 1, rate=1e-40, batch_size=6).shared
    b = torch.tensor(start, requires_grad=True)
    a = torch.ones((2, 1), dtype=torch.float64, requires_grad=True)
    adam = torch.optim.Adam([b, a], lr=0.01)
    for _ in range(30):
        adam.zero_grad()
        features = torch.einsum("smd,sd->sm", torch.tensor(X[0]), b)
        ((a * features - torch.tensor(Y[0])) ** 2).mean(dim=1).sum().backward()
        adam.step()
    assert found.shared == pytest.approx(b.detach().numpy(), rel=1e-6)
    assert found.heads == pytest.approx(a.detach().numpy(), rel=1e-6)


def test_tasks_of_one_model_are_learnt():
    found = train_on_mixed_batches(X, [Y[0], 2 * Y[1]], [0, 1], 1500, rate=0.02, batch_size=4)
    assert found.models[:, 0] == pytest.approx(THETA, abs=0.05)
    assert found.models[:, 1] == pytest.approx(2 * THETA, abs=0.1)


def test_a_batch_is_a_loop():
    both = train_on_mixed_batches(X, Y, [4, 7], 5, batch_size=4)
    one = train_on_mixed_batches([x[:1] for x in X], [y[:1] for y in Y], [4], 5, batch_size=4)
    assert both.models[:1] == pytest.approx(one.models)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"labels": Y[:1]}, "labels must have one entry"),
        ({"inputs": [X[0][:1], X[1]]}, r"inputs\[0\]"),
        ({"inputs": [X[0], X[1][..., :2]]}, r"inputs\[1\]"),
        ({"rate": 0.0}, "rate"),
        ({"batch_size": 0}, "batch_size"),
        ({"n_epochs": 0}, "n_epochs"),
    ],
)
def test_bad_input_is_named(change, words):
    call = {"inputs": X, "labels": Y, "seeds": [0, 1], "n_epochs": 1, **change}
    with pytest.raises(ValueError, match=words):
        train_on_mixed_batches(**call)
