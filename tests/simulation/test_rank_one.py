"""The best shared direction of many pairs at once: as good as the certified optimum of each."""

import re

import numpy as np
import pytest

from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.theory.hard_sharing import rank_one_objective, rank_one_optimum

RNG = np.random.default_rng(11)


def pair(rows, d=6, scale=1.0):
    """Two tasks with inputs of unequal covariance and correlated teachers."""
    xs = [RNG.standard_normal((m, d)) * np.exp(RNG.uniform(-2, 2, d)) for m in rows]
    teachers = RNG.standard_normal((2, d)) + RNG.standard_normal(d)
    ys = [x @ w + RNG.standard_normal(len(x)) for x, w in zip(xs, teachers, strict=True)]
    return [xs[0], scale * xs[1]], ys


def batch(pairs):
    """Covariances and products of all pairs, as the solver takes them."""
    moments = [[(x.T @ x, x.T @ y) for x, y in zip(xs, ys, strict=True)] for xs, ys in pairs]
    return [np.stack([of_pair[task][part] for of_pair in moments]) for task in (0, 1) for part in (0, 1)]


@pytest.mark.parametrize(("rows", "scale"), [((20, 30), 1.0), ((9, 200), 1.0), ((20, 3), 1.0), ((20, 30), 1e4)])
def test_values_are_those_of_the_certified_optimum(rows, scale):
    pairs = [pair(rows, scale=scale) for _ in range(6)]
    directions, heads, values = rank_one_directions(*batch(pairs))
    for (xs, ys), direction, head, value in zip(pairs, directions, heads, values, strict=True):
        best = rank_one_optimum(xs, ys)[2]
        assert value == pytest.approx(best, rel=1e-8)
        assert rank_one_objective(direction, xs, ys) == pytest.approx(value, rel=1e-8)
        losses = [np.sum((y - x @ direction * a) ** 2) for x, y, a in zip(xs, ys, head, strict=True)]
        assert sum(losses) == pytest.approx(sum(y @ y for y in ys) - value, rel=1e-8)


def test_a_batch_is_a_loop_of_pairs():
    arguments = batch([pair((12, 15)) for _ in range(4)])
    stacked = rank_one_directions(*(argument.reshape(2, 2, *argument.shape[1:]) for argument in arguments))
    for i in range(4):
        single = rank_one_directions(*(argument[i] for argument in arguments))
        for all_of_them, one in zip(stacked, single, strict=True):
            np.testing.assert_allclose(all_of_them[i // 2, i % 2], one, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: np.ones((2, 3))}, "s1 must have shape (..., d, d)"),
        ({1: np.ones(4)}, "b1 must have shape (3,) to fit s1"),
        ({2: np.eye(4), 3: np.ones(4)}, "s1 and s2 must have the same shape"),
        ({2: np.zeros((3, 3))}, "s2 must be a covariance"),
        ({0: np.diag([1.0, 0, 0]), 2: np.diag([0, 1.0, 0])}, "s1 and s2 must not have a singular sum"),
        ({3: [np.nan, 0.0, 0.0]}, "b2 must be finite"),
    ],
)
def test_bad_arguments_are_named(change, message):
    arguments = {0: np.eye(3), 1: np.ones(3), 2: np.eye(3), 3: np.ones(3)} | change
    with pytest.raises(ValueError, match=re.escape(message)):
        rank_one_directions(*arguments.values())
