"""The best shared direction: brute force, all stationary points, alternating descent, bounds, scales, symmetries."""

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


def test_slope_and_curvature_that_the_bound_rests_on():
    """The energy as a function of the logarithm of the ratio: both derivatives are at most half the energy in reach."""
    xs, ys = tasks(6, (6, 5), 3, condition=20.0)
    (s1, s2), (b1, b2) = [x.T @ x for x in xs], [x.T @ y for x, y in zip(xs, ys, strict=True)]
    reach = b1 @ np.linalg.solve(s1, b1) + b2 @ np.linalg.solve(s2, b2)
    step = 1e-3
    for sign in (1, -1):
        ratios = sign * np.exp(np.arange(-8, 8, step))
        vectors = b1 + ratios[:, None] * b2
        solved = np.linalg.solve(s1 + ratios[:, None, None] ** 2 * s2, vectors[..., None])[..., 0]
        energy = np.sum(vectors * solved, axis=1)
        assert np.max(np.abs(np.diff(energy))) <= reach / 2 * step * (1 + 1e-6)
        assert np.max(np.abs(np.diff(energy, 2))) <= reach / 2 * step**2 * (1 + 1e-6)
        assert np.max(energy) <= hard_sharing.rank_one_upper_bound(xs, ys)
    assert type(hard_sharing.rank_one_upper_bound(xs, ys)) is float


@pytest.mark.parametrize("scale", [1e-7, 1e-3, 1e5, 1e9])
@pytest.mark.parametrize("sizes", [(9, 8), (9, 3)])
def test_the_scale_of_a_task_inputs_does_not_matter(scale, sizes):
    for seed in range(4):
        xs, ys = tasks(seed, sizes, 5, condition=10.0)
        b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
        scaled_b, scaled_heads, scaled_value = hard_sharing.rank_one_optimum([xs[0], scale * xs[1]], ys)
        assert scaled_value == pytest.approx(value, rel=1e-11)
        np.testing.assert_allclose(scaled_b, b, atol=1e-7)
        np.testing.assert_allclose(scaled_heads * [1, scale], heads, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1e4, 1e9])
def test_labels_of_any_scale_leave_a_stationary_direction(scale):
    xs, ys = tasks(3, (9, 8), 5, condition=10.0)
    ys = [ys[0], scale * ys[1]]
    b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
    assert value == pytest.approx(explained(xs, ys, b), rel=1e-12)
    leading = int(scale > 1)
    alone = hard_sharing.single_task_solution(xs[leading], ys[leading])
    assert hard_sharing.sine(b, alone) <= 10 * min(scale, 1 / scale)
    # The two tasks' gradients cancel, up to the roundoff of the labels.
    parts = [a * x.T @ (y - a * x @ b) for a, x, y in zip(heads, xs, ys, strict=True)]
    roundoff = max(np.linalg.norm(a * x.T @ y) for a, x, y in zip(heads, xs, ys, strict=True))
    assert np.linalg.norm(sum(parts)) <= 1e-6 * np.linalg.norm(parts[0]) + 1e-14 * roundoff
