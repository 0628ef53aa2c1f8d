"""Training of shared layers and heads."""

import numpy as np
import pytest

from mtlbook_lib.simulation.sharing import train_shared

RNG = np.random.default_rng(3)
X, Y = RNG.standard_normal((2, 3, 8, 4)), RNG.standard_normal((2, 3, 8))


def least(x, y):
    return np.linalg.lstsq(x, y)[1].item()


def test_as_many_columns_as_inputs_reach_least_squares():
    fits = train_shared(X, Y, 4, [0, 1], 3000, weights=[1.0, 2.0, 0.5])
    alone = [sum(w * least(a, b) for w, a, b in zip((1, 2, 0.5), x, y, strict=True)) for x, y in zip(X, Y, strict=True)]
    assert fits.loss == pytest.approx(np.array([alone, alone]), rel=1e-6)
    assert fits.slope.max() < 1e-3


def test_one_column_for_tasks_of_equal_inputs_is_a_low_rank_approximation():
    x = np.broadcast_to(X[:, :1], X.shape)
    fits = train_shared(x, Y, 1, [0, 1, 2], 3000)
    for index in range(2):
        u = np.linalg.svd(x[index, 0], full_matrices=False)[0]
        values = np.linalg.svd(u.T @ Y[index].T, compute_uv=False)
        expected = sum(least(a, b) for a, b in zip(x[index], Y[index], strict=True)) + np.sum(values[1:] ** 2)
        assert fits.loss[:, index].min() == pytest.approx(expected, rel=1e-8)


def test_loss_is_that_of_layers_and_heads():
    fits = train_shared(X, Y, 2, [4], 50, weights=[1.0, 2.0, 0.5])
    models = fits.shared @ fits.heads.swapaxes(-1, -2)
    errors = np.einsum("pkmd,spdk->spkm", X, models) - Y
    assert fits.loss == pytest.approx((errors**2).sum(axis=-1) @ [1.0, 2.0, 0.5])


def test_more_steps_never_end_higher():
    few, many = (train_shared(X, Y, 2, range(4), n).loss for n in (20, 200))
    assert np.all(many <= few)


def test_a_batch_is_a_loop():
    both = train_shared(X, Y, 2, [5, 6], 300)
    one = train_shared(X[1:], Y[1:], 2, [6], 300)
    assert both.loss[1, 1] == pytest.approx(one.loss[0, 0], rel=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"labels": Y[:, :, 1:]}, "labels must have shapes"),
        ({"inputs": X[0]}, "inputs"),
        ({"weights": [1.0, 2.0]}, "weights must be a number or one for each of the 3 tasks"),
        ({"weights": 0.0}, "weights"),
        ({"capacity": 0}, "capacity"),
        ({"n_steps": 0}, "n_steps"),
        ({"seeds": [1, 1]}, "seeds"),
    ],
)
def test_bad_input_is_named(change, words):
    call = {"inputs": X, "labels": Y, "capacity": 2, "seeds": [0], "n_steps": 1, **change}
    with pytest.raises(ValueError, match=words):
        train_shared(**call)
