"""Bounds of Theorems 2 and 9: written out, obeyed by random instances, attained where they are sharp."""

import numpy as np
import pytest
from scipy import integrate

from mtlbook_lib.theory import hard_sharing


def relu(z):
    return np.maximum(z, 0)


def test_target_bound_written_out():
    x2, theta2, noise2 = np.diag([3.0, 4.0]), np.array([1.0, 1.0]), np.array([0.6, 0.8])
    assert hard_sharing.target_error_bound(0.1, x2, theta2, noise2) == pytest.approx(0.6 + 0.2 / 0.7, rel=1e-14)
    margins = np.array([[0.0, 0.2], [0.1, 0.3]])
    table = hard_sharing.target_error_bound(margins, x2, theta2, noise2)
    for index in np.ndindex(2, 2):
        assert table[index] == hard_sharing.target_error_bound(margins[index], x2, theta2, noise2)
    assert type(hard_sharing.target_error_bound(0.1, x2, theta2, noise2)) is float


@pytest.mark.parametrize("angle", [0.0, 0.4, np.pi / 2, 2.5, np.pi])
def test_relu_kernel_is_the_mean_over_the_plane(angle):
    """In polar coordinates the radius integrates to 2, of which the density takes 1 / 2π."""

    def integrand(direction):
        return relu(np.cos(direction)) * relu(np.cos(direction - angle)) / np.pi

    inside = (angle - np.pi / 2, np.pi / 2)
    mean = integrate.quad(integrand, *inside)[0]
    assert hard_sharing.relu_kernel(angle) == pytest.approx(2 * mean, abs=1e-12)


def test_relu_kernel_and_the_cosine():
    angles = np.linspace(0.01, np.pi, 200)
    ratio = (1 - hard_sharing.relu_kernel(angles)) / (1 - np.cos(angles))
    assert np.all(np.diff(ratio) < 0)
    assert ratio[-1] == pytest.approx(0.5, rel=1e-12)
    assert hard_sharing.relu_kernel(np.pi / 2) == pytest.approx(1 / np.pi, rel=1e-14)
    assert hard_sharing.relu_kernel(0.0) == 1.0


def fitted(x2, theta2, a2, noise2, b):
    p = relu(x2 @ b)
    unit = p / np.linalg.norm(p)
    return p @ (a2 * relu(x2 @ theta2) + noise2) / (p @ p), unit @ noise2


def test_head_bound_is_attained():
    """One example, far from both directions, of which the noise pushes the head the same way as the angle."""
    x2 = np.array([[1.0, 0.0]])
    theta2, b = np.array([[np.cos(turn), np.sin(turn)] for turn in (np.pi / 2 - 1e-3, np.pi / 2 - 1e-3 + 1e-6)])
    head, projected = fitted(x2, theta2, 2.0, np.array([1e-5]), b)
    bound = hard_sharing.head_error_bound(x2, theta2, 2.0, projected, 1e-6)
    assert abs(head / 2 - 1) == pytest.approx(bound, rel=1e-5)


def test_feature_bounds_written_out_and_their_limits():
    assert hard_sharing.feature_cosine_bound(5.0, 0.0, 3.0) == pytest.approx(0.8, rel=1e-14)
    assert hard_sharing.feature_cosine_bound(10.0, 2.0, 0.0) == pytest.approx(0.6, rel=1e-14)
    assert hard_sharing.feature_cosine_bound(1.0, 0.0, 0.0) == 1.0
    assert hard_sharing.feature_cosine_bound(50.0, 1.0, 30.0) == pytest.approx(np.sqrt(49**2 - 900) / 50 - 0.02)
    assert hard_sharing.feature_angle_bound(1.0, 0.0) == 0.0
    assert hard_sharing.feature_angle_bound(0.5, 0.0) == pytest.approx(np.pi / 2, rel=1e-14)
    assert hard_sharing.feature_angle_bound(0.9, 0.01) == pytest.approx(2 * np.arcsin(np.sqrt(0.119)), rel=1e-12)
    assert hard_sharing.feature_angle_bound([-0.2, 0.9, 0.3], [0.0, 5.0, 0.4]) == pytest.approx([np.pi] * 3, rel=1e-14)
    table = hard_sharing.feature_cosine_bound([[5.0], [6.0]], 0.1, [1.0, 2.0])
    for i, j in np.ndindex(2, 2):
        assert table[i, j] == hard_sharing.feature_cosine_bound([5.0, 6.0][i], 0.1, [1.0, 2.0][j])
    assert type(hard_sharing.feature_angle_bound(0.9, 0.1)) is float
