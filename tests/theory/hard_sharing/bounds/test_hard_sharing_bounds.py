"""Bounds of Theorems 2 and 9: written out, obeyed by random instances, attained where they are sharp."""

import numpy as np
import pytest
from scipy import integrate

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(4)


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


def test_target_bound_holds_where_the_angle_is_as_small_as_lemma_8_wants():
    checked = 0
    for _ in range(300):
        x2 = RNG.normal(size=(12, 4)) * np.logspace(0, RNG.uniform(0, 1.5), 4)
        theta2, noise2 = RNG.normal(size=4), RNG.uniform(0, 3) * RNG.normal(size=12)
        theta2 /= np.linalg.norm(theta2)
        kappa = np.linalg.cond(x2)
        b = theta2 + RNG.uniform(0, 0.3) / kappa * RNG.normal(size=4)
        # Lemma 8 wants sin(B, theta_2) <= sin(theta_1, theta_2) + c / kappa, which is 2 c / kappa at its largest.
        c = kappa * hard_sharing.sine(b, theta2) / 2
        if c < 1 / 3:
            checked += 1
            learned = b * (x2 @ b @ (x2 @ theta2 + noise2)) / (x2 @ b @ x2 @ b)
            assert np.linalg.norm(learned - theta2) <= hard_sharing.target_error_bound(c, x2, theta2, noise2)
    assert checked > 200


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


def angle_between(u, v):
    return 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))


def test_head_bound_holds_for_any_instance_and_nearly_so_with_equality():
    ratios = []
    while len(ratios) < 600:
        x2 = RNG.normal(size=(RNG.integers(1, 6), 2)) * [1, RNG.uniform(0.01, 1)]
        theta2 = RNG.normal(size=2)
        theta2 /= np.linalg.norm(theta2)
        b = theta2 + 0.3 * RNG.uniform() * RNG.normal(size=2)
        b /= np.linalg.norm(b)
        angle = angle_between(b, theta2)
        if np.linalg.norm(relu(x2 @ theta2)) > 1.05 * 2 * np.linalg.norm(x2, 2) * np.sin(angle / 2):
            a2 = RNG.normal()
            noise2 = RNG.normal() * relu(x2 @ b) if len(ratios) % 2 else RNG.normal(size=len(x2))
            head, projected = fitted(x2, theta2, a2, noise2, b)
            bound = hard_sharing.head_error_bound(x2, theta2, a2, projected, angle)
            ratios.append(abs(head / a2 - 1) / bound)
    assert np.max(ratios) <= 1 + 1e-9
    assert np.max(ratios) > 0.99


def test_head_bound_is_attained():
    """One example, far from both directions, of which the noise pushes the head the same way as the angle."""
    x2 = np.array([[1.0, 0.0]])
    theta2, b = np.array([[np.cos(turn), np.sin(turn)] for turn in (np.pi / 2 - 1e-3, np.pi / 2 - 1e-3 + 1e-6)])
    head, projected = fitted(x2, theta2, 2.0, np.array([1e-5]), b)
    bound = hard_sharing.head_error_bound(x2, theta2, 2.0, projected, 1e-6)
    assert abs(head / 2 - 1) == pytest.approx(bound, rel=1e-5)


def test_head_bound_scales_with_the_length_of_theta_and_of_the_noise():
    x2, theta2 = RNG.normal(size=(20, 3)), np.array([0.6, 0.0, 0.8])
    bound = hard_sharing.head_error_bound(x2, theta2, 2.0, 0.5, 0.1)
    assert hard_sharing.head_error_bound(x2, 3 * theta2, 2 / 3, 0.5, 0.1) == pytest.approx(
        hard_sharing.head_error_bound(x2, theta2, 2.0, 0.5, 0.1), rel=1e-12
    )
    assert hard_sharing.head_error_bound(-7 * x2, -theta2, -2.0, -3.5, 0.1) == pytest.approx(bound, rel=1e-12)
    nu, rho = 2 * np.linalg.norm(x2, 2) * np.sin(0.05), np.linalg.norm(relu(x2 @ theta2))
    assert bound == pytest.approx((nu + 0.25) / (rho - nu), rel=1e-12)
    table = hard_sharing.head_error_bound(x2, theta2, 2.0, [[0.1], [0.2]], [0.05, 0.1, 0.2])
    for i, j in np.ndindex(2, 3):
        one = hard_sharing.head_error_bound(x2, theta2, 2.0, [0.1, 0.2][i], [0.05, 0.1, 0.2][j])
        assert table[i, j] == pytest.approx(one, rel=1e-14)
        assert type(one) is float


def test_feature_bounds_hold_at_the_joint_optimum():
    """Two inputs, the optimum of eq. 10 on a grid of directions; both bounds from the realised noise and kernels."""
    angles = np.linspace(0, 2 * np.pi, 1001)[:-1]
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    informative = 0
    for _ in range(30):
        x1, x2 = RNG.normal(size=(400, 2)), RNG.normal(size=(30, 2))
        theta1, theta2 = circle[RNG.integers(1000, size=2)]
        eps1 = RNG.uniform(0, 1) * RNG.normal(size=400)
        y1 = 1.5 * relu(x1 @ theta1) + eps1
        y2 = RNG.uniform(0, 3) * relu(x2 @ theta2) + 0.3 * RNG.normal(size=30)
        features = [relu(circle @ x.T) for x in (x1, x2)]
        value = sum((f @ y / np.linalg.norm(f, axis=1)) ** 2 for f, y in zip(features, (y1, y2), strict=True))
        b = circle[np.argmax(value)]
        p, q = relu(x1 @ b), relu(x1 @ theta1)
        p_hat, q_hat = p / np.linalg.norm(p), q / np.linalg.norm(q)
        noise = max(abs(p_hat @ eps1), abs(q_hat @ eps1))
        signal, labels = 1.5 * np.linalg.norm(q), np.linalg.norm(y2)
        if signal - noise <= labels:
            continue
        cosine = hard_sharing.feature_cosine_bound(signal, noise, labels)
        assert cosine <= p_hat @ q_hat + 1e-12
        angle = angle_between(b, theta1)
        kernels = [2 * p @ q / 400 - hard_sharing.relu_kernel(angle), 2 * p @ p / 400 - 1, 2 * q @ q / 400 - 1]
        largest = hard_sharing.feature_angle_bound(cosine, np.max(np.abs(kernels)))
        assert angle <= largest + 1e-12
        informative += largest < 2
    assert informative > 10


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
