"""The best shared direction where it is special: ties, singular inputs, tiny couplings, labels without signal."""

import numpy as np
import pytest
from hard_sharing_draws import tasks
from numpy.testing import assert_allclose

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


@pytest.mark.parametrize("smallest", [1e-5, 1e-9])
def test_inputs_that_hardly_see_a_direction_are_resolved_in_either_order(smallest):
    xs = [RNG.normal(size=(20, 8)), RNG.normal(size=(15, 8)) * np.geomspace(1, smallest, 8)]
    ys = [RNG.normal(size=20), RNG.normal(size=15)]
    b, _, value = hard_sharing.rank_one_optimum(xs, ys)
    assert hard_sharing.rank_one_optimum(xs[::-1], ys[::-1])[2] == pytest.approx(value, rel=1e-11)
    assert hard_sharing.rank_one_objective(b, xs, ys) == pytest.approx(value, rel=1e-11)


def test_a_task_without_inputs_changes_nothing_and_gets_no_head():
    xs, ys = [RNG.normal(size=(6, 3)), RNG.normal(size=(5, 3))], [RNG.normal(size=6), RNG.normal(size=5)]
    b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
    also, more, same = hard_sharing.rank_one_optimum([*xs, np.zeros((1, 3))], [*ys, np.ones(1)])
    assert same == pytest.approx(value, rel=1e-10)
    assert also == pytest.approx(b, rel=1e-5)
    assert more == pytest.approx([*heads, 0.0], rel=1e-5)


def test_tasks_without_labels_leave_the_others_as_they_are():
    rng = np.random.default_rng(3)
    x1, x2 = rng.standard_normal((2, 5, 3)) * [1.0, 1.0, 0.0]
    y1, y2 = rng.standard_normal((2, 5))
    b, heads, energy = hard_sharing.rank_one_optimum([x1, x2, np.array([[0.0, 0.0, 1.0]])], [y1, y2, np.zeros(1)])
    of_two = hard_sharing.rank_one_optimum([x1, x2], [y1, y2])
    assert_allclose(b, of_two[0], atol=1e-7)
    assert_allclose(heads, [*of_two[1], 0.0], atol=1e-7)
    assert_allclose(energy, of_two[2], rtol=1e-12)


def test_one_task_with_labels_beside_two_without_is_fitted():
    rng = np.random.default_rng(3)
    xs = rng.standard_normal((3, 3, 4))
    y = rng.standard_normal(3)
    b, heads, energy = hard_sharing.rank_one_optimum(list(xs), [y, np.zeros(3), np.zeros(3)])
    assert_allclose(heads[0] * xs[0] @ b, y, atol=1e-9)
    assert_allclose(heads[1:], 0.0, atol=1e-9)
    assert_allclose(energy, y @ y, rtol=1e-12)
