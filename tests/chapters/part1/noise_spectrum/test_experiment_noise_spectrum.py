"""Experiments on the spectrum of noise, at tiny size."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part1.noise_spectrum import experiment


def test_one_matrix_for_each_seed_and_the_mean_square_is_one():
    noise = experiment.noise_spectra(n_seeds=3)
    for aspect, values in noise.items():
        rows, columns = experiment.SHAPES[aspect]
        assert values.shape == (3, min(rows, columns))
        assert (values**2).sum(axis=1).mean() / rows == pytest.approx(1, abs=0.05)


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


def test_digits_have_nine_values_below_the_ceiling_of_correlations():
    digits = experiment.digits_spectra(n_shuffles=3, n_random=2, n_gaussian=4)
    assert digits.aspect == pytest.approx(9 / 61)
    assert digits.true.shape == (9,)
    assert [values.shape for values in digits.noise.values()] == [(3, 9), (2, 9), (4, 9)]
    assert digits.true.max() < np.sqrt(1797 / 61)
    assert digits.noise["shuffled labels"].max() < digits.true.min()


def test_heavy_tails_name_three_laws():
    found = experiment.heavy_tails(n_seeds=4)
    assert len(found) == 3
    assert found["signs, 100 rows"][0] == pytest.approx(0.5, abs=0.03)
    assert found["t with 3 degrees, 400 rows"][1] > 2.2
