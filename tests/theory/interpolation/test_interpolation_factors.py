"""The fast factorisations, for well-conditioned equations, and the careful ones give the same interpolators."""

import numpy as np
import pytest
from sparse_tasks import task

from mtlbook_lib.theory import interpolation
from mtlbook_lib.theory.interpolation import constraints, mirror


def test_careful_factorisations_find_the_same_minimum(monkeypatch):
    x, y, beta = task(15, 40, 4)
    widths = np.geomspace(1e-4, 1e-1, 40)
    fast = interpolation.min_penalty(x, y, widths, beta / 2)
    monkeypatch.setattr(mirror, "_ALIKE", 1.0)
    monkeypatch.setattr(constraints, "_INDEPENDENT", 1.0)
    careful = interpolation.min_penalty(x, y, widths, beta / 2)
    np.testing.assert_allclose(fast, careful, rtol=0, atol=1e-12 * np.abs(careful).max())


@pytest.mark.parametrize("curvature", [np.geomspace(1e-6, 1, 40), np.geomspace(1e-13, 1, 40)])
def test_a_newton_direction_solves_its_equations(curvature):
    """The second set of curvatures is too wide for the product of the rows."""
    x, y, _ = task(15, 40, 4)
    rows, gap = constraints.orthonormal(x, y)
    direction = mirror._newton_direction(rows, curvature, gap)
    left = (rows * curvature) @ (rows.T @ direction)
    assert np.linalg.norm(left - gap) < 1e-9 * np.linalg.norm(gap)


def test_nearly_dependent_rows_are_left_to_the_singular_values():
    """A row that repeats another up to rounding takes no freedom."""
    x, y, _ = task(5, 12, 3)
    doubled, targets = np.vstack([x, x[0] * (1 + 1e-16)]), np.append(y, y[0])
    rows, _ = constraints.orthonormal(doubled, targets)
    assert rows.shape == (5, 12)
    np.testing.assert_allclose(rows @ rows.T, np.eye(5), atol=1e-14)
    found = interpolation.min_penalty(doubled, targets, 0.01)
    np.testing.assert_allclose(found, interpolation.min_penalty(x, y, 0.01), atol=1e-10)
