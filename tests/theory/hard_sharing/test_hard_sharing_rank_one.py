"""The best shared direction: its objective, all stationary points, and its upper bound."""

import numpy as np
import pytest
from hard_sharing_draws import explained, stationary_values, tasks

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(1)


def test_objective_is_the_sum_of_squared_projections():
    xs, ys = tasks(0, [5, 7, 9], 4)
    b = RNG.normal(size=(3, 2, 4))
    batch = hard_sharing.rank_one_objective(b, xs, ys)
    assert batch.shape == (3, 2)
    for index in np.ndindex(3, 2):
        assert batch[index] == pytest.approx(explained(xs, ys, b[index]), rel=1e-12)
        assert hard_sharing.rank_one_objective(-1e200 * b[index], xs, ys) == pytest.approx(batch[index], rel=1e-12)
    assert type(hard_sharing.rank_one_objective(b[0, 0], xs, ys)) is float
    energy = hard_sharing.explained_energy(xs, ys, b[0, 0])
    assert hard_sharing.rank_one_objective(b[0, 0], xs, ys) == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_optimum_is_the_greatest_of_all_stationary_points(seed):
    xs, ys = tasks(seed, (9, 7), 4, condition=5.0)
    ys[1] = ys[1] * np.linalg.norm(ys[0]) / np.linalg.norm(ys[1])
    values = stationary_values(xs, ys)
    assert len(values) >= 4
    assert hard_sharing.rank_one_optimum(xs, ys)[2] == pytest.approx(np.max(values), rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_upper_bound_is_just_above_the_optimum(seed):
    xs, ys = tasks(seed, (9, 7), 5, condition=20.0)
    value, bound = hard_sharing.rank_one_optimum(xs, ys)[2], hard_sharing.rank_one_upper_bound(xs, ys)
    assert value * (1 - 1e-13) <= bound <= value + 2e-11 * sum(y @ y for y in ys)
