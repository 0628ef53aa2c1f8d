"""Draws of inputs × inputs and inputs × labels: their law is that of drawn examples."""

import numpy as np
import pytest

from mtlbook_lib.data.gaussian_pairs import gaussian_pair, gaussian_task, models_of_cosine

SPREAD = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.5]])
THETA = np.array([1.0, -0.5, 2.0])
SEEDS = range(4000)


def by_rows(n, sigma):
    """The same statistics from drawn examples."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal((len(SEEDS), n, 3)) @ np.linalg.cholesky(SPREAD).T
    y = x @ THETA + sigma * rng.standard_normal((len(SEEDS), n))
    return x.swapaxes(-1, -2) @ x, (x.swapaxes(-1, -2) @ y[..., None])[..., 0], (y**2).sum(axis=-1)


@pytest.mark.parametrize("n", [2, 3, 12])
def test_moments_are_those_of_drawn_examples(n):
    task = gaussian_task(n, SPREAD, THETA, 0.7, SEEDS, "source")
    for drawn, rows in zip((task.gram, task.products, task.energy), by_rows(n, 0.7), strict=True):
        for power in (1, 2):
            one, two = drawn**power, rows**power
            error = np.sqrt(one.var(axis=0) + two.var(axis=0)) / np.sqrt(len(SEEDS))
            assert np.all(np.abs(one.mean(axis=0) - two.mean(axis=0)) < 5 * error)


def test_a_pair_is_its_two_tasks():
    pair = gaussian_pair((5, 9), (SPREAD, np.eye(3)), (THETA, -THETA), (1.0, 0.5), [0, 3], part=2)
    source = gaussian_task(5, SPREAD, THETA, 1.0, [0, 3], "source", 2)
    target = gaussian_task(9, np.eye(3), -THETA, 0.5, [0, 3], "target", 2)
    for task, one in zip(pair, (source, target), strict=True):
        for found, wanted in zip(task.moments, (one.gram, one.products), strict=True):
            assert np.array_equal(found, wanted)


def test_excess_risk_is_the_error_on_new_inputs_less_the_noise():
    task = gaussian_task(9, SPREAD, THETA, 0.7, [0, 1], "target")
    rng = np.random.default_rng(2)
    models = THETA + rng.standard_normal((4, 2, 3))
    new = rng.standard_normal((200_000, 3)) @ np.linalg.cholesky(SPREAD).T
    sampled = np.mean((models @ new.T - new @ THETA) ** 2, axis=-1)
    assert task.excess_risk(models) == pytest.approx(sampled, rel=0.03)
    assert task.excess_risk(models)[2] == pytest.approx(task.excess_risk(models[2]), rel=1e-13)
    with pytest.raises(ValueError, match=r"models must have shape \(..., seed, d\)"):
        task.excess_risk(THETA)


@pytest.mark.parametrize("cosine", [-1.0, 0.0, 0.3, 1.0])
def test_models_have_the_cosine_and_norm_one(cosine):
    source, target = models_of_cosine(cosine, 4)
    assert (source @ target, source @ source, target @ target) == pytest.approx((cosine, 1.0, 1.0))
