"""Draws of noise agree with the spiked matrix's formulas, within four standard errors and a stated finite-size bias."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import eigh_tridiagonal
from scipy.stats import binom, chi2

from mtlbook_lib.theory import marchenko_pastur, spiked

N_COLS = 60
DRAWS = 1000
# Of order 1/size; measured with 3000 draws of 60 columns and 1000 of 120: at most 0.4, 0.2 and, in one bin, 0.3.
OUTLIER_BIAS, OVERLAP_BIAS, BIN_BIAS = 0.6 / N_COLS, 0.3 / N_COLS, 0.3 / N_COLS


def noise(n_draws, n_rows, n_cols, seed):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n_draws, n_rows, n_cols)) / np.sqrt(n_cols)


def planted(n_draws, n_rows, n_cols, s, seed):
    """Noise with a signal on the two constant unit vectors, whose direction the noise does not know."""
    return noise(n_draws, n_rows, n_cols, seed) + s / np.sqrt(n_rows * n_cols)


def z_score(samples, expected, allowance=0.0):
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    return np.max(np.maximum(np.abs(samples.mean(axis=0) - expected) - allowance, 0) / error)


@pytest.fixture(scope="module", params=[(0.25, 1.2), (0.5, 2.0), (1.0, 2.0), (2.0, 3.0)], ids=str)
def outliers(request):
    aspect, s = request.param
    n_rows = int(aspect * N_COLS)
    left, values, right = np.linalg.svd(planted(DRAWS, n_rows, N_COLS, s, seed=1), full_matrices=False)
    overlaps = [np.abs(left[:, :, 0].sum(axis=1)) / np.sqrt(n_rows), np.abs(right[:, 0].sum(axis=1)) / np.sqrt(N_COLS)]
    return aspect, s, values[:, 0], *overlaps


def test_outlier(outliers):
    aspect, s, top, _, _ = outliers
    assert z_score(top, spiked.noisy_singular_value(s, aspect), OUTLIER_BIAS) < 4


def test_overlaps_of_rows_and_columns(outliers):
    aspect, s, _, left, right = outliers
    assert z_score(left, spiked.left_overlap(s, aspect), OVERLAP_BIAS) < 4
    assert z_score(right, spiked.right_overlap(s, aspect), OVERLAP_BIAS) < 4
    assert z_score(left * right, spiked.overlap(s, aspect), OVERLAP_BIAS) < 4


def test_outlier_variance(outliers):
    """The sample variance of a Gaussian follows a chi-squared law; corrections of order 1/size widen its window."""
    aspect, s, top, _, _ = outliers
    ratio = top.var(ddof=1) / spiked.outlier_variance(s, aspect, N_COLS)
    low, high = chi2.ppf([3e-5, 1 - 3e-5], DRAWS - 1) / (DRAWS - 1)
    assert low / (1 + 3 / N_COLS) < ratio < high * (1 + 3 / N_COLS)


@pytest.mark.parametrize(("n_rows", "n_cols", "s"), [(240, 60, 1.2), (60, 240, 0.6)])
def test_below_the_threshold_of_an_oblong_matrix_nothing_sticks_out(n_rows, n_cols, s):
    """The thresholds are √2 and 1/√2; the first signal would be seen in a square matrix."""
    bare = np.linalg.svd(noise(40, n_rows, n_cols, seed=2), compute_uv=False)[:, 0]
    with_signal = np.linalg.svd(planted(40, n_rows, n_cols, s, seed=2), compute_uv=False)[:, 0]
    mean, spread = spiked.largest_noise_singular_value(n_cols, n_rows)
    assert z_score(bare, mean) < 4
    assert np.all(with_signal - bare < 3 * spread)


def test_above_the_threshold_of_a_wide_matrix_a_signal_is_seen_that_a_square_one_hides():
    n_rows, n_cols, s = 60, 240, 0.9
    left, values, right = np.linalg.svd(planted(200, n_rows, n_cols, s, seed=3), full_matrices=False)
    nearby = 4 / n_cols  # the bias grows towards the threshold: 3.2 / n_cols, measured with 1000 draws at 30 x 120
    assert z_score(values[:, 0], spiked.noisy_singular_value(s, 0.25), nearby) < 4
    assert z_score(np.abs(left[:, :, 0].sum(axis=1)) / np.sqrt(n_rows), spiked.left_overlap(s, 0.25), nearby) < 4
    assert z_score(np.abs(right[:, 0].sum(axis=1)) / np.sqrt(n_cols), spiked.right_overlap(s, 0.25), nearby) < 4


@pytest.mark.parametrize(("n_rows", "n_cols"), [(100, 100), (50, 150), (150, 50)])
def test_edge_and_its_scatter(n_rows, n_cols):
    n_draws = 200
    top = np.linalg.svd(noise(n_draws, n_rows, n_cols, seed=3), compute_uv=False)[:, 0]
    mean, spread = spiked.largest_noise_singular_value(n_cols, n_rows)
    assert z_score(top, mean) < 4
    low, high = chi2.ppf([3e-5, 1 - 3e-5], n_draws - 1) / (n_draws - 1)
    assert low < (top.std(ddof=1) / spread) ** 2 < high


def largest_of_square_noise(size, n_draws, rng):
    """From the tridiagonal matrix of chi variables that has the same spectrum as the Gram matrix of the noise."""
    freedom = np.arange(size, 0, -1)
    top = np.empty(n_draws)
    for draw in range(n_draws):
        diagonal, below = np.sqrt(rng.chisquare(freedom)), np.sqrt(rng.chisquare(freedom[1:]))
        gram = diagonal**2 + np.concatenate([[0], below**2])
        last = eigh_tridiagonal(
            gram, diagonal[:-1] * below, eigvals_only=True, select="i", select_range=(size - 1, size - 1)
        )
        top[draw] = np.sqrt(last[0] / size)
    return top


def test_the_edge_of_square_noise_closes_like_size_to_the_two_thirds():
    rng = np.random.default_rng(4)
    sizes, n_draws = np.array([50, 100, 200, 400]), 400
    tops = [largest_of_square_noise(size, n_draws, rng) for size in sizes]
    gap = np.array([2 - top.mean() for top in tops])
    error = np.array([top.std(ddof=1) for top in tops]) / np.sqrt(n_draws)
    theory = np.array([2 - spiked.largest_noise_singular_value(size, size)[0] for size in sizes])
    assert np.all(np.abs(gap - theory) < 4 * error)
    slope = np.polyfit(np.log(sizes), np.log(gap), 1)[0]
    assert -0.80 < slope < -0.60


@pytest.mark.parametrize(("n_rows", "n_cols"), [(100, 400), (400, 100)])
def test_pure_noise_has_no_modes_to_keep(n_rows, n_cols):
    n_draws = 100
    values = np.linalg.svd(noise(n_draws, n_rows, n_cols, seed=5), compute_uv=False)
    assert not spiked.detected_modes(values, n_rows, n_cols, level=1e-4).any()
    # With the scale known, the rate of false marks is the level itself; an estimated scale adds its own scatter.
    marks = spiked.detected_modes(values, n_rows, n_cols, level=0.2, scale=1.0).any(axis=-1).sum()
    assert binom.ppf(3e-5, n_draws, 0.2) <= marks <= binom.ppf(1 - 3e-5, n_draws, 0.2)
    marks = spiked.detected_modes(values, n_rows, n_cols).any(axis=-1).sum()
    assert marks <= binom.ppf(1 - 3e-5, n_draws, 0.02)


def test_modes_above_threshold_are_found_and_counted():
    signal = np.zeros((100, 400))
    signal[[0, 1], [0, 1]] = 3.0, 1.8
    values = np.linalg.svd(signal + noise(20, 100, 400, seed=6), compute_uv=False)
    np.testing.assert_array_equal(spiked.detected_modes(values, 100, 400, level=1e-4).sum(axis=-1), 2)


@pytest.mark.parametrize(("n_rows", "n_cols", "tolerance"), [(400, 200, 0.01), (200, 400, 0.01), (100, 100, 0.04)])
def test_noise_scale_is_one_for_our_noise(n_rows, n_cols, tolerance):
    """Three strong modes push the median up by a share of order rank/size."""
    signal = np.zeros((n_rows, n_cols))
    signal[range(3), range(3)] = 6.0, 4.0, 2.0
    values = np.linalg.svd(noise(16, n_rows, n_cols, seed=7), compute_uv=False)
    with_signal = np.linalg.svd(signal + noise(16, n_rows, n_cols, seed=7), compute_uv=False)
    assert abs(spiked.noise_scale(values, n_rows, n_cols).mean() - 1) < tolerance
    assert abs(spiked.noise_scale(with_signal, n_rows, n_cols).mean() - 1) < 0.04


@pytest.mark.parametrize(("n_rows", "n_cols"), [(50, 100), (100, 50), (80, 80)])
def test_singular_values_follow_the_law_and_leave_its_atom(n_rows, n_cols):
    aspect = n_rows / n_cols
    values = np.linalg.svd(noise(40, n_rows, n_cols, seed=8), compute_uv=False).ravel()
    measured = np.arange(values.size) / (40 * n_rows)  # per row: only min(n_rows, n_cols) of them are not zero
    assert np.abs(marchenko_pastur.tail_mass(np.sort(values)[::-1], aspect) - measured).max() < 0.02


@pytest.mark.parametrize(("n_rows", "s"), [(30, 2.0), (30, 0.6), (90, 2.5), (60, 0.7)])
def test_the_bulk_keeps_the_overlap_that_the_density_says(n_rows, s):
    aspect = n_rows / N_COLS
    left, values, right = np.linalg.svd(planted(DRAWS, n_rows, N_COLS, s, seed=9), full_matrices=False)
    share = left.sum(axis=1) / np.sqrt(n_rows) * right.sum(axis=2) / np.sqrt(N_COLS)
    lower, upper = marchenko_pastur.support(aspect)
    cuts = lower + (upper - lower) * np.array([0, 0.35, 0.65, 0.9])
    measured, expected = [], []
    for start, stop in pairwise(cuts):
        measured.append(np.sum(share * ((values > start) & (values < stop)), axis=1))
        expected.append(quad(spiked.bulk_cross_density, start, stop, args=(s, aspect))[0])
    assert z_score(np.array(measured).T, np.array(expected), BIN_BIAS) < 4
