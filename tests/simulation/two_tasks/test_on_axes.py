"""Alternating least squares on the axes, against the exact optimum."""

import numpy as np
import pytest
from refusals import refused

from mtlbook_lib.simulation.rank_one import rank_one_directions
from mtlbook_lib.simulation.two_tasks.on_axes import alternate_on_axes


def test_alternating_on_axes_reaches_the_optimum():
    rng = np.random.default_rng(5)
    squares, products = rng.uniform(1, 4, (3, 2, 6)), rng.standard_normal((3, 2, 6))
    products[:, 1] *= 0.05
    start = rng.standard_normal((3, 6))
    layer, heads = alternate_on_axes(squares, products, start, 200)
    full = squares[..., None] * np.eye(6)
    best, fitted, _ = rank_one_directions(full[:, 0], products[:, 0], full[:, 1], products[:, 1])
    sign = np.sign((layer * best).sum(axis=-1, keepdims=True))
    assert sign * layer == pytest.approx(best, abs=1e-6)
    assert sign * heads == pytest.approx(fitted, abs=1e-6)


ONES = np.ones((2, 3))
test_alternating_needs_fitting_shapes_and_a_task_for_every_input = refused(
    alternate_on_axes,
    {"squares": ONES, "products": ONES, "start": np.ones(3), "n_steps": 1},
    {
        "zero in all tasks": [{"squares": ONES * [1, 0, 1]}],
    },
)


def test_one_step_is_the_two_least_squares():
    s, p, b = np.array([[2.0, 1.0], [0.0, 5.0]]), np.array([[1.0, -3.0], [0.5, 2.0]]), np.array([0.6, -0.3])
    a = [(p[i] @ b) / (s[i] @ b**2) for i in range(2)]
    wanted = np.array(
        [sum(a[i] * p[i, j] for i in range(2)) / sum(a[i] ** 2 * s[i, j] for i in range(2)) for j in range(2)]
    )
    layer, heads = alternate_on_axes(s, p, b, 1)
    assert layer == pytest.approx(wanted / np.linalg.norm(wanted))
    assert heads == pytest.approx([(p[i] @ layer) / (s[i] @ layer**2) for i in range(2)])
    assert alternate_on_axes([[2.0]], [[3.0]], [0.1], 1)[1] == pytest.approx([1.5])
