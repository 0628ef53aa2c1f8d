"""The best shared direction of many pairs at once: as good as the certified optimum of each."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from mtlbook_lib.simulation.rank_one import alternating_directions, moments, rank_one_directions
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


def test_moments_are_those_of_each_data_set():
    x, y = RNG.standard_normal((2, 1, 7, 3)), RNG.standard_normal((2, 4, 7))
    s, b = moments(x, y)
    assert (s.shape, b.shape) == ((2, 1, 3, 3), (2, 4, 3))
    for i, j in np.ndindex(2, 4):
        one, two = moments(x[i, 0], y[i, j])
        assert one == pytest.approx(np.einsum("mi,mj->ij", x[i, 0], x[i, 0]), rel=1e-12)
        assert two == pytest.approx(np.einsum("mi,m->i", x[i, 0], y[i, j]), rel=1e-12)
        assert s[i, 0] == pytest.approx(one, rel=1e-13)
        assert b[i, j] == pytest.approx(two, rel=1e-12)


def test_models_leave_what_the_values_do_not_explain():
    (x1, x2), (y1, y2) = pair((20, 30))
    best = rank_one_directions(*moments(x1, y1), *moments(x2, y2))
    first, second = best.models
    left = np.sum((y1 - x1 @ first) ** 2) + np.sum((y2 - x2 @ second) ** 2)
    assert left == pytest.approx(y1 @ y1 + y2 @ y2 - best.values, rel=1e-9)
    assert np.linalg.matrix_rank([first, second]) == 1


def test_alternation_climbs_to_a_summit_and_its_best_start_to_the_certified_one():
    pairs = [pair((20, 30)) for _ in range(3)]
    starts = RNG.standard_normal((3, 30, 6))
    directions, values = alternating_directions(*batch(pairs), starts, 2000)
    for (xs, ys), direction, value in zip(pairs, directions, values, strict=True):
        assert value == pytest.approx(rank_one_objective(direction, xs, ys), rel=1e-9)
        assert value.max() == pytest.approx(rank_one_optimum(xs, ys)[2], rel=1e-9)
        nudged = rank_one_objective(direction[0] + 1e-3 * RNG.standard_normal((50, 6)), xs, ys)
        assert nudged.max() <= value[0] * (1 + 1e-9)


def largest_in_the_plane(s1, b1, s2, b2):
    """The most that a direction of the plane explains, looked at from all angles."""

    def explained(angle):
        b = np.stack([np.cos(angle), np.sin(angle)])
        return sum((v @ b) ** 2 / np.einsum("i...,ij,j...", b, s, b) for s, v in ((s1, b1), (s2, b2)))

    angles = np.linspace(0, np.pi, 200_001)
    start = angles[np.argmax(explained(angles))]
    bounds = start - 2e-5, start + 2e-5
    return -minimize_scalar(lambda a: -explained(a), bounds=bounds, method="bounded", options={"xatol": 1e-12}).fun


@pytest.mark.parametrize("n_grid", [3, 801])
@pytest.mark.parametrize("scale", [1e-8, 1.0])
def test_the_best_of_the_plane_is_found_also_where_one_task_has_little_to_say(scale, n_grid):
    """The second input is ten million times weaker in the first task, and yet explains as much of its labels."""
    s1, b1 = np.array([[2.0, 1e-5], [1e-5, 2e-7]]), np.array([0.3, 4e-4])
    s2, b2 = np.array([[1.0, 0.1], [0.1, 1.0]]), np.array([-0.2, 0.5])
    layer, heads, value = rank_one_directions(scale * s1, scale * b1, scale * s2, scale * b2, n_grid)
    assert value == pytest.approx(scale * largest_in_the_plane(s1, b1, s2, b2), rel=1e-9)
    assert heads == pytest.approx([b1 @ layer / (layer @ s1 @ layer), b2 @ layer / (layer @ s2 @ layer)])


def test_a_task_without_data_in_the_best_direction_has_no_head():
    s1, none, s2, b2 = np.diag([1.0, 0.0]), np.zeros(2), np.diag([0.0, 4.0]), np.array([0.0, 6.0])
    layer, heads, value = rank_one_directions(s1, none, s2, b2)
    assert np.abs(layer) == pytest.approx([0.0, 1.0], abs=1e-6)
    assert np.abs(heads) == pytest.approx([0.0, 1.5])
    assert value == pytest.approx(9.0)
    layer, values = alternating_directions(s1, [1.0, 0.0], np.eye(2), [0.0, 6.0], [[0.0, 1.0], [1.0, 1.0]], 3)
    assert layer[0] == pytest.approx([0.0, 1.0])
    assert values[0] == pytest.approx(36.0)
