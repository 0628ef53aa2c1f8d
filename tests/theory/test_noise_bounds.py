"""Where the domains of the noise's formulas end: the last value that is taken, and the first that is refused."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import airy
from scipy.stats import norm

from mtlbook_lib.theory import marchenko_pastur, resolution, spiked, tracy_widom, truncation


def test_a_mass_may_exceed_the_total_by_rounding_and_not_by_more():
    assert marchenko_pastur.tail_quantile([0.5, 1 + 1e-14], 0.5)[1] == marchenko_pastur.support(0.5)[0]
    for bad in (1 + 1e-10, [0.5, 1 + 1e-10], [0.5, -1e-10]):
        with pytest.raises(ValueError, match="mass must lie in"):
            marchenko_pastur.tail_quantile(bad, 0.5)


@pytest.mark.parametrize("name", ["density", "tail_mass", "tail_quantile"])
def test_two_aspects_and_many_values_are_cut_into_blocks(name):
    function, values = getattr(marchenko_pastur, name), np.linspace(0, 1, 9001)
    both = function(values, np.array([[0.3], [0.8]]))
    for row, aspect in zip(both, (0.3, 0.8), strict=True):
        pieces = [function(piece, aspect) for piece in np.array_split(values, 4)]
        np.testing.assert_allclose(row, np.concatenate(pieces), rtol=1e-13, atol=1e-15)


def test_gain_and_rows_at_the_ends_of_their_ranges():
    assert resolution.accuracy_gain_error(1.0, 1, 0.5) == pytest.approx(np.sqrt(0.75))
    np.testing.assert_array_equal(resolution.accuracy_gain_error(0.25, 3, [0.25, -0.25]), np.sqrt((0.25 - 0.0625) / 3))
    assert resolution.accuracy_gain_error(0.0, 1e12) == 0
    assert resolution.area_gain_error([0.5, 0.999], 1e12, 1e12).shape == (2,)


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


def test_equal_strengths_are_in_order():
    assert truncation.truncation_error([2.0, 2.0], 1, 0.3) == pytest.approx(4 + 1 + 0.3 + 0.9 / 4)


@pytest.mark.parametrize("aspect", [0.1, 4.0])
def test_an_outlier_has_a_variance_just_above_the_threshold(aspect):
    s = aspect**0.25
    assert 0 < spiked.outlier_variance(1.01 * s, aspect, 50) < 0.1 * spiked.outlier_variance(3 * s, aspect, 50)
    with pytest.raises(ValueError, match="s must exceed"):
        spiked.outlier_variance(0.99 * s, aspect, 50)


def test_levels_and_columns_at_the_ends_of_their_ranges_are_taken():
    for level in (1e-9, 1 - 1e-9):
        quantile = tracy_widom.quantile(1e-9 if level > 0.5 else 1 - 1e-9)
        centre = (np.sqrt(2 - 1) + np.sqrt(300)) ** 2
        width = np.sqrt(centre) * (1 / np.sqrt(2 - 1) + 1 / np.sqrt(300)) ** (1 / 3)
        bound = np.sqrt((centre + width * quantile) / 2)
        marked = spiked.detected_modes(bound * np.array([1.0001, 0.9999]), 300, 2, level, scale=1.0)
        np.testing.assert_array_equal(marked, [True, False])


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


def test_the_distribution_stays_between_0_and_1_and_rises():
    values = tracy_widom.cdf(np.linspace(-14, 20, 69))
    assert 0 <= values.min() < 1e-15
    assert 1 - 1e-15 < values.max() <= 1
    assert np.diff(values).min() > -1e-15
