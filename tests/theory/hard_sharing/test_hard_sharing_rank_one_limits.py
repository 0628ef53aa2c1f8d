"""The best shared direction where it is special: ties, singular inputs, tiny couplings, labels without signal."""

import numpy as np
import pytest
from hard_sharing_draws import tasks

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(12)


def test_direction_is_in_normal_form():
    for seed in range(10):
        xs, ys = tasks(seed, (9, 8), 3)
        xs = [np.insert(x, 0, 0.0, axis=1) for x in xs]
        b, _, _ = hard_sharing.rank_one_optimum(xs, ys)
        assert np.linalg.norm(b) == pytest.approx(1, rel=1e-14)
        assert abs(b[0]) < 1e-12
        assert b[1] > 0


def test_a_task_without_labels_leaves_the_other_alone():
    xs, ys = tasks(9, (9, 8), 4)
    alone = hard_sharing.single_task_solution(xs[0], ys[0])
    b, heads, value = hard_sharing.rank_one_optimum(xs, [ys[0], np.zeros(8)])
    assert hard_sharing.sine(b, alone) < 1e-12
    assert heads[1] == 0
    assert value == pytest.approx(np.sum((xs[0] @ alone) ** 2), rel=1e-12)
    swapped, _, same = hard_sharing.rank_one_optimum(xs[::-1], [np.zeros(8), ys[0]])
    assert hard_sharing.sine(swapped, alone) < 1e-12
    assert same == pytest.approx(value, rel=1e-12)


def test_labels_that_share_nothing_weakly_or_not_at_all():
    """A head that is tiny, and one that is zero, at the optimum of orthogonal inputs' tasks."""
    for coupling in (1e-10, 1e-6, 0.0):
        xs = [np.eye(2), np.eye(2)]
        ys = [np.array([1.0, 0.0]), 0.5 * np.array([coupling, 1.0])]
        b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
        slope = 0.25 * coupling / (1 - 0.25)  # first order in the coupling
        assert b[1] == pytest.approx(slope, rel=1e-6, abs=1e-14)
        assert heads[1] == pytest.approx(0.5 * (coupling + slope), rel=1e-6, abs=1e-14)
        assert value >= 1


@pytest.mark.parametrize("sizes", [(2, 3), (3, 3, 2), (1, 1)])
def test_too_few_examples_leave_a_continuum(sizes):
    n_inputs = sum(sizes)
    xs, ys = tasks(10, sizes, n_inputs)
    with pytest.raises(ValueError, match=r"xs must have row spaces that overlap"):
        hard_sharing.rank_one_optimum(xs, ys)
    more = [np.vstack([xs[0], RNG.normal(size=n_inputs)]), *xs[1:]]
    hard_sharing.rank_one_optimum(more, [np.append(ys[0], 1.0), *ys[1:]])


def test_an_energy_that_is_only_approached_is_an_error():
    xs = [np.diag([1.0, 0.0]), np.eye(2)]
    ys = [np.array([2.0, 0.0]), np.array([0.0, 1.0])]
    with pytest.raises(ValueError, match="ys must not ask for a limit"):
        hard_sharing.rank_one_optimum(xs, ys)
    with pytest.raises(ValueError, match="ys must not ask for a limit"):
        hard_sharing.rank_one_optimum(xs[::-1], ys[::-1])
    assert hard_sharing.rank_one_upper_bound(xs, ys) == pytest.approx(5, rel=1e-10)
