"""The best rectified direction of the plane, against a much finer look and against clean labels."""

import numpy as np
import pytest

from mtlbook_lib.simulation.two_tasks.relu_direction import _explained, best_relu_direction

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


@pytest.mark.parametrize(("n_grid", "precision"), [(720, 5e-5), (360, 1e-4), (36, 1e-3)])
def test_the_angle_is_known_to_half_a_step_of_the_second_grid(n_grid, precision):
    """A hundredth of a step of the first one, of which 720 are tried unless told otherwise."""
    x = RNG.standard_normal((60, 2))
    for angle in RNG.uniform(-np.pi, np.pi, 12):
        y = np.maximum(x @ [np.cos(angle), np.sin(angle)], 0)
        found = best_relu_direction(x, y, x, 3 * y, **({} if n_grid == 720 else {"n_grid": n_grid}))
        missed = np.abs(np.angle(np.exp(1j * (np.arctan2(found[1], found[0]) - angle))))
        assert missed < np.pi / n_grid / 100 + 1e-9 < precision


@pytest.mark.parametrize("whole", [False, True])
def test_the_running_sums_are_the_energy_of_the_definition(whole):
    """Whole numbers put examples at right angles to directions, where features vanish up to rounding."""
    x, y = RNG.standard_normal((40, 2)), RNG.standard_normal(40)
    x = np.round(x) if whole else x
    angles = np.arange(720) * 2 * np.pi / 720
    for m in (1, 2, 40):
        features = np.maximum(x[:m] @ np.stack([np.cos(angles), np.sin(angles)]), 0)
        lengths = np.sqrt(np.sum(features**2, axis=0))
        direct = np.divide(y[:m] @ features, lengths, out=np.zeros(720), where=lengths > 0) ** 2
        assert _explained(angles, x[:m], y[:m]) == pytest.approx(direct, rel=1e-8, abs=1e-12)
