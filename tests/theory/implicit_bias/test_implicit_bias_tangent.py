"""The tangent kernel by an integral, and its interpolator by random features."""

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory.implicit_bias import kernel_interpolator, tangent_kernel

RNG = np.random.default_rng(5)
X, Z = RNG.standard_normal((6, 3)), RNG.standard_normal((4, 3))


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.3, 2.6, np.pi])
def test_the_kernel_is_an_integral_over_directions_of_a_unit(angle):
    """A Gaussian vector in the plane of the inputs has mean squared length 2, and a uniform direction."""
    both = [a for a in (np.pi / 2, angle - np.pi / 2) if -np.pi < a < np.pi]
    features = quad(lambda a: max(np.cos(a), 0) * max(np.cos(a - angle), 0), -np.pi, np.pi, points=both)[0] / np.pi
    slopes = quad(lambda a: (np.cos(a) > 0) * (np.cos(a - angle) > 0), -np.pi, np.pi, points=both)[0] / (2 * np.pi)
    found = tangent_kernel([[1.0, 0.0]], [[np.cos(angle), np.sin(angle)]])[0, 0]
    assert found == pytest.approx(features + np.cos(angle) * slopes, abs=1e-7)


def test_parallel_inputs_have_an_angle_whatever_rounding_says():
    """The cosine of some is beyond ±1 by a rounding, and that of others within: an angle of 1e-8 instead of 0."""
    many = np.random.default_rng(0).standard_normal((300, 7))
    squares = (many**2).sum(axis=1)
    same, opposite = (tangent_kernel(many, sign * many).diagonal() for sign in (1, -1))
    assert same == pytest.approx(squares, rel=2e-8)
    assert opposite == pytest.approx(0 * squares, abs=1e-6)


def test_the_interpolator_fits_and_has_the_least_norm():
    y = RNG.standard_normal(6)
    gram = tangent_kernel(X, X)
    assert kernel_interpolator(gram, y, gram) == pytest.approx(y)
    # With explicit features it is the least-norm solution of the linear problem.
    features, new = RNG.standard_normal((6, 20)), RNG.standard_normal((4, 20))
    wanted = new @ (np.linalg.pinv(features) @ y)
    assert kernel_interpolator(features @ features.T, y, new @ features.T) == pytest.approx(wanted)
    # The residual that is allowed is one of the targets' unit.
    huge = kernel_interpolator(features @ features.T, 1e12 * y, new @ features.T)
    assert huge == pytest.approx(1e12 * wanted)
    assert np.all(kernel_interpolator(gram, np.zeros(6), gram) == 0)
