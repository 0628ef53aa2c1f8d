"""Three tasks and more: the best of a whole circle or sphere of directions, and problems on which searches failed."""

import numpy as np
import pytest
from direction_draws import explained, tasks

from mtlbook_lib.theory import hard_sharing

ANGLES = np.linspace(0, np.pi, 100_001)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES)])


def on(directions, xs, ys):
    return sum((y @ (x @ directions)) ** 2 / np.sum((x @ directions) ** 2, axis=0) for x, y in zip(xs, ys, strict=True))


def uneven(seed, n_tasks, n_inputs=2):
    """As many examples as inputs; each task sees each input in a scale of its own, from 1 to 1e-3."""
    rng = np.random.default_rng(seed)
    scales = [rng.normal(size=(n_inputs, n_inputs)) * 10 ** rng.uniform(-3, 0, size=n_inputs) for _ in range(n_tasks)]
    return scales, [rng.normal(size=n_inputs) for _ in range(n_tasks)]


@pytest.mark.parametrize(("seed", "n_tasks"), [(1, 9), (12, 10), (14, 12), (5, 3)])
def test_optimum_of_uneven_tasks_is_that_of_a_fine_circle(seed, n_tasks):
    """Random ratios of the heads alone miss the first three, by 6 to 24 %."""
    xs, ys = uneven(seed, n_tasks)
    b, _, value = hard_sharing.rank_one_optimum(xs, ys)
    small = hard_sharing.rank_one_optimum(xs, [1e-12 * y for y in ys])[2]
    assert small == pytest.approx(1e-24 * value, rel=1e-8, abs=0)
    grid = np.max(on(CIRCLE, xs, ys))
    assert value >= grid * (1 - 1e-12)
    assert value == pytest.approx(grid, rel=1e-3)
    assert value == pytest.approx(explained(xs, ys, b), rel=1e-9)


def sphere(xs):
    """Directions in which the tasks' inputs, of one size, weigh the same together."""
    polar, around = np.meshgrid(np.linspace(0, np.pi / 2, 301), np.linspace(0, 2 * np.pi, 601))
    unit = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)]).reshape(3, -1)
    return np.linalg.solve(np.linalg.cholesky(sum(x.T @ x / np.sum(x**2) for x in xs)).T, unit)


@pytest.mark.parametrize("problem", [tasks(0, (5, 4, 6, 3), 3, 20.0), tasks(1, (5, 4, 3), 3, 5.0), uneven(60, 3, 3)])
def test_optimum_of_three_inputs_is_that_of_a_sphere(problem):
    """Of the last one, half as many random heads miss 3 %."""
    xs, ys = problem
    value, grid = hard_sharing.rank_one_optimum(xs, ys)[2], np.max(on(sphere(xs), xs, ys))
    assert grid <= value <= grid * 1.01


@pytest.mark.parametrize("signs", [[1, 1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, 1]])
@pytest.mark.parametrize(
    ("seed", "known"),
    [
        (203, [0.1133474, 0.004844, -0.5987073, -0.0995631, -0.7866166]),
        (191, [0.9734714, 0.1738838, -0.0117656, -0.1480448, 0.0078814]),
    ],
)
def test_optimum_is_as_good_as_known_directions_that_are_hard_to_find(seed, known, signs):
    """Half as many ascents miss the first by 1 %, half as many or tamer starts the second by 4 %."""
    xs, ys = uneven(seed, 6, 5)
    ys = [sign * y for sign, y in zip(signs, ys, strict=True)]
    assert hard_sharing.rank_one_optimum(xs, ys)[2] >= explained(xs, ys, np.array(known)) * (1 - 1e-12)


@pytest.mark.parametrize("factors", [(1.0, 1e-6, 1e6), (1e9, 1.0, -1e-3), (1.0, -2.0, 3.0)])
def test_labels_in_proportion_are_all_explained_whatever_their_sizes(factors):
    xs, _ = tasks(3, (6, 5, 7), 4, condition=10.0)
    theta = np.array([0.3, -1.0, 0.7, 0.2])
    b, heads, value = hard_sharing.rank_one_optimum(xs, [f * x @ theta for f, x in zip(factors, xs, strict=True)])
    unit = theta / np.linalg.norm(theta)
    np.testing.assert_allclose(b, unit, atol=1e-7)
    np.testing.assert_allclose(heads[np.argmax(np.abs(factors))], factors[np.argmax(np.abs(factors))] / unit[0] * 0.3)
    assert value == pytest.approx(
        sum(np.sum((f * x @ theta) ** 2) for f, x in zip(factors, xs, strict=True)), rel=1e-12
    )


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("inputs", [(1.0, 1.0, 1.0), (1e8, 1.0, 1e-8)])
def test_optimum_is_stationary_in_any_units(scale, inputs):
    """The tasks' gradients cancel to more than seven digits."""
    xs, ys = tasks(2, (9, 8, 7), 4, condition=10.0)
    xs, ys = [c * x for c, x in zip(inputs, xs, strict=True)], [scale * y for y in ys]
    b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
    parts = [a * x.T @ (y - a * x @ b) for a, x, y in zip(heads, xs, ys, strict=True)]
    assert np.linalg.norm(sum(parts)) <= 5e-8 * max(map(np.linalg.norm, parts))
    plain = hard_sharing.rank_one_optimum([x / c for c, x in zip(inputs, xs, strict=True)], [y / scale for y in ys])
    assert value == pytest.approx(scale**2 * plain[2], rel=1e-12, abs=0)


def test_tasks_without_labels_or_inputs_beside_three_others():
    xs, ys = tasks(6, (5, 6, 4), 3)
    b, heads, value = hard_sharing.rank_one_optimum(xs, ys)
    more = hard_sharing.rank_one_optimum([np.zeros((2, 3)), *xs, xs[0]], [np.ones(2), *ys, np.zeros(5)])
    np.testing.assert_allclose(more[0], b, atol=1e-7)
    np.testing.assert_allclose(more[1], [0, *heads, 0], atol=1e-6)
    assert more[2] == pytest.approx(value, rel=1e-12)
