"""The spiked matrix: closed forms against integrals of the noise's law, limits, symmetries, inverse pairs."""

import numpy as np
import pytest
from scipy.integrate import quad

from mtlbook_lib.theory import marchenko_pastur, spiked

ASPECTS = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0]


class Resolvent:
    """Averages over the singular values x of noise at a point z beyond the edge, from the printed density.

    `rows` and `cols` are <z/(z²-x²)> per row and per column, zero modes included; the squares average (z/(z²-x²))².
    """

    def __init__(self, z, aspect):
        edges = abs(1 - np.sqrt(aspect)), 1 + np.sqrt(aspect)

        def average(power):
            def integrand(angle):  # x² = 1 + A + 2√A cos(angle), so that the edges of the density are smooth
                x = np.sqrt(1 + aspect + 2 * np.sqrt(aspect) * np.cos(angle))
                density_times_width = 2 * np.sin(angle) ** 2 / (np.pi * x**2) if x > 1e-9 else 2 / np.pi
                return density_times_width * (z / (z**2 - x**2)) ** power

            return quad(integrand, 0, np.pi, epsabs=1e-13, epsrel=1e-13, limit=200)[0]

        mass = min(1, 1 / aspect)
        assert edges[1] <= z
        self.rows, self.rows_squared = (average(k) + (1 - mass) / z**k for k in (1, 2))
        self.cols, self.cols_squared = (aspect * average(k) + (1 - aspect * mass) / z**k for k in (1, 2))
        self.cross_squared = self.rows_squared - self.rows / z  # <x²/(z²-x²)²>

    def slope(self, z):
        """Derivative in z of rows · cols."""
        rows, cols = self.rows / z - 2 * self.rows_squared, self.cols / z - 2 * self.cols_squared
        return rows * self.cols + self.rows * cols


def signals(aspect):
    return aspect**0.25 * np.array([1.02, 1.3, 2.0, 5.0])


@pytest.mark.parametrize("aspect", ASPECTS)
def test_overlaps_are_the_residues_at_the_outlier(aspect):
    for s in signals(aspect):
        z = spiked.noisy_singular_value(s, aspect)
        resolvent = Resolvent(z, aspect)
        scale = -2 / (s**2 * resolvent.slope(z))
        assert spiked.left_overlap(s, aspect) ** 2 == pytest.approx(scale * resolvent.rows, abs=1e-9)
        assert spiked.right_overlap(s, aspect) ** 2 == pytest.approx(scale * resolvent.cols, abs=1e-9)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_outlier_variance_is_the_resolvent_formula(aspect):
    n_cols = 70
    for s in signals(aspect)[1:]:
        z = spiked.noisy_singular_value(s, aspect)
        r = Resolvent(z, aspect)
        left = 2 * (r.rows_squared - r.rows**2) / (aspect * n_cols)
        right = 2 * (r.cols_squared - r.cols**2) / n_cols
        cross = r.cross_squared / n_cols
        moved = 4 * s**2 * cross + s**4 * (r.cols**2 * left + r.rows**2 * right)
        expected = moved / (s**2 * r.slope(z)) ** 2
        assert spiked.outlier_variance(s, aspect, n_cols) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_nothing_is_seen_at_or_below_threshold(aspect):
    critical = spiked.threshold(aspect)
    assert critical == pytest.approx(aspect**0.25, abs=1e-16)
    below = critical * np.array([0, 0.3, 0.999, 1])
    np.testing.assert_array_equal(spiked.noisy_singular_value(below, aspect), 1 + np.sqrt(aspect))
    for overlap in (spiked.left_overlap, spiked.right_overlap, spiked.overlap):
        np.testing.assert_array_equal(overlap(below, aspect), 0)
        assert overlap(1.001 * critical, aspect) > 0
    assert spiked.noisy_singular_value(1.01 * critical, aspect) > 1 + np.sqrt(aspect)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_clean_and_noisy_values_are_inverse(aspect):
    s = aspect**0.25 * np.array([1.01, 1.1, 2, 30, 1e8])
    back = spiked.clean_singular_value(spiked.noisy_singular_value(s, aspect), aspect)
    np.testing.assert_allclose(back, s, rtol=1e-10)
    s_hat = (1 + np.sqrt(aspect)) * np.array([1, 1 + 1e-9, 1.1, 3, 1e8])
    there = spiked.noisy_singular_value(spiked.clean_singular_value(s_hat, aspect), aspect)
    np.testing.assert_allclose(there, s_hat, rtol=1e-12)
    assert spiked.clean_singular_value(1 + np.sqrt(aspect), aspect) == pytest.approx(aspect**0.25, rel=1e-15)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_optimal_shrinkage_is_signal_times_overlap(aspect):
    s = signals(aspect)
    s_hat = spiked.noisy_singular_value(s, aspect)
    np.testing.assert_allclose(spiked.optimal_shrinkage(s_hat, aspect), s * spiked.overlap(s, aspect), rtol=1e-10)
    printed = np.sqrt((s_hat**2 - 1 - aspect) ** 2 - 4 * aspect) / s_hat
    np.testing.assert_allclose(spiked.optimal_shrinkage(s_hat, aspect), printed, rtol=1e-11)
    bulk = (1 + np.sqrt(aspect)) * np.array([0, 0.5, 0.999, 1])
    np.testing.assert_array_equal(spiked.optimal_shrinkage(bulk, aspect), 0)


