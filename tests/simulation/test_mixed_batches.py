"""One shared direction trained on mixed batches, against torch's own Adam and against the tasks' models."""

import numpy as np
import pytest
import torch

from mtlbook_lib.simulation import mixed_batches
from mtlbook_lib.simulation.mixed_batches import SharedDirections, align_on_batches, train_on_mixed_batches

RNG = np.random.default_rng(1)
X = [RNG.standard_normal((2, m, 3)) for m in (6, 9)]
THETA = RNG.standard_normal((2, 3))
Y = [(x @ THETA[..., None])[..., 0] for x in X]


@pytest.mark.parametrize("rectified", [False, True])
def test_whole_batches_are_adam_of_torch(rectified):
    y = np.maximum(Y[0], 0.0) if rectified else Y[0]
    found = train_on_mixed_batches(X[:1], [y], [0, 1], 30, rate=0.01, batch_size=6, rectified=rectified)
    b, a = start_of_training()
    adam = torch.optim.Adam([b, a], lr=0.01)
    for _ in range(30):
        adam.zero_grad()
        loss_of(b, a, y, torch.relu if rectified else torch.clone).backward()
        adam.step()
    assert found.shared == pytest.approx(b.detach().numpy(), rel=1e-6)
    assert found.heads == pytest.approx(a.detach().numpy(), rel=1e-6)


@pytest.mark.parametrize("rectified", [False, True])
def test_algorithm_1_is_two_adams_of_torch(rectified):
    b, a = start_of_training()
    given = SharedDirections(b.detach().numpy().copy(), a.detach().numpy().copy())
    found = align_on_batches(X[0], Y[0], given, 0, [0, 1], 30, rate=0.01, batch_size=6, rectified=rectified)
    matrix = torch.eye(3, dtype=torch.float64).repeat(2, 1, 1).requires_grad_()
    adams = [torch.optim.Adam([part], lr=0.01) for part in (a, matrix)]
    activation = torch.relu if rectified else (lambda values: values)
    for _ in range(30):
        for adam in adams:
            adam.zero_grad()
            loss_of((matrix @ b.detach()[..., None])[..., 0], a, Y[0], activation).backward()
            adam.step()
    assert found.shared == pytest.approx((matrix @ b[..., None])[..., 0].detach().numpy(), rel=1e-6)
    assert found.heads == pytest.approx(a.detach().numpy(), rel=1e-6)


def start_of_training():
    start = train_on_mixed_batches(X[:1], Y[:1], [0, 1], 1, rate=1e-40, batch_size=6).shared
    return torch.tensor(start, requires_grad=True), torch.ones((2, 1), dtype=torch.float64, requires_grad=True)


def loss_of(direction, head, y, activation):
    features = activation(torch.einsum("smd,sd->sm", torch.tensor(X[0]), direction))
    return ((head * features - torch.tensor(y)) ** 2).mean(dim=1).sum()


HEADS = np.array([[0.5, 2.0], [1.5, -1.0]])


def test_every_row_is_in_one_batch_of_an_epoch():
    batches = list(mixed_batches._batches([torch.zeros(2, m, 1) for m in (7, 5)], (3, 4), 3, epoch=2))
    assert sorted((task, rows.shape) for task, rows in batches) == [
        (0, (2, 1)), (0, (2, 3)), (0, (2, 3)), (1, (2, 2)), (1, (2, 3))]  # fmt: skip
    for task, m in enumerate((7, 5)):
        rows = np.concatenate([rows for of, rows in batches if of == task], axis=1)
        assert np.array_equal(np.sort(rows, axis=1), [range(m), range(m, 2 * m)])
        assert not np.array_equal(rows[0], rows[1] - m)


@pytest.mark.parametrize("task", [0, 1])
def test_alignment_sees_the_head_of_its_task_alone(task):
    both = align_on_batches(X[0], Y[0], SharedDirections(THETA, HEADS), task, [0, 1], 3, 0.01)
    one = align_on_batches(X[0], Y[0], SharedDirections(THETA, HEADS[:, task : task + 1]), 0, [0, 1], 3, 0.01)
    assert both.heads.shape == (2, 1)
    np.testing.assert_allclose(both.shared, one.shared, rtol=1e-12, atol=1e-14)
