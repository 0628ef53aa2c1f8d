"""Independent and isotropic logits to twelve digits, by plain double sums over thresholds and logits, and far apart."""

import numpy as np
import pytest
from scipy.special import log_ndtr

from mtlbook_lib.theory.softmax import (
    expected_maximum,
    isotropic_excess,
    isotropic_gain,
    isotropic_log_partition,
    isotropic_participation,
    isotropic_slope_deficit,
    mean_jacobian_independent,
)


def law(x, std):
    """log Q, q and E exp(-2y - exp(-y)) of a logit with Gumbel noise at thresholds x: a fine, wide sum over logits."""
    z = np.arange(-18.0, 18.0 + x[-1] / max(std, 3.0), min(0.4, 0.25 / max(std, 0.1)))
    weights = (z[1] - z[0]) * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    above = np.minimum(std * z - x[:, None], 7.0)  # exp(-exp(7)) is 0
    chance = np.exp(-np.exp(above))
    tail, cdf = -np.expm1(-np.exp(above)) @ weights, chance @ weights
    log_cdf = np.where(tail < 0.5, np.log1p(-np.minimum(tail, 0.5)), np.log(np.maximum(cdf, 1e-300)))
    return log_cdf, (np.exp(above) * chance) @ weights, (np.exp(2 * above) * chance) @ weights


def thresholds(std, k):
    top = np.log(k) + 45.0
    return np.arange(-10.0 * std - 5.0, std * np.sqrt(2 * top) + top, 0.15 + 0.01 * std)


CASES = [(0.0, 2), (0.0, 1000), (0.3, 10), (0.9, 2), (1.05, 2), (1.9, 10**7), (2.0, 2), (2.5, 2**52), (3.1, 10**7)]


@pytest.mark.parametrize(("s", "k"), [*CASES, (7.3, 10**9), (13.0, 2**52), (17.0, 3)])
def test_isotropic_logits_by_double_sums(s, k):
    x = thresholds(s, k)
    log_cdf, density, squared = law(x, s)
    step = x[1] - x[0]
    gain = step * k * np.sum(density**2 * np.exp((k - 2) * log_cdf))
    mean = step * k * np.sum(x * density * np.exp((k - 1) * log_cdf))
    shared = step * k * np.sum(squared * np.exp((k - 1) * log_cdf))
    assert isotropic_gain(s, k) == pytest.approx(gain, rel=1e-12, abs=0)
    assert isotropic_log_partition(s, k) == pytest.approx(mean - np.euler_gamma, rel=1e-12, abs=0)
    assert isotropic_participation(s, k) == pytest.approx(shared, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "std", [[0.0, 0.0], [0.0, 1e-3, 0.3, 2.7], [0.0, 5.0, 6.0], [2.5, 0.0, 1.9, 2.1], [1.0] + [0.0] * 40 + [4.0]]
)
def test_independent_logits_by_double_sums(std):
    x = thresholds(max(std), len(std))
    laws = [law(x, one)[:2] for one in std]
    everything = sum(log_cdf for log_cdf, _ in laws)
    jacobian = mean_jacobian_independent(std)
    for i in range(0, len(std), 1 if len(std) < 9 else 7):
        for j in range(i):
            others = everything - laws[i][0] - laws[j][0]
            ties = (x[1] - x[0]) * np.sum(laws[i][1] * laws[j][1] * np.exp(others))
            assert jacobian[i, j] == pytest.approx(-ties, rel=2e-12, abs=0)


def panels(edges):
    """Gauss–Legendre nodes and weights on panels."""
    nodes, weights = np.polynomial.legendre.leggauss(30)
    half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (centre[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


@pytest.mark.parametrize("s", [1.0, 30.0, 49.9, 50.0, 60.0, 74.0, 1e4])
def test_two_classes_far_apart_without_cancellation(s):
    """The loss is E log(1 + exp(-|u|)) of the difference u of two logits; its slope is minus the deficit."""
    u, weights = panels(np.linspace(0.0, 45.0, 91))
    width = s * np.sqrt(2)
    terms = weights * np.sqrt(2 / np.pi) * np.exp(-((u / width) ** 2) / 2) / width * np.log1p(np.exp(-u))
    accuracy = 1e-14 if s >= 50 else 1e-11
    assert isotropic_excess(s, 2) == pytest.approx(np.sum(terms), rel=accuracy, abs=0)
    slope = np.sum(terms * (1 - (u / width) ** 2)) / s
    assert isotropic_slope_deficit(s, 2) == pytest.approx(slope, rel=accuracy if s >= 50 else 1e-9, abs=0)
    assert 1 - isotropic_participation(s, 2) == pytest.approx((expected_maximum(2) - slope) / s, rel=1e-11)


@pytest.mark.parametrize("k", [1000, 10**9, 10**12, 2**52])
def test_largest_of_very_many(k):
    """Its mean is the integral of the chance to lie above; below 0 it never is."""
    x, weights = panels(np.linspace(0.0, 14.0, 141))
    assert expected_maximum(k) == pytest.approx(-weights @ np.expm1(k * log_ndtr(x)), rel=3e-14)