@pytest.mark.parametrize(("n_rows", "n_cols"), [(30, 120), (120, 30), (50, 50)])
@pytest.mark.parametrize("variance", [0.01, 3.0])
def test_spike_is_symmetric_and_scales(n_rows, n_cols, variance):
    theta = (variance**2 * n_rows * n_cols) ** 0.25 * np.array([0, 0.5, 0.99, 1.01, 1.7, 20])
    s_hat, left, right = spiked.spike(theta, n_rows, n_cols, variance)
    transposed = spiked.spike(theta, n_cols, n_rows, variance)
    for one, other in zip((s_hat, right, left), transposed, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(s_hat[:3], np.sqrt(variance) * (np.sqrt(n_rows) + np.sqrt(n_cols)), rtol=1e-14)
    np.testing.assert_array_equal([left[:3], right[:3]], 0)
    t, rows, cols = theta[3:], variance * n_rows, variance * n_cols
    np.testing.assert_allclose(s_hat[3:], np.sqrt((t**2 + rows) * (t**2 + cols)) / t, rtol=1e-13)
    np.testing.assert_allclose(left[3:], (t**4 - rows * cols) / (t**2 * (t**2 + rows)), rtol=1e-11)
    np.testing.assert_allclose(right[3:], (t**4 - rows * cols) / (t**2 * (t**2 + cols)), rtol=1e-11)


def test_noise_scale_reads_the_median_in_either_orientation():
    """A spectrum whose median is that of noise has scale 1, however strong the other values are."""
    values = np.array([100.0, 0, 1e-3])
    for n_rows, n_cols in ((3, 12), (12, 3), (3, 3)):
        entry_deviation = 0.7
        small, large = min(n_rows, n_cols), max(n_rows, n_cols)
        values[1] = entry_deviation * np.sqrt(large * marchenko_pastur.median_eigenvalue(small / large))
        assert spiked.noise_scale(values, n_rows, n_cols) == pytest.approx(0.7 * np.sqrt(n_cols), rel=1e-14)
    batch = np.stack([values, 2 * values])
    np.testing.assert_allclose(spiked.noise_scale(batch, 3, 3), spiked.noise_scale(values, 3, 3) * np.array([1, 2]))


def test_detected_modes_lie_beyond_the_quantile_of_the_edge():
    n_rows, n_cols = 40, 160
    centre = (np.sqrt(159) + np.sqrt(40)) ** 2
    width = np.sqrt(centre) * (1 / np.sqrt(159) + 1 / np.sqrt(40)) ** (1 / 3)
    bound = np.sqrt((centre + 2.0234493 * width) / n_cols)  # 2.02345: the published 99 % point
    values = np.concatenate([[9.0, 1.0001 * bound, 0.9999 * bound], np.full(37, 1.0)])
    expected = [True, True, *[False] * 38]
    np.testing.assert_array_equal(spiked.detected_modes(values, n_rows, n_cols, scale=1.0), expected)
    scaled = spiked.detected_modes(np.stack([values, 3 * values]), n_rows, n_cols, scale=[1.0, 3.0])
    np.testing.assert_array_equal(scaled, [expected, expected])
    assert spiked.detected_modes(values, n_rows, n_cols).shape == (40,)


def _without_noise_everywhere(kind):
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((50, 100)) / 10
    if kind == "zero columns":
        matrix[:, 25:] = 0
    elif kind == "zero rows":
        matrix[:25] = 0
    elif kind == "copies":
        matrix[40:] = matrix[:10]
    elif kind == "one direction":
        matrix -= matrix.mean(axis=0)
    else:
        matrix = rng.standard_normal((50, 3)) @ rng.standard_normal((3, 100))
    return np.linalg.svd(matrix, compute_uv=False)


@pytest.mark.parametrize("kind", ["zero columns", "zero rows", "copies", "one direction", "low rank without noise"])
def test_no_noise_is_estimated_where_directions_have_none(kind):
    values = _without_noise_everywhere(kind)
    noise = np.linalg.svd(np.random.default_rng(1).standard_normal((50, 100)) / 10, compute_uv=False)
    for function in (spiked.noise_scale, spiked.detected_modes):
        for given in (values, np.stack([noise, values])):
            with pytest.raises(ValueError, match=r"singular_values must be those of noise .* 0 up to rounding"):
                function(given, 50, 100)
    assert not spiked.detected_modes(values, 50, 100, scale=2.0).any() or kind == "low rank without noise"


def test_zero_columns_of_the_longer_side_are_seen_at_the_lower_edge():
    """All singular values are above 0 then; without the check, five of noise would be marked."""
    noise = np.random.default_rng(2).standard_normal((40, 50, 200)) / np.sqrt(200)
    half = np.linalg.svd(noise[..., :100], compute_uv=False)
    for kept in half:
        with pytest.raises(ValueError, match="singular_values must be those of noise of the size 50 × 200"):
            spiked.detected_modes(kept, 50, 200)
        with pytest.raises(ValueError, match="noise of the size 200 × 50"):
            spiked.detected_modes(kept, 200, 50)
    assert spiked.detected_modes(half, 50, 100, level=1e-4).sum() == 0
    assert spiked.detected_modes(half, 50, 200, scale=1.0).sum() == 0
