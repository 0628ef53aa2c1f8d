"""The 2x2 reduction of deep random students, against exact flow, scalar equations, real students and closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mtlbook_lib.theory.linear_dynamics import (
    balanced_flow,
    deep_random_half_time,
    deep_random_strength,
)

RATIOS = [(1.0, 1.0), (0.5, 1.0), (0.5, 0.5), (0.2, 0.7)]


def plane_student(ratio_in, ratio_out, eps, s_hat):
    """The reduction at one hidden layer written as a balanced student with two hidden units."""
    u = np.array([0, np.sqrt(ratio_out), np.sqrt(1 - ratio_out)])
    v = np.array([np.sqrt(ratio_in), 0, np.sqrt(1 - ratio_in)])
    return np.sqrt(eps) * np.eye(2, 3), np.sqrt(eps) * np.eye(3, 2), s_hat * np.outer(u, v), u, v


@pytest.mark.parametrize(("ratio_in", "ratio_out"), RATIOS)
@pytest.mark.parametrize(("s_hat", "eps"), [(3.0, 1e-3), (0.8, 0.1)])
def test_one_hidden_layer_agrees_with_the_exact_flow(ratio_in, ratio_out, s_hat, eps):
    first, second, target, u, v = plane_student(ratio_in, ratio_out, eps, s_hat)
    half = deep_random_half_time(s_hat, eps, 2, ratio_in, ratio_out)
    times = [0.0, 0.5 * half, half, 2 * half, 60 / s_hat]
    maps = balanced_flow(first, second, target, times)
    strength, alignment = deep_random_strength(times, s_hat, eps, 2, ratio_in, ratio_out)
    assert u @ maps[2] @ v == pytest.approx(s_hat / 2, rel=1e-10)
    np.testing.assert_allclose(strength, u @ maps @ v, rtol=0, atol=2e-9 * s_hat)
    np.testing.assert_allclose(alignment, u @ maps @ v / np.linalg.norm(maps, axis=(1, 2)), rtol=0, atol=1e-8)


@pytest.mark.parametrize("depth", [3, 5])
def test_equal_sizes_follow_three_scalar_equations(depth):
    """Without a third direction the student has two singular values and one angle, integrated here with saturation."""
    s_hat, eps = 1.4, 0.03

    def slope(_, state):
        p1, p2, angle = state
        powers = p1 ** (2 - 2 / depth), p2 ** (2 - 2 / depth)
        quotient = (
            (p1 - p2) / (p1 ** (2 / depth) - p2 ** (2 / depth)) if p1 > p2 else depth / 2 * eps ** (1 - 2 / depth)
        )
        return [
            depth * powers[0] * (s_hat * np.cos(angle) ** 2 - p1),
            depth * powers[1] * (-s_hat * np.sin(angle) ** 2 - p2),
            -0.5 * np.sin(2 * angle) * s_hat * quotient,
        ]

    times = np.linspace(0, 12, 9)
    start = [eps, eps, np.pi / 4]
    p1, p2, angle = solve_ivp(slope, (0, 12), start, "DOP853", times, rtol=1e-11, atol=1e-13).y
    strength, alignment = deep_random_strength(times, s_hat, eps, depth)
    expected = p1 * np.cos(angle) ** 2 - p2 * np.sin(angle) ** 2
    np.testing.assert_allclose(strength, expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(alignment, expected / np.hypot(p1, p2), rtol=0, atol=1e-7)
