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


def test_a_coordinate_crosses_all_of_the_range():
    """From -1e50 to 1e45 at a width of 1e-200 the exponent changes by 1150, by 2 in a step."""
    np.testing.assert_allclose(interpolation.min_penalty([[1.0]], [1e45], 1e-200, -1e50), [1e45], rtol=1e-12)


def test_wide_coordinates_bend_by_less_than_a_last_step_neglects():
    """Exponents change by 1e-5; a last step taken linearly would leave half of the square of that."""
    x, y, _ = task(4, 9, 3)
    kappa, start = np.full(9, 1e5), 1e5 * np.linspace(-1, 2, 9)
    beta = interpolation.min_penalty(x, x @ start + y, kappa, start)
    assert interpolation.stationarity_residual(x, beta, kappa, start) < 1e-9


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_change_of_sign_is_not_taken_for_rounding(scale):
    """Close to zero the coefficients are stiff, and Newton's decrement rises before it falls."""
    x, start = [[1.0, 0.5]], [-scale, -scale]
    beta = interpolation.min_penalty(x, [scale], 1e-6 * scale, start)
    assert interpolation.stationarity_residual(x, beta, 1e-6 * scale, start) < 1e-12
