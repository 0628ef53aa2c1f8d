"""Lists of tasks where they end: one task, one row, one input, stacks of none, and how equal equal covariances are."""

from __future__ import annotations

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(31)
X, Y = RNG.normal(size=(7, 3)), RNG.normal(size=7)


def test_one_task_is_a_list_of_tasks():
    layer, head = RNG.normal(size=(3, 2)), np.array([0.4, -1.2])
    lost = np.sum((X @ layer @ head - Y) ** 2)
    assert hard_sharing.sharing_loss([X], [Y], layer, [head]) == pytest.approx(lost, rel=1e-12)
    (best,) = hard_sharing.optimal_heads([X], [Y], layer)
    np.testing.assert_allclose(best, np.linalg.lstsq(X @ layer, Y)[0], rtol=1e-10)
    explained = Y @ Y - np.sum((X @ layer @ best - Y) ** 2)
    assert hard_sharing.explained_energy([X], [Y], layer) == pytest.approx(explained, rel=1e-10)
    shared, heads, loss = hard_sharing.shared_solution([X], [Y], 1)
    solution = np.linalg.lstsq(X, Y)[0]
    np.testing.assert_allclose(shared @ heads[0], solution, rtol=1e-9)
    assert loss == pytest.approx(np.sum((X @ solution - Y) ** 2), rel=1e-10)


def test_one_row_one_input_and_one_number():
    assert hard_sharing.single_task_solution([[2.0]], [3.0]).tolist() == [1.5]
    np.testing.assert_allclose(hard_sharing.single_task_solution(X[:1], Y[:1]), Y[0] * X[0] / (X[0] @ X[0]), rtol=1e-12)
    assert hard_sharing.optimal_heads([[[2.0]]], [[3.0]], [[0.5]])[0] == pytest.approx([3.0])
    assert hard_sharing.covariance_similarity([[2.0]], [[-3.0]]) == pytest.approx(1.0)
    assert hard_sharing.shared_solution([[[2.0]], [[1.0]]], [[3.0], [1.0]], 1)[2] == pytest.approx(0.0, abs=1e-12)


def test_a_stack_of_no_data_sets_has_no_solutions():
    assert hard_sharing.single_task_solution(np.zeros((0, 4, 3)), np.zeros((0, 4))).shape == (0, 3)


def test_shapes_that_do_not_fit_are_named():
    for xs, ys, message in (
        ([np.stack([X, X])], [np.stack([Y, Y])], r"xs\[0\] must be a matrix \(m, d\).*got shape \(2, 7, 3\)"),
        ([X[:, :0]], [Y], r"xs\[0\] must be a matrix"),
        ([X, X.T[:, :3]], [Y, Y[:2]], r"ys\[1\] must have shape \(3,\)"),
    ):
        with pytest.raises(ValueError, match=message):
            hard_sharing.sharing_loss(xs, ys, X[0], [1.0] * len(xs))
    for layer in (1.0, np.ones((3, 1, 1)), np.ones(4), np.ones((1, 3))):
        with pytest.raises(ValueError, match=r"shared must have shape \(3, r\)"):
            hard_sharing.optimal_heads([X], [Y], layer)


def stretched(share):
    """Two tasks of which the second's covariance is longer in one direction, by `share` of the norm of their mean."""
    frames = [np.linalg.qr(RNG.normal(size=(6, 3)))[0] for _ in range(2)]
    return [frames[0], frames[1] * np.sqrt([1 + share, 1, 1])], RNG.normal(size=(2, 6))


@pytest.mark.parametrize("scale", [1e-7, 1e-3, 1.0, 1e7])
def test_covariances_may_differ_by_rounding_and_no_more(scale):
    # Scaled to the same trace, they differ from their mean by share * sqrt(2/3)/2 in a norm of sqrt(3).
    for share, fits in ((3e-6, True), (6e-6, False), (1e-4, False), (0.5, False)):
        xs, ys = stretched(share)
        xs = [scale * x for x in xs]
        if fits:
            hard_sharing.shared_solution(xs, ys, 1)
        else:
            with pytest.raises(ValueError, match="xs must have covariances that are equal"):
                hard_sharing.shared_solution(xs, ys, 1)


def test_the_layer_is_orthonormal_in_the_mean_covariance():
    xs, ys = stretched(0.0)
    root = RNG.normal(size=(3, 3))
    xs = [scale * x @ root for scale, x in zip([0.2, 5.0], xs, strict=True)]
    covariances = [x.T @ x for x in xs]
    traces = np.array([np.trace(c) for c in covariances])
    mean = np.mean([c * np.mean(traces) / t for c, t in zip(covariances, traces, strict=True)], axis=0)
    for capacity in (1, 2, 3):
        layer, heads, _ = hard_sharing.shared_solution(xs, ys, capacity)
        np.testing.assert_allclose(layer.T @ mean @ layer, np.eye(capacity), atol=1e-10)
        assert [head.shape for head in heads] == [(capacity,)] * 2
    for x, y, head in zip(xs, ys, heads, strict=True):
        np.testing.assert_allclose(layer @ head, np.linalg.lstsq(x, y)[0], rtol=1e-8)
