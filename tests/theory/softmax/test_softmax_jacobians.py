"""Mean Jacobians: independent logits, one direction, two classes, any covariance."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import softmax

from mtlbook_lib.theory.softmax import (
    binary_gain,
    isotropic_gain,
    mean_jacobian,
    mean_jacobian_independent,
    mean_jacobian_rank_one,
)


def normal(x):
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


@pytest.mark.parametrize("s", [0.5, 3.0, 40.0])
def test_one_direction_by_quadrature(s):
    u = np.array([0.9, -0.4, 0.1, 0.100001, -0.7])

    def product(x, i, j):
        p = softmax(s * x * u)
        return p[i] * p[j] * normal(x)

    jacobian = mean_jacobian_rank_one(s, u)
    for i, j in ((0, 1), (0, 4), (2, 3)):
        pieces = [quad(product, *ends, args=(i, j), epsabs=1e-13)[0] for ends in ((-9, -1), (-1, 0), (0, 1), (1, 9))]
        assert -jacobian[i, j] == pytest.approx(sum(pieces), abs=1e-11)


def test_binary_gain_by_quadrature_and_at_its_ends():
    for std in (0.05, 0.99, 1.01, 6.0):
        ends = (0, 10 * std)
        value = quad(lambda u, w=std: normal(u / w) / w / np.cosh(u / 2) ** 2 / 2, *ends, epsabs=1e-14, limit=300)[0]
        assert binary_gain(std) == pytest.approx(value, rel=1e-12)
        assert 2 * binary_gain(np.sqrt(2) * std) == pytest.approx(isotropic_gain(std, 2), rel=1e-12)
    assert binary_gain(0.0) == pytest.approx(0.25, rel=1e-14)
    assert binary_gain(1e9) * 1e9 == pytest.approx(1 / np.sqrt(2 * np.pi), rel=1e-14)
    loop = [[binary_gain(0.5)], [binary_gain(3.0)]]
    np.testing.assert_allclose(binary_gain([[0.5], [3.0]]), loop, rtol=1e-13, atol=0)
    assert type(binary_gain(1)) is float


def test_any_covariance_agrees_with_independent_logits():
    std = np.array([0.0, 0.4, 1.0, 2.0, 5.0])
    mean, error = mean_jacobian(np.diag(std**2), np.random.default_rng(5))
    assert np.all(np.abs(mean - mean_jacobian_independent(std)) < 5 * error + 1e-15)
    assert np.all(error < 2e-4)
    assert np.all(error > 0)


@pytest.mark.parametrize(
    "jacobian",
    [
        mean_jacobian_independent([0.0, 2.0, 50.0]),
        mean_jacobian_rank_one(3.0, [1.0, 0.5, -2.0]),
        mean_jacobian(np.diag([1.0, 2.0, 3.0]), np.random.default_rng(1), 8, 2)[0],
    ],
)
def test_jacobians_are_laplacians(jacobian):
    assert np.array_equal(jacobian, jacobian.T)
    assert np.abs(jacobian.sum(axis=0)).max() < 1e-15
    assert np.all(jacobian[~np.eye(3, dtype=bool)] < 0)


def test_any_covariance_sees_differences_only():
    rng = np.random.default_rng(6)
    factor = rng.normal(size=(5, 3))
    shifted = factor + rng.normal(size=3)
    first, _ = mean_jacobian(factor @ factor.T, np.random.default_rng(7))
    second, error = mean_jacobian(shifted @ shifted.T, np.random.default_rng(7))
    assert np.all(np.abs(first - second) < 5 * error)
