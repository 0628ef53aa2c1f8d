"""The tangent kernel by an integral, by random features, and by an infinitesimal step of a wide network."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import hilbert

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


def test_a_wide_network_moves_by_the_kernel_in_an_infinitesimal_step():
    width = 200_000
    w, v, y = RNG.standard_normal((width, 3)), RNG.standard_normal(width), RNG.standard_normal(6)
    rate = 1e-4

    def outputs(first, second, x):
        return np.maximum(x @ first.T, 0) @ second / np.sqrt(width)

    gap = y - outputs(w, v, X)
    on = (X @ w.T > 0).T
    first = w + rate * (on * v[:, None]) @ (gap[:, None] * X) / np.sqrt(width)
    second = v + rate * np.maximum(X @ w.T, 0).T @ gap / np.sqrt(width)
    moved = (outputs(first, second, Z) - outputs(w, v, Z)) / rate
    assert moved == pytest.approx(tangent_kernel(Z, X) @ gap, abs=0.05)


def test_scale_and_diagonal():
    assert np.diag(tangent_kernel(X, X)) == pytest.approx((X**2).sum(axis=1))
    assert tangent_kernel(2 * X, 3 * Z) == pytest.approx(6 * tangent_kernel(X, Z))
    assert tangent_kernel(X, -X).diagonal() == pytest.approx(np.zeros(6), abs=1e-7)
    assert np.linalg.eigvalsh(tangent_kernel(X, X)).min() > 0
    assert tangent_kernel(np.zeros((1, 3)), Z) == pytest.approx(np.zeros((1, 4)))


def test_parallel_inputs_have_an_angle_whatever_rounding_says():
    """The cosine of some is beyond ±1 by a rounding, and that of others within: an angle of 1e-8 instead of 0."""
    many = np.random.default_rng(0).standard_normal((300, 7))
    squares = (many**2).sum(axis=1)
    same, opposite = (tangent_kernel(many, sign * many).diagonal() for sign in (1, -1))
    assert same == pytest.approx(squares, rel=2e-8)
    assert opposite == pytest.approx(0 * squares, abs=1e-6)


def test_what_the_interpolator_may_miss():
    """Rounding leaves a residual of the condition number times 1e-16 of the targets: here 1e-13, then 1e-5."""
    targets = np.random.default_rng(0).standard_normal(10)
    small = hilbert(4)
    assert kernel_interpolator(small, targets[:4], small) == pytest.approx(targets[:4], rel=1e-10)
    with pytest.raises(RuntimeError, match=r"for kernel and y: the residual is .* above 1e-8 of y"):
        kernel_interpolator(hilbert(10), targets, hilbert(10))


def test_a_kernel_is_symmetric_up_to_rounding_of_its_largest_entry():
    """Also in entries that would be zero, which a relative tolerance of their own would not allow."""
    gram = 1e6 * np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 3.0]])
    for place, rounding, wrong in (((0, 1), 1e-7, 1e-3), ((0, 2), 1e-5, 1.0)):
        change = np.zeros((3, 3))
        change[place] = 1
        found = kernel_interpolator(gram + rounding * change, np.ones(3), gram)
        assert found == pytest.approx(np.ones(3), rel=1e-9)
        with pytest.raises(ValueError, match="kernel must be symmetric"):
            kernel_interpolator(gram + wrong * change, np.ones(3), gram)


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
