"""The repaired steps of Theorem 2: written out, obeyed by random instances, attained where they are sharp."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(8)


def acute(u, v):
    cosine = abs(u @ v) / np.linalg.norm(u) / np.linalg.norm(v)
    return np.arccos(min(cosine, 1.0))


def test_model_bound_holds_for_any_instance_with_noise():
    checked = 0
    for _ in range(400):
        x2 = RNG.normal(size=(12, 4)) * np.logspace(0, RNG.uniform(0, 1), 4)
        theta, noise = RNG.normal(size=4), RNG.uniform(0, 3) * RNG.normal(size=12)
        b = theta / np.linalg.norm(theta) + RNG.uniform(0, 0.2) * RNG.normal(size=4)
        features, kappa, angle = x2 @ b, np.linalg.cond(x2), acute(b, theta)
        if 2 * kappa * np.sin(angle / 2) < 1:
            checked += 1
            error = b * (features @ (x2 @ theta + noise)) / (features @ features) - theta
            part = abs(features @ noise) / np.linalg.norm(features) / np.linalg.norm(x2 @ theta)
            bound = hard_sharing.model_error_bound(angle, kappa, part)
            assert np.linalg.norm(error) / np.linalg.norm(theta) <= bound * (1 + 1e-9)
    assert checked > 150


@pytest.mark.parametrize("kappa", [1.0, 3.0, 40.0])
def test_model_bound_is_attained_without_noise(kappa):
    b, across = np.array([1.0, 1 / kappa]), np.array([-1 / kappa, 1.0])
    b, across = b / np.linalg.norm(b), across / np.linalg.norm(across)
    x2, angle = np.diag([1.0, kappa]), 0.7
    theta = np.cos(angle) * b + np.sin(angle) * across
    head = (x2 @ b) @ (x2 @ theta) / ((x2 @ b) @ (x2 @ b))
    bound = hard_sharing.model_error_bound(angle, kappa)
    assert np.linalg.norm(head * b - theta) == pytest.approx(bound, rel=1e-12)


def test_model_bound_written_out_and_as_a_table():
    assert hard_sharing.model_error_bound(0.0, 7.0, 0.3) == pytest.approx(0.3, rel=1e-14)
    room = 1 - 4 * np.sin(0.1)
    assert hard_sharing.model_error_bound(0.2, 2.0, 0.5) == pytest.approx(1.25 * np.sin(0.2) + 0.5 / room, rel=1e-14)
    angles, kappas = np.array([0.0, 0.1]), np.array([[1.0], [3.0]])
    table = hard_sharing.model_error_bound(angles, kappas, 0.1)
    for i, j in np.ndindex(2, 2):
        assert table[i, j] == hard_sharing.model_error_bound(angles[j], kappas[i, 0], 0.1)
    assert hard_sharing.model_error_bound(np.pi / 2, 9.0) == pytest.approx(41 / 9, rel=1e-14)


def test_angle_bound_holds_at_the_joint_optimum():
    """Two inputs, the best direction of a fine grid; the bound with the noise that was drawn."""
    turns = np.linspace(0, np.pi, 20001)[:-1]
    circle = np.column_stack([np.cos(turns), np.sin(turns)])
    close = []
    for _ in range(60):
        x1, x2 = RNG.normal(size=(40, 2)) * [1, RNG.uniform(0.2, 1)], RNG.normal(size=(8, 2))
        theta1, eps1 = RNG.normal(size=2), RNG.uniform(0, 1) * RNG.normal(size=40)
        y1, y2 = x1 @ theta1 + eps1, RNG.uniform(0.1, 1) * RNG.normal(size=8)
        value = sum((circle @ x.T @ y) ** 2 / np.sum((circle @ x.T) ** 2, axis=1) for x, y in ((x1, y1), (x2, y2)))
        b = circle[np.argmax(value)]
        alone1, alone2 = np.linalg.lstsq(x1, y1)[0], np.linalg.lstsq(x2, y2)[0]
        energies = np.linalg.norm(x1 @ alone1), np.linalg.norm(x2 @ alone2)
        ratio = energies[1] / energies[0] * np.sin(acute(x2 @ alone1, x2 @ alone2))
        w = x1 @ theta1 / np.linalg.norm(x1 @ theta1)
        inside = x1 @ alone1
        across = np.linalg.norm(inside - w * (w @ inside)) / abs(w @ y1)
        kappa = np.linalg.cond(x1)
        assert acute(b, alone1) <= hard_sharing.shared_angle_bound(min(ratio, 1), kappa) + 1e-3
        bound = hard_sharing.shared_angle_bound(min(ratio, 1), kappa, across)
        assert acute(b, theta1) <= bound + 1e-3
        close.append(bound < 1)
    assert sum(close) > 20


def test_angle_bound_written_out_and_its_limits():
    assert hard_sharing.shared_angle_bound(0.0, 5.0) == 0.0
    assert hard_sharing.shared_angle_bound(0.6, 1.0) == pytest.approx(np.arcsin(0.6), rel=1e-14)
    assert hard_sharing.shared_angle_bound(0.0, 1.0, 0.75) == pytest.approx(np.arctan(0.75), rel=1e-14)
    seen = np.arcsin(0.1) + np.arctan(0.2)
    assert hard_sharing.shared_angle_bound(0.1, 3.0, 0.2) == pytest.approx(2 * np.arctan(3 * np.tan(seen / 2)))
    assert hard_sharing.shared_angle_bound(1.0, 1.0, 5.0) == pytest.approx(np.pi / 2, rel=1e-14)
    assert hard_sharing.shared_angle_bound(0.5, 100.0) == pytest.approx(np.pi / 2, rel=1e-14)
    table = hard_sharing.shared_angle_bound([0.1, 0.2], [[1.0], [2.0]], 0.1)
    for i, j in np.ndindex(2, 2):
        assert table[i, j] == hard_sharing.shared_angle_bound([0.1, 0.2][j], [1.0, 2.0][i], 0.1)


def test_likely_noise_is_exceeded_as_rarely_as_said():
    d, sigma, signal, failure = 6, 2.0, 9.0, 0.2
    across, along = hard_sharing.likely_source_noise(signal, sigma, d, failure)
    drawn = sigma * RNG.normal(size=(40000, d))
    broken = (np.linalg.norm(drawn[:, 1:], axis=1) > across) | (signal + drawn[:, 0] < along)
    assert 0.001 < broken.mean() < failure
    tail = np.sqrt(2 * np.log(10))
    assert across == pytest.approx(2 * (np.sqrt(5) + tail), rel=1e-14)
    assert along == pytest.approx(9 - 2 * tail, rel=1e-14)
    assert hard_sharing.likely_source_noise(3.0, 0.0, 4, 0.1) == (0.0, 3.0)
