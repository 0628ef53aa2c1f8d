"""Streams are separate and repeatable, seeds are checked, a batch is a loop over seeds, and columns are Haar."""

import numpy as np
import pytest

from mtlbook_lib._random import haar, normal, own_seeds, seed_tuple, stream, uniform_columns


def test_same_seed_and_name_repeat_and_others_differ():
    first = stream(3, "noise").standard_normal(2000)
    assert np.array_equal(first, stream(3, "noise").standard_normal(2000))
    others = [stream(4, "noise"), stream(3, "left"), stream(3, "noise", 0), stream(3, "noise", 1)]
    others += [stream(3, "noise of task 1"), np.random.default_rng(3)]
    for other in others:
        assert np.abs(np.corrcoef(first, other.standard_normal(2000))[0, 1]) < 4 / np.sqrt(2000)


@pytest.mark.parametrize("other", ["", "7"])
@pytest.mark.parametrize(("seed", "part"), [(0, ()), (3, (2, 0)), (2**32 - 1, (1,)), (2**40, ()), (5, (2**33,))])
def test_a_stream_is_the_generator_of_its_seed_sequence(seed, part, other, monkeypatch):
    """The streams of the book are those of NumPy's spawn keys, on whatever way they are made."""
    monkeypatch.setenv("MTLBOOK_SEEDS", other)
    entropy = [seed, int(other)] if other else seed
    wanted = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=(*b"noise", *part)))
    assert np.array_equal(stream(seed, "noise", *part).random(5), wanted.random(5))


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


def test_what_is_compared_with_a_stored_run_keeps_the_books_seeds(monkeypatch):
    own = normal((4,), range(3), "noise")
    monkeypatch.setenv("MTLBOOK_SEEDS", "1")
    assert not np.array_equal(normal((4,), range(3), "noise"), own)
    with own_seeds():
        assert np.array_equal(normal((4,), range(3), "noise"), own)
    assert own_seeds()(lambda: normal((4,), range(3), "noise"))() == pytest.approx(own, abs=0)
    assert not np.array_equal(normal((4,), range(3), "noise"), own)


@pytest.mark.parametrize("shape", [(10**9,), (10**5, 10**5), (10**15, 2)])
def test_draws_that_fill_a_machine_are_refused_before_anything_is_allotted(shape):
    with pytest.raises(ValueError, match=rf"^noise: a draw must have at most 2147483648 .*got shape \(3, {shape[0]}"):
        normal(shape, range(3), "noise")


def test_a_batch_is_a_loop_over_seeds():
    for draw in (normal((4, 3), range(5), "x"), haar(6, 2, range(5), "x")):
        assert draw.shape[0] == 5
    assert np.array_equal(normal((4, 3), [7, 2], "x")[1], normal((4, 3), [2], "x")[0])
    assert np.array_equal(haar(6, 2, [7, 2], "x")[1], haar(6, 2, [2], "x")[0])


@pytest.mark.parametrize(("n_rows", "n_columns"), [(1, 1), (5, 1), (5, 5), (40, 7)])
def test_haar_columns_are_orthonormal(n_rows, n_columns):
    vectors = haar(n_rows, n_columns, range(3), "x")
    np.testing.assert_allclose(vectors.swapaxes(1, 2) @ vectors, np.tile(np.eye(n_columns), (3, 1, 1)), atol=1e-14)


def test_more_haar_columns_keep_the_first_ones():
    np.testing.assert_allclose(haar(30, 12, range(4), "x")[..., :5], haar(30, 5, range(4), "x"), atol=1e-13)


def test_haar_moments():
    """Moments of the uniform law on the orthogonal group; a QR without the sign fix misses the first by 100 errors."""
    n, n_seeds = 6, 4000
    vectors = haar(n, n, range(n_seeds), "moments")
    trace = np.trace(vectors, axis1=1, axis2=2)
    samples = {
        "E tr Q = 0": trace,
        "E (tr Q)^2 = 1": trace**2 - 1,
        "E Q_11 = 0": vectors[:, 0, 0],
        "E Q_11^2 = 1/n": vectors[:, 0, 0] ** 2 - 1 / n,
        "E Q_11^4 = 3/(n(n+2))": vectors[:, 0, 0] ** 4 - 3 / (n * (n + 2)),
        "E Q_11^2 Q_22^2 = (n+1)/(n(n-1)(n+2))": (vectors[:, 0, 0] * vectors[:, 1, 1]) ** 2
        - (n + 1) / (n * (n - 1) * (n + 2)),
        "E Q_11 Q_22 Q_12 Q_21 = -1/(n(n-1)(n+2))": vectors[:, 0, 0] * vectors[:, 1, 1] * vectors[:, 0, 1]
        * vectors[:, 1, 0] + 1 / (n * (n - 1) * (n + 2)),
    }  # fmt: skip
    for name, sample in samples.items():
        assert abs(sample.mean()) < 4 * sample.std() / np.sqrt(n_seeds), name


@pytest.mark.parametrize("other", ["abc", "-1", "1.5"])
def test_seeds_of_the_environment_are_whole_numbers(monkeypatch, other):
    monkeypatch.setenv("MTLBOOK_SEEDS", other)
    with pytest.raises(ValueError, match="MTLBOOK_SEEDS must be a whole number"):
        stream(0, "any")
