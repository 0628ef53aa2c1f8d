"""Weights of tasks where arguments end: clamped losses, square inputs, single tasks, stacks, and what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing import weighting

RNG = np.random.default_rng(15)
X = RNG.normal(size=(30, 6))
Y = X @ RNG.normal(size=(6, 4)) + [0.1, 1.0, 3.0, 0.5] * RNG.normal(size=(30, 4))
STACK = RNG.normal(size=(3, 9, 4))
LABELS = RNG.normal(size=(3, 9, 3))


def clamped_labels():
    """A task that a model of rank one interpolates; the others are out of reach of it, and of the inputs in part."""
    y = np.column_stack([X @ np.arange(6.0), Y[:, 1:3]])
    return y * [0.3, 1.0, 1.0]


@pytest.mark.parametrize(("least", "floor"), [({}, 1e-12), ({"least": 0.01}, 0.01), ({"least": 0.2}, 0.2)])
def test_an_interpolated_task_counts_as_the_least_share_of_its_energy(least, floor):
    y = clamped_labels()
    with pytest.warns(UserWarning, match="a task is interpolated") as seen:
        weights = hard_sharing.uncertainty_weights(X, y, 1, **least)
    assert [warning.filename for warning in seen] == [__file__]
    layer, heads, _ = hard_sharing.shared_solution([X] * 3, list(y.T), 1, weights)
    losses = np.array([np.sum((X @ layer @ head - part) ** 2) for head, part in zip(heads, y.T, strict=True)])
    assert losses[0] < floor * np.sum(y[:, 0] ** 2)
    losses[0] = floor * np.sum(y[:, 0] ** 2)
    np.testing.assert_allclose(weights * losses, np.mean(weights * losses), rtol=1e-8)


def test_a_small_loss_above_the_least_is_not_clamped():
    y = np.column_stack([X @ np.arange(6.0), Y[:, 1:3]])
    y[:, 0] += 1e-4 * RNG.normal(size=30)
    share = hard_sharing.uncertainty_weights(X, y, 3)
    residuals = y - X @ np.linalg.lstsq(X, y)[0]
    inverse = 1 / np.sum(residuals**2, axis=0)
    np.testing.assert_allclose(share, inverse / np.sum(inverse), rtol=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hard_sharing.uncertainty_weights(X, y, 1)


@pytest.mark.parametrize("seed", [3, 7, 15])
def test_slowly_settling_weights_are_settled_in_the_end(seed):
    """Labels of noise alone: the leading directions, and with them the weights, turn for dozens of steps."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(30, 8)), rng.normal(size=(30, 5))
    weights = hard_sharing.uncertainty_weights(x, y, 2)
    basis = np.linalg.qr(x)[0]
    reached = basis @ np.linalg.svd(basis.T @ (np.sqrt(weights) * y))[0][:, :2]
    losses = np.sum((y - reached @ (reached.T @ y)) ** 2, axis=0)
    np.testing.assert_allclose(weights * losses, np.mean(weights * losses), rtol=1e-11)


def test_weights_that_do_not_settle_in_time_are_an_error(monkeypatch):
    monkeypatch.setattr(weighting, "_MOST_STEPS", 3)
    with pytest.raises(RuntimeError, match=r"the weights still change by .* after 3 steps"):
        hard_sharing.uncertainty_weights(X, Y, 2)
    hard_sharing.uncertainty_weights(X, Y, 4)  # without transfer the second step changes nothing


def test_as_many_rows_as_columns_are_enough():
    x, y = RNG.normal(size=(4, 4)), RNG.normal(size=(4, 4))
    np.testing.assert_allclose(hard_sharing.shared_models(x, y, 4), np.linalg.solve(x, y), rtol=1e-9)


def test_one_task_and_one_number():
    models = hard_sharing.shared_models(X, Y[:, :1], 1)
    np.testing.assert_allclose(models, np.linalg.lstsq(X, Y[:, :1])[0], rtol=1e-10)
    assert hard_sharing.uncertainty_weights(X, Y[:, :1], 1).tolist() == [1.0]
    assert hard_sharing.svd_task_weights([[2.0]], [[-3.0]], 1) == pytest.approx([6.0])
    assert hard_sharing.shared_models([[2.0]], [[-3.0]], 1) == pytest.approx(np.array([[-1.5]]))


@pytest.mark.parametrize(
    "weigh", [hard_sharing.svd_task_weights, hard_sharing.uncertainty_weights, hard_sharing.shared_models]
)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_stack_of_one_or_two_equals_the_problems_alone(weigh, rank):
    for size in (1, 2):
        found = weigh(STACK[:size], LABELS[:size], rank)
        for one, x, y in zip(found, STACK, LABELS, strict=False):
            np.testing.assert_allclose(one, weigh(x, y, rank), rtol=1e-9, atol=1e-12)


def test_a_stack_warns_of_one_problem_and_refuses_one():
    y = clamped_labels()
    with pytest.warns(UserWarning, match="a task is interpolated"):
        hard_sharing.uncertainty_weights(np.stack([X, X]), np.stack([Y[:, :3], y]), 1)
    with pytest.raises(ValueError, match="y must have no column of zeros"):
        hard_sharing.uncertainty_weights(np.stack([X, X]), np.stack([y * [1, 0, 1], y]), 1)
    with pytest.raises(ValueError, match="x must have full column rank in every problem"):
        hard_sharing.shared_models(np.stack([X, X * [1, 1, 1, 1, 1, 0]]), np.stack([y, y]), 1)
    with pytest.raises(ValueError, match="x must have full column rank in every problem"):
        hard_sharing.shared_models(STACK[:, :3], LABELS[:, :3], 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hard_sharing.uncertainty_weights(X, Y, 1, 0.6), r"least must lie in \[1e-12, 0.5\]"),
        (lambda: hard_sharing.uncertainty_weights(X, Y, 1, 0.9e-12), "least must lie in"),
        (lambda: hard_sharing.shared_models(X, Y, 1, 2.0), r"weights must have shape \(..., 4\)"),
        (lambda: hard_sharing.shared_models(X, Y, 1, [[1, 1, 1]]), r"weights must have shape \(..., 4\)"),
        (lambda: hard_sharing.svd_task_weights(X, Y[:, :0], 1), r"y must have shape \(30, k\)"),
        (lambda: hard_sharing.svd_task_weights(STACK, LABELS[..., :0], 1), r"y must have shape \(3, 9, k\)"),
        (lambda: hard_sharing.svd_task_weights(STACK, LABELS[:, :5], 1), r"y must have shape \(3, 9, k\)"),
        (lambda: hard_sharing.svd_task_weights(STACK, LABELS[:2], 1), r"y must have shape \(3, 9, k\)"),
        (lambda: hard_sharing.svd_task_weights(X, 1.0, 1), r"y must have shape \(30, k\)"),
        (lambda: hard_sharing.svd_task_weights(STACK[:2], LABELS[:2], 4), r"rank must be at most min\(d, k\) = 3"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
