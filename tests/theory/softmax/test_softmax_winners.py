"""How many classes can win: against hulls of random points, another quadrature, and simplices."""

from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from mtlbook_lib.theory.softmax import expected_winners


@pytest.mark.parametrize(("k", "rank"), [(5, 2), (30, 2), (1000, 2), (5, 3), (30, 3), (1000, 3), (10_000, 3)])
def test_an_adaptive_quadrature_agrees(k, rank):
    """Over the distance, in logarithms, split where the integrand has its peak."""

    def integrand(x):
        return np.exp(norm.logpdf(x, scale=rank**-0.5) + (k - rank) * norm.logcdf(x))

    grid = np.linspace(-8, 12, 4001)
    peak = grid[np.argmax(integrand(grid))]
    mean = sum(quad(integrand, *ends, epsabs=0, epsrel=1e-12, limit=200)[0] for ends in ((-8, peak), (peak, 14)))
    facets = 2 * comb(k, rank) * mean
    assert expected_winners(k, rank) == pytest.approx(facets if rank == 2 else 2 + facets / 2, rel=1e-9)


def test_simplices_and_segments():
    assert [expected_winners(k, 1) for k in (2, 3, 50)] == pytest.approx([2, 2, 2], abs=1e-12)
    assert [expected_winners(3, 2), expected_winners(4, 3), expected_winners(3, 3)] == [3, 4, 3]
    np.testing.assert_allclose(expected_winners([[3, 10], [20, 4]], 2)[1, 0], expected_winners(20, 2))
