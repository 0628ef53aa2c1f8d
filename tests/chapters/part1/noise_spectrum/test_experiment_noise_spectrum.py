"""Experiments on the spectrum of noise, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part1.noise_spectrum import experiment


def test_shares_are_counted_per_row():
    values = {2.0: np.full((2, 100), 3.0)}
    values[2.0][:, 50:] = 0.0
    shares = experiment.tail_shares(values)
    np.testing.assert_allclose(shares.mean, [[0.25, 0.25, 0.25]])  # 50 of 200 rows lie beyond any point
    np.testing.assert_allclose(shares.theory, [[0.125, 0.25, 0.375]])


def test_largest_values_and_their_slope():
    largest = experiment.largest_values(sizes=(5, 10), n_rows_in_all=400)
    assert largest.count.tolist() == [80, 40]
    np.testing.assert_allclose(largest.mean_error, largest.spread / np.sqrt([80, 40]))
    np.testing.assert_allclose(largest.spread_error, largest.spread / np.sqrt([2 * 79, 2 * 39]))
    exact = experiment.LargestValues(
        np.array([50, 400]),
        np.array([9, 9]),
        2 - np.array([50, 400]) ** -0.5,
        np.ones(2),
        2 - np.array([50, 400]) ** -1.0,
        np.ones(2),
    )
    slope, error, predicted = experiment.edge_slopes(exact)
    assert (slope, predicted) == (pytest.approx(-0.5), pytest.approx(-1.0))
    # Standard errors of 1/3, relative to the distances 50^-1/2 and 400^-1/2, on places that are ln 8 apart.
    assert error == pytest.approx(np.sqrt((50 + 400) / 9) / np.log(8))


def test_a_large_matrix_has_the_same_largest_value_alone(monkeypatch):
    among_all = experiment._largest(20, 3)
    monkeypatch.setattr(experiment, "_LARGE", 20)
    np.testing.assert_allclose(experiment._largest(20, 3), among_all, rtol=1e-10)


def test_bidiagonal_matrices_have_the_largest_values_of_square_noise():
    tops = experiment._largest_of_bidiagonal(8, 4000), experiment._largest(8, 4000)
    means, spreads = ([getattr(x, part)() for x in tops] for part in ("mean", "std"))
    assert abs(means[0] - means[1]) < 4 * np.hypot(*spreads) / np.sqrt(4000)
    assert tops[0].std() / tops[1].std() == pytest.approx(1, abs=4 / np.sqrt(4000))
