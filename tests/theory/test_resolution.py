"""What a test set resolves: formulas against counting, sampling and quadrature."""

import numpy as np
import pytest
from scipy import integrate, stats

from mtlbook_lib.theory import resolution


def test_gain_of_two_rows_by_counting_all_outcomes():
    chances = {1.0: 0.25, 0.0: 0.6, -1.0: 0.15}
    pairs = [((a + b) / 2, p * q) for a, p in chances.items() for b, q in chances.items()]
    mean = sum(value * chance for value, chance in pairs)
    error = np.sqrt(sum((value - mean) ** 2 * chance for value, chance in pairs))
    assert resolution.accuracy_gain_error(0.4, 2, mean) == pytest.approx(error, rel=1e-12)


def test_one_area_by_quadrature():
    """The variance of a Mann-Whitney statistic, with its two chances integrated."""
    area, n1, n0 = 0.8, 7, 30
    shift = np.sqrt(2) * stats.norm.ppf(area)
    above = integrate.quad(lambda x: stats.norm.cdf(x) ** 2 * stats.norm.pdf(x - shift), -9, 12)[0]
    below = integrate.quad(lambda x: stats.norm.sf(x - shift) ** 2 * stats.norm.pdf(x), -9, 12)[0]
    variance = (area * (1 - area) + (n1 - 1) * (below - area**2) + (n0 - 1) * (above - area**2)) / (n1 * n0)
    assert resolution.area_gain_error(area, n1, n0) == pytest.approx(np.sqrt(2 * variance), rel=1e-9)


def test_limits():
    assert resolution.area_gain_error(0.8, 10, 20, 1.0) == 0.0
    # One pair of rows is right or wrong: the variance of a coin.
    assert resolution.area_gain_error(0.8, 1, 1) == pytest.approx(np.sqrt(2 * 0.8 * 0.2))
    assert resolution.area_gain_error(0.999, 1, 1e12) < resolution.area_gain_error(0.999, 1, 1e11)
    assert resolution.area_gain_error(0.8, 40, 80) == pytest.approx(resolution.area_gain_error(0.8, 80, 40))
    assert (resolution.accuracy_gain_error([0.1, 0.2], 400) == np.sqrt(np.array([0.1, 0.2]) / 400)).all()


@pytest.mark.parametrize(("prevalence", "share"), [(0.5, 0.2), (0.03, 0.2), (0.7, 0.9)])
def test_factor_from_the_joint_law_of_true_and_drawn_labels(prevalence, share):
    """The correlation of the two labels, from the chances of the four pairs."""
    p, s = prevalence, share
    chances = {(1, 1): p * (1 - s / 2), (1, 0): p * s / 2, (0, 1): (1 - p) * s / 2, (0, 0): (1 - p) * (1 - s / 2)}
    mean = [sum(pair[i] * chance for pair, chance in chances.items()) for i in (0, 1)]
    moment = {(i, j): sum((pair[i] - mean[i]) * (pair[j] - mean[j]) * chance for pair, chance in chances.items())
              for i in (0, 1) for j in (0, 1)}  # fmt: skip
    expected = moment[0, 1] / np.sqrt(moment[0, 0] * moment[1, 1])
    assert resolution.random_label_factor(p, s) == pytest.approx(expected, rel=1e-12)
