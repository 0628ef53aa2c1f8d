"""Cosines of gradients of tasks with common inputs: by Monte Carlo, by sums over pairs of inputs, in the limits."""

import numpy as np
import pytest

from mtlbook_lib.theory.hard_sharing import gradient_cosine, unrelated_cosine_spread


def gradients(share, cosine, n, d, noise, own, draws):
    """Gradients of both tasks, (draw, task, d), from rows that are drawn and stacked."""
    rng = np.random.default_rng(3)
    common = round(share * n)
    found = np.empty((draws, 2, d))
    for draw in range(draws):
        first, second = np.linalg.qr(rng.normal(size=(d, 2)))[0].T
        missing = first, cosine * first + np.sqrt(1 - cosine**2) * second
        shared = rng.normal(size=(common, d))
        for task in range(2):
            rows = rng.normal(size=(n - common, d))
            if own == "apart":
                rows[:, slice(d // 2) if task else slice(d // 2, d)] = 0.0
                rows *= np.sqrt(2)
            rows = np.vstack([shared, rows])
            found[draw, task] = rows.T @ (rows @ missing[task] + noise * rng.normal(size=n)) / n
    return found


@pytest.mark.parametrize("own", ["alike", "apart"])
@pytest.mark.parametrize(("share", "n", "d", "noise"), [(0.0, 20, 6, 0.5), (0.5, 10, 30, 1.0), (1.0, 12, 4, 0.0)])
def test_means_of_products_and_of_squares_are_those_of_drawn_gradients(own, share, n, d, noise):
    found = gradients(share, 0.6, n, d, noise, own, 4000)
    products, squares = np.sum(found[:, 0] * found[:, 1], axis=1), np.sum(found**2, axis=(1, 2)) / 2
    ratio = products.mean() / squares.mean()
    # The error of a ratio of means: that of its numerator freed of the denominator.
    error = np.std(products - ratio * squares) / squares.mean() / np.sqrt(len(products))
    assert abs(gradient_cosine(share, 0.6, n, d, noise, own) - ratio) <= 4 * error  # without common inputs 0 both


@pytest.mark.parametrize(("n", "d"), [(300, 15), (60, 300)])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_unrelated_cosines_spread_as_those_of_drawn_gradients(share, n, d):
    found = gradients(share, 0.0, n, d, 0.7, "alike", 1500)
    lengths = np.linalg.norm(found, axis=2)
    spread = np.std(np.sum(found[:, 0] * found[:, 1], axis=1) / lengths.prod(axis=1))
    assert unrelated_cosine_spread(share, n, d, 0.7) == pytest.approx(spread, rel=0.08)


def test_many_examples_leave_the_cosine_of_what_is_missing():
    assert gradient_cosine(0.0, 0.6, 10**9, 10, 1.0) == pytest.approx(0.6, rel=1e-7)
    assert gradient_cosine(0.0, 0.6, 10**9, 10, 1.0, "apart") == 0
    assert unrelated_cosine_spread(0.0, 10**9, 10, 0.0) == pytest.approx(np.sqrt(2e-9), rel=1e-6)
