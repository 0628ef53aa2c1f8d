"""Part I read a second time: its formulas and records against computations that share no code with the library."""

import numpy as np
import pytest
from own_noise import bulk_grid, hidden_overlap, resolvents

from mtlbook_lib.theory import marchenko_pastur, spiked


def noise(rng, draws, rows, columns):
    return rng.standard_normal((draws, rows, columns)) / np.sqrt(columns)


def outlier_variance(strength, rows, columns):
    """Fluctuation of log(g_u g_v) - 2 log(1/s - g_uv) at its zero, times the number of columns."""
    aspect = rows / columns
    z = np.sqrt((1 + strength**2) * (aspect + strength**2)) / strength
    s, mass = bulk_grid(aspect)
    full = {"rows": min(1, 1 / aspect), "columns": min(1, aspect)}

    def mean(func, side):
        return full[side] * (func(s) @ mass) + (1 - full[side]) * func(0.0)

    slope, variance = 0.0, 0.0
    for side, size in (("rows", rows), ("columns", columns)):
        first = mean(lambda x: 1 / (z**2 - x**2), side)
        second = mean(lambda x: 1 / (z**2 - x**2) ** 2, side)
        slope += 1 / z - 2 * z * second / first
        variance += 2 / size * (second - first**2) / first**2
    between = min(rows, columns) / (rows * columns) * ((s**2 / (z**2 - s**2) ** 2) @ mass)
    return columns * (variance + 4 * strength**2 * between) / slope**2


@pytest.mark.claims("outlier-variance")
@pytest.mark.parametrize(
    ("rows", "columns", "strength"), [(50, 200, 3.0), (50, 100, 2.0), (100, 100, 3.0), (200, 100, 4.0)]
)
def test_outlier_variance_from_three_fluctuating_averages(rows, columns, strength):
    printed = columns * spiked.outlier_variance(strength, rows / columns, columns)
    assert outlier_variance(strength, rows, columns) == pytest.approx(printed, rel=1e-6)


@pytest.mark.claims("hidden-overlap-density")
@pytest.mark.parametrize(("strength", "aspect"), [(0.6, 0.5), (0.9, 1.0), (2.0, 0.5), (2.0, 1.0)])
def test_hidden_overlap_from_the_resolvent(strength, aspect):
    s = np.linspace(*marchenko_pastur.support(aspect), 9)[1:-1]
    np.testing.assert_allclose(
        spiked.bulk_cross_density(s, strength, aspect), hidden_overlap(s, strength, aspect), rtol=1e-6
    )


@pytest.mark.claims("mp-simulation")
def test_law_from_the_resolvent():
    for aspect in (0.25, 0.5, 1.0):
        s = np.linspace(*marchenko_pastur.support(aspect), 9)[1:-1]
        own = -2 / np.pi * resolvents(s + 1e-12j, aspect)[0].imag
        np.testing.assert_allclose(marchenko_pastur.density(s, aspect), own, rtol=1e-6)


@pytest.mark.claims("outlier-position", "outlier-overlap", "spiked-any-aspect")
@pytest.mark.parametrize(("rows", "columns", "strength"), [(50, 100, 2.0), (60, 60, 1.5), (100, 50, 2.5)])
def test_outlier_and_overlaps_of_drawn_data(rows, columns, strength):
    data = noise(np.random.default_rng(31), 150, rows, columns)
    data[:, 0, 0] += strength  # Gaussian noise looks alike from every side
    left, values, right = np.linalg.svd(data, full_matrices=False)
    measured = np.stack([values[:, 0], left[:, 0, 0] ** 2, right[:, 0, 0] ** 2])
    expected = np.array(spiked.spike(np.array([strength]), rows, columns, 1 / columns))[:, 0]
    error = measured.std(axis=1, ddof=1) / np.sqrt(150)
    assert np.all(np.abs(measured.mean(axis=1) - expected) < 4 * error + 0.01)
    assert np.all(error < 0.012)


@pytest.mark.claims("edge-position", "edge-spread")
def test_edge_needs_the_centring_for_its_size():
    values = np.linalg.svd(noise(np.random.default_rng(32), 1500, 50, 50), compute_uv=False)[:, 0]
    error = values.std() / np.sqrt(values.size)
    mean, spread = spiked.largest_noise_singular_value(50, 50)
    assert abs(values.mean() - mean) < 4 * error
    assert abs(values.mean() - (2 - 1.2065 * 2 ** (-2 / 3) * 50 ** (-2 / 3))) > 4 * error
    assert values.std(ddof=1) == pytest.approx(spread, rel=4 / np.sqrt(3000))


@pytest.mark.claims("noise-keeps-nothing")
def test_level_of_noise_that_keeps_nothing():
    rng = np.random.default_rng(33)
    values = np.linalg.svd(noise(rng, 150, 50, 200), compute_uv=False)
    kept = {level: spiked.detected_modes(values, 50, 200, level=level).any(axis=1).mean() for level in (1e-4, 0.3)}
    assert kept[1e-4] == 0
    assert kept[0.3] > 0.15


@pytest.mark.claims("shrinker-identity")
@pytest.mark.parametrize("aspect", [0.3, 0.5, 1.0])
def test_shrinkage_minimises_the_error_of_a_mode(aspect):
    s = np.linspace(1.5, 8, 14)
    noisy = np.sqrt((1 + s**2) * (aspect + s**2)) / s
    cosines = (s**4 - aspect) / (s**2 * np.sqrt((s**2 + aspect) * (s**2 + 1)))
    grid = np.linspace(0, 10, 200_001)
    best = [grid[np.argmin((grid - a) ** 2 + 2 * grid * a * (1 - c))] for a, c in zip(s, cosines, strict=True)]
    np.testing.assert_allclose(spiked.optimal_shrinkage(noisy, aspect), best, atol=5e-5)
