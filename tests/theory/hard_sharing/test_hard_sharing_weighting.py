"""Weights of the tasks: Algorithm 2 and weights by uncertainty, by second routes, laws and limits."""

import warnings

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing import weighting

RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 6))
Y = X @ RNG.normal(size=(6, 4)) + [0.1, 1.0, 3.0, 0.5] * RNG.normal(size=(30, 4))


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_svd_weights_are_the_lengths_of_the_projections(rank):
    products = X.T @ Y
    top = np.linalg.eigh(products @ products.T)[1][:, -rank:]
    expected = np.sqrt(np.sum((top.T @ products) ** 2, axis=0))
    np.testing.assert_allclose(hard_sharing.svd_task_weights(X, Y, rank), expected, rtol=1e-10)


def losses(weights, rank, x=X, y=Y):
    layer, heads, _ = hard_sharing.shared_solution([x] * y.shape[1], list(y.T), rank, weights)
    return np.array([np.mean((x @ layer @ head - column) ** 2) for head, column in zip(heads, y.T, strict=True)])


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_uncertainty_weights_are_one_over_the_losses_they_lead_to(rank):
    weights = hard_sharing.uncertainty_weights(X, Y, rank)
    assert np.sum(weights) == pytest.approx(1, rel=1e-14)
    inverse = 1 / losses(weights, rank)
    np.testing.assert_allclose(weights, inverse / np.sum(inverse), rtol=1e-9)


STACK = RNG.normal(size=(3, 30, 6))
LABELS = STACK @ RNG.normal(size=(3, 6, 4)) + RNG.normal(size=(3, 30, 4))


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_shared_models_are_layer_times_heads(rank):
    weights = np.array([1.0, 2.0, 0.5, 3.0])
    layer, heads, _ = hard_sharing.shared_solution([X] * 4, list(Y.T), rank, weights)
    expected = layer @ np.column_stack(heads)
    np.testing.assert_allclose(hard_sharing.shared_models(X, Y, rank, weights), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(hard_sharing.shared_models(X, Y, rank, 7 * weights), expected, rtol=1e-9, atol=1e-12)


def clamped_labels():
    """A task that a model of rank one interpolates; the others are out of reach of it, and of the inputs in part."""
    y = np.column_stack([X @ np.arange(6.0), Y[:, 1:3]])
    return y / np.linalg.norm(y, axis=0) * [0.9, 0.5, 0.4]


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
    with pytest.raises(RuntimeError, match=r"weights of x and y still change by .* after 3 steps"):
        hard_sharing.uncertainty_weights(X, Y, 2)
    hard_sharing.uncertainty_weights(X, Y, 4)  # without transfer the second step changes nothing


def test_a_stack_warns_of_one_problem_and_refuses_one():
    y = clamped_labels()
    with pytest.warns(UserWarning, match="a task is interpolated"):
        hard_sharing.uncertainty_weights(np.stack([X, X]), np.stack([Y[:, :3], y]), 1)
    with pytest.raises(ValueError, match="y must have no column of zeros"):
        hard_sharing.uncertainty_weights(np.stack([X, X]), np.stack([y * [1, 0, 1], y]), 1)
    with pytest.raises(ValueError, match="x must have full column rank in every problem"):
        hard_sharing.shared_models(np.stack([X, X * [1, 1, 1, 1, 1, 0]]), np.stack([y, y]), 1)
    with pytest.raises(ValueError, match="x must have full column rank in every problem"):
        hard_sharing.shared_models(STACK[:, :5], LABELS[:, :5], 1)
