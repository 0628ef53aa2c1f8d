"""The best rectified direction of the plane, against a much finer look and against clean labels."""

import numpy as np
import pytest

from mtlbook_lib.simulation.two_tasks.relu_direction import best_relu_direction

RNG = np.random.default_rng(7)


def energy(b, x, y):
    features = np.maximum(x @ b, 0)
    return (features @ y) ** 2 / (features @ features)


def test_no_direction_of_a_fine_grid_is_better():
    x1, x2, y1, y2 = *RNG.standard_normal((2, 50, 2)), *RNG.standard_normal((2, 50))
    best = best_relu_direction(x1, y1, x2, y2)
    found = energy(best, x1, y1) + energy(best, x2, y2)
    turns = np.linspace(0, 2 * np.pi, 20001)
    others = [energy(b, x1, y1) + energy(b, x2, y2) for b in np.stack([np.cos(turns), np.sin(turns)], axis=1)]
    assert found > max(others) - 1e-4 * found
    assert np.linalg.norm(best) == pytest.approx(1.0)


def test_one_clean_model_is_found():
    x, model = RNG.standard_normal((100, 2)), np.array([-0.28, 0.96])
    y = np.maximum(x @ model, 0)
    assert best_relu_direction(x, y, x, -2 * y) == pytest.approx(model, abs=1e-4)


def test_features_that_vanish_explain_nothing():
    x = np.array([[1.0, 0.0]])
    best = best_relu_direction(x, [1.0], x, [1.0], 8)
    assert best[0] > 0


@pytest.mark.parametrize("x", [np.ones((3, 3)), np.ones((2, 2)), np.ones(2)])
def test_shapes(x):
    with pytest.raises(ValueError, match="x2 and y2 must have shapes"):
        best_relu_direction(np.ones((3, 2)), np.ones(3), x, np.ones(3))
