"""The noise's formulas at the ends of their domains, and by second routes."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import airy
from scipy.stats import norm

from mtlbook_lib.theory import marchenko_pastur, resolution, tracy_widom


def test_a_mass_may_exceed_the_total_by_rounding_and_not_by_more():
    assert marchenko_pastur.tail_quantile([0.5, 1 + 1e-14], 0.5)[1] == marchenko_pastur.support(0.5)[0]
    for bad in (1 + 1e-10, [0.5, 1 + 1e-10], [0.5, -1e-10]):
        with pytest.raises(ValueError, match="mass must lie in"):
            marchenko_pastur.tail_quantile(bad, 0.5)


@pytest.mark.parametrize(("area", "rho"), [(0.5, 0.3), (0.83, 0.7), (0.97, 0.05)])
def test_the_error_of_paired_areas_is_its_formula_with_the_normal_law_integrated(area, rho):
    n1, n0, h = 6, 17, norm.ppf(area)

    def excess(correlation):
        rest = np.sqrt(1 - correlation**2)
        both = quad(lambda x: norm.pdf(x) * norm.cdf((h - correlation * x) / rest), -12, h, epsabs=1e-14)[0]
        return both - area**2

    def covariance(same_pair, correlation):
        return (same_pair + (n1 + n0 - 2) * excess(correlation / 2)) / (n1 * n0)

    expected = np.sqrt(2 * (covariance(area - area**2, 1) - covariance(excess(rho), rho)))
    assert resolution.area_gain_error(area, n1, n0, rho) == pytest.approx(expected, rel=1e-9)


def test_the_distribution_is_that_of_the_painleve_transcendent():
    """F = exp(-1/2 of the integral of q(s) + (s - x) q(s)^2 from x on), q'' = s q + 2 q^3, and q like Ai far out."""
    start, x = 9.0, np.array([6.0, 3.0, 1.0, -0.5, -2.0, -3.5])

    def slopes(s, y):
        q, slope, _, square, _ = y
        return [slope, s * q + 2 * q**3, -q, -(q**2), -square]

    def beyond(power):
        return quad(lambda s: airy(s)[0] ** power, start, 25, epsabs=1e-30)[0]

    twice = quad(lambda s: (s - start) * airy(s)[0] ** 2, start, 25, epsabs=1e-30)[0]
    first = [*airy(start)[:2], beyond(1), beyond(2), twice]
    path = solve_ivp(slopes, (start, x[-1]), first, "DOP853", t_eval=x, rtol=1e-13, atol=1e-22)
    expected = np.exp(-(path.y[2] + path.y[4]) / 2)
    np.testing.assert_allclose(tracy_widom.cdf(x), expected, rtol=0, atol=2e-11)
