"""Streams are separate and repeatable, seeds are checked, columns are orthonormal with the signs of a uniform law."""

import numpy as np
import pytest

from mtlbook_lib._random import seed_tuple, stream, uniform_columns


def test_same_seed_and_name_repeat_and_others_differ():
    first = stream(3, "noise").standard_normal(2000)
    assert np.array_equal(first, stream(3, "noise").standard_normal(2000))
    others = [stream(4, "noise"), stream(3, "left"), stream(3, "noise", 0), stream(3, "noise", 1)]
    others += [stream(3, "noise of task 1"), np.random.default_rng(3)]
    for other in others:
        assert np.abs(np.corrcoef(first, other.standard_normal(2000))[0, 1]) < 4 / np.sqrt(2000)


@pytest.mark.parametrize("shape", [(1, 1), (5, 1), (5, 5), (3, 2, 40, 7)])
def test_uniform_columns_are_those_of_gram_schmidt(shape):
    """Gram-Schmidt, in contrast to Householder reflections, never turns a column against what it was made of."""
    gaussian = stream(0, "columns").standard_normal(shape)
    columns = uniform_columns(gaussian)
    gram = columns.swapaxes(-1, -2) @ columns
    np.testing.assert_allclose(gram, np.broadcast_to(np.eye(shape[-1]), gram.shape), atol=1e-14)
    triangle = columns.swapaxes(-1, -2) @ gaussian
    np.testing.assert_allclose(np.tril(triangle, -1), 0, atol=1e-13)
    assert np.all(np.diagonal(triangle, axis1=-2, axis2=-1) > 0)


@pytest.mark.parametrize(
    ("seeds", "error", "message"),
    [
        ([], ValueError, "at least one"),
        ([1, 2, 1], ValueError, "distinct"),
        ([-1], ValueError, "0 or greater"),
        (3, TypeError, "sequence of integers"),
        ("12", TypeError, "sequence of integers"),
        ([0.5], TypeError, "must be integers; got 0.5"),
        ([True], TypeError, "must be integers"),
    ],
)
def test_bad_seeds(seeds, error, message):
    with pytest.raises(error, match=message):
        seed_tuple(seeds)


def test_any_iterable_of_integers_will_do():
    assert seed_tuple(np.arange(3)) == seed_tuple(range(3)) == seed_tuple(iter([0, 1, 2])) == (0, 1, 2)


def test_other_seeds_draw_everything_anew(monkeypatch):
    own = stream(3, "noise").standard_normal(4)
    monkeypatch.setenv("MTLBOOK_SEEDS", "0")
    assert np.array_equal(stream(3, "noise").standard_normal(4), own)
    drawn = {tuple(own)}
    for other in ("1", "2"):
        monkeypatch.setenv("MTLBOOK_SEEDS", other)
        drawn |= {tuple(stream(seed, "noise").standard_normal(4)) for seed in (1, 2, 3)}
    assert len(drawn) == 7
