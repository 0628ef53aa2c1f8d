"""The repaired steps of Theorem 2: written out, obeyed by random instances, attained where they are sharp."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing


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
