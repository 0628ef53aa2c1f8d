"""The basis that two tasks share, and the best direction in tasks of special ranks, scales and signs."""

import numpy as np
import pytest
from direction_draws import explained, tasks

from mtlbook_lib.theory import hard_sharing
from mtlbook_lib.theory.hard_sharing.direction.two_tasks import diagonalise, independent
from mtlbook_lib.theory.hard_sharing.tasks import Task

RNG = np.random.default_rng(61)


def of_ranks(seed, sizes, ranks, n_inputs, scales=(1.0, 1.0)):
    """Two tasks whose inputs span so many directions, drawn at random."""
    rng = np.random.default_rng(seed)
    xs = [
        scale * rng.normal(size=(size, rank)) @ rng.normal(size=(rank, n_inputs))
        for size, rank, scale in zip(sizes, ranks, scales, strict=True)
    ]
    return xs, [rng.normal(size=size) for size in sizes]


@pytest.mark.parametrize("scales", [(1.0, 1.0), (1e-7, 1e6), (1e9, 1e-3)])
@pytest.mark.parametrize(
    ("sizes", "ranks", "n_inputs"),
    [
        ((9, 7), (4, 4), 4),
        ((3, 8), (3, 4), 5),
        ((8, 3), (5, 2), 5),
        ((2, 2), (1, 2), 6),
        ((9, 9), (2, 3), 4),
        ((9, 1), (4, 1), 4),
        ((1, 9), (1, 4), 4),
    ],
)
def test_basis_diagonalises_both_covariances(sizes, ranks, n_inputs, scales):
    xs, ys = of_ranks(1, sizes, ranks, n_inputs, scales)
    pair = diagonalise(Task(xs[0], ys[0]), Task(xs[1], ys[1]))
    rank = min(sum(ranks), n_inputs)
    assert pair.directions.shape == (n_inputs, rank)
    assert [int(np.sum(size > 0)) for size in pair.sizes] == list(ranks)
    np.testing.assert_allclose(np.sum(pair.sizes**2, axis=0), 1, rtol=1e-12)
    for x, y, size, score in zip(xs, ys, pair.sizes, pair.scores, strict=True):
        columns = x / np.linalg.norm(x) @ pair.directions
        np.testing.assert_allclose(columns.T @ columns, np.diag(size**2), atol=1e-12)
        np.testing.assert_allclose(columns.T @ y, size * score, atol=1e-12)
        assert np.sum(score**2) == pytest.approx(y @ x @ np.linalg.pinv(x) @ y, rel=1e-10)
    assert pair.energy == pytest.approx(np.sum(pair.scores**2), rel=1e-14)
    assert independent(pair) == (sum(ranks) <= n_inputs)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("weak", [1e-3, 1e-6, 1e-9])
def test_directions_that_a_task_hardly_sees_are_told_apart(weak, swap):
    """Directions that the second task sees in 1 and 3 parts of `weak`: their sizes to nine digits, in any order."""
    first, second = np.eye(4), np.diag([1.0, 0.7, 3 * weak, weak])
    turn = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
    pair_of = [Task(x @ turn, np.ones(4)) for x in (first, second)]
    pair = diagonalise(*(pair_of[::-1] if swap else pair_of))
    first, second = first / 2, second / np.linalg.norm(second)
    expected = np.diag(second) / np.diag(first)
    ratios = pair.sizes[1] / pair.sizes[0]
    np.testing.assert_allclose(np.sort(1 / ratios if swap else ratios), np.sort(expected), rtol=max(1e-9, 1e-15 / weak))


def test_upper_bound_of_tasks_that_share_no_direction_is_all_their_energy():
    xs, ys = of_ranks(3, (2, 3), (2, 3), 6)
    bound = hard_sharing.rank_one_upper_bound(xs, ys)
    assert type(bound) is float
    assert bound == pytest.approx(sum(y @ y for y in ys), rel=1e-12)


@pytest.mark.parametrize("inputs", [1e-9, 1e9])
@pytest.mark.parametrize("labels", [1e-9, 1e9])
@pytest.mark.parametrize("sizes", [(7,), (6, 5), (6, 5, 7)])
def test_units_are_absorbed(sizes, inputs, labels):
    xs, ys = tasks(2, sizes, 3, condition=4.0)
    b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
    scaled = hard_sharing.rank_one_optimum([inputs * x for x in xs], [labels * y for y in ys])
    np.testing.assert_allclose(scaled[0], b, atol=1e-7)
    np.testing.assert_allclose(scaled[1], labels / inputs * heads, rtol=1e-6)
    assert scaled[2] == pytest.approx(labels**2 * value, rel=1e-11, abs=0)
    objective = hard_sharing.rank_one_objective(b, [inputs * x for x in xs], [labels * y for y in ys])
    assert objective == pytest.approx(labels**2 * value, rel=1e-11, abs=0)


def test_three_tasks_of_independent_rows_leave_a_continuum_and_a_few_more_examples_do_not():
    rng = np.random.default_rng(6)
    for scale in (1.0, 1e-9):
        xs = [rng.normal(size=(2, 6)), scale * rng.normal(size=(1, 6)), rng.normal(size=(3, 6))]
        ys = [rng.normal(size=len(x)) for x in xs]
        with pytest.raises(ValueError, match=r"xs must have row spaces that overlap; got shapes \(2, 6\), \(1, 6\)"):
            hard_sharing.rank_one_optimum(xs, ys)
        more = [*xs[:2], np.vstack([xs[2], rng.normal(size=(3, 6))])]  # more examples than a direction and three heads
        labels = [*ys[:2], np.append(ys[2], [1.0, -2.0, 1.5])]
        b, _, value = hard_sharing.rank_one_optimum(more, labels)
        assert value == pytest.approx(explained(more, labels, b), rel=1e-12)
        assert 0.3 < value / sum(y @ y for y in labels) < 0.999
