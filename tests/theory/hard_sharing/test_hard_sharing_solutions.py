"""Loss, heads and explained energy of hard sharing, and the optimum for equal covariances: second routes and laws."""

import numpy as np
import pytest
from hard_sharing_draws import equal_covariances, tasks

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(0)


def written_loss(xs, ys, layer, heads, weights):
    total = 0.0
    for x, y, head, weight in zip(xs, ys, heads, weights, strict=True):
        for row, label in zip(x, y, strict=True):
            total += weight * (sum(row[i] * layer[i, j] * head[j] for i in range(len(row)) for j in range(len(head)))
                               - label) ** 2  # fmt: skip
    return total


def test_loss_is_the_weighted_sum_of_squares():
    xs, ys = tasks(1, [5, 7, 3], 4)
    layer, heads, weights = RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2)), [0.5, 1.0, 3.0]
    computed = hard_sharing.sharing_loss(xs, ys, layer, heads, weights)
    assert type(computed) is float
    assert computed == pytest.approx(written_loss(xs, ys, layer, heads, weights), rel=1e-12)
    assert hard_sharing.sharing_loss(xs, ys, layer, heads) == pytest.approx(
        written_loss(xs, ys, layer, heads, np.ones(3)), rel=1e-12
    )


@pytest.mark.parametrize("capacity", [1, 2, 4])
def test_no_step_of_the_heads_lowers_the_loss(capacity):
    xs, ys = tasks(3, [5, 7, 9], 4)
    layer = RNG.normal(size=(4, capacity))
    heads = hard_sharing.optimal_heads(xs, ys, layer)
    least = hard_sharing.sharing_loss(xs, ys, layer, heads)
    for i in range(3):
        moved = [head + (j == i) * 1e-4 * RNG.normal(size=capacity) for j, head in enumerate(heads)]
        assert hard_sharing.sharing_loss(xs, ys, layer, moved) > least
    for x, y, head in zip(xs, ys, heads, strict=True):
        np.testing.assert_allclose(layer.T @ x.T @ (x @ layer @ head - y), 0, atol=1e-10)


def test_heads_are_the_least_where_columns_repeat_and_zero_where_the_inputs_do_not_see_the_layer():
    xs, ys = tasks(4, [6, 8], 3)
    xs[1][:, 2] = 0
    layer = np.column_stack([np.eye(3)[:2].sum(axis=0)] * 2)
    heads = hard_sharing.optimal_heads(xs, ys, layer)
    np.testing.assert_allclose(heads[0][0], heads[0][1], rtol=1e-10)
    unseen = hard_sharing.optimal_heads(xs, ys, np.eye(3)[:, 2:])
    assert unseen[1].tolist() == [0.0]
    assert hard_sharing.explained_energy(xs[1:], ys[1:], np.eye(3)[:, 2:]) == 0.0


@pytest.mark.parametrize("capacity", [1, 2, 5])
def test_what_is_explained_and_what_is_lost_add_up(capacity):
    xs, ys = tasks(5, [3, 7, 9], 5)
    layer, weights = RNG.normal(size=(5, capacity)), np.array([2.0, 0.5, 1.0])
    heads = hard_sharing.optimal_heads(xs, ys, layer)
    energy = weights @ [y @ y for y in ys]
    explained = hard_sharing.explained_energy(xs, ys, layer, weights)
    assert explained + hard_sharing.sharing_loss(xs, ys, layer, heads, weights) == pytest.approx(energy, rel=1e-12)
    turned = layer @ RNG.normal(size=(capacity, capacity))
    assert hard_sharing.explained_energy(xs, ys, turned, weights) == pytest.approx(explained, rel=1e-10)
    longer = layer * np.logspace(-9, 9, capacity)
    assert hard_sharing.explained_energy(xs, ys, longer, weights) == pytest.approx(explained, rel=1e-6)


SCALES = np.array([1.0, 4.0, 0.3, 1e4])
WEIGHTS = np.array([1.0, 0.2, 3.0, 0.7])


@pytest.mark.parametrize("capacity", [1, 2, 3, 4, 5])
def test_equal_covariances_layer_and_heads_reach_the_loss(capacity):
    xs, ys = equal_covariances(9, 4, 5, SCALES)
    layer, heads, loss = hard_sharing.shared_solution(xs, ys, capacity, WEIGHTS)
    assert layer.shape == (5, capacity)
    assert {head.shape for head in heads} == {(capacity,)}
    assert type(loss) is float
    assert hard_sharing.sharing_loss(xs, ys, layer, heads, WEIGHTS) == pytest.approx(loss, rel=1e-9)
    for head, best in zip(heads, hard_sharing.optimal_heads(xs, ys, layer), strict=True):
        np.testing.assert_allclose(head, best, rtol=1e-7, atol=1e-9 * np.max(np.abs(best)))


def test_equal_covariances_gap_is_the_tail_of_the_eigenvalues():
    xs, ys = equal_covariances(10, 4, 5)
    root = np.linalg.cholesky(xs[0].T @ xs[0])
    total = sum(w * np.outer(x.T @ y, x.T @ y) for w, x, y in zip(WEIGHTS, xs, ys, strict=True))
    eigenvalues = np.sort(np.linalg.eigvalsh(np.linalg.solve(root, np.linalg.solve(root, total).T)))[::-1]
    alone = sum(w * np.sum((x @ hard_sharing.single_task_solution(x, y) - y) ** 2)
                for w, x, y in zip(WEIGHTS, xs, ys, strict=True))  # fmt: skip
    for capacity in range(1, 6):
        loss = hard_sharing.shared_solution(xs, ys, capacity, WEIGHTS)[2]
        assert loss - alone == pytest.approx(np.sum(eigenvalues[capacity:]), abs=1e-9 * loss)
