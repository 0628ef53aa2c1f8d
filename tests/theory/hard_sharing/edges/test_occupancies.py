"""The fixed point of two groups: shares of the directions against their equation, a bracketing search, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit

from mtlbook_lib.theory.hard_sharing import equivalent
from mtlbook_lib.theory.hard_sharing.equivalent import occupancies


def settings(widest=1):
    """Groups of all sizes and weights: mild ones, and ones where Newton's method alone would run away."""
    rng = np.random.default_rng(0)
    mu = np.sort(rng.uniform(0, 1, 12))
    n = np.exp(widest * rng.uniform(-3, 8, size=(300, 2)))
    n = n[np.sum(n, axis=1) > 12.5]
    return mu, n, rng.normal(size=(len(n), 2)) * rng.choice([1, 30, 150], size=(len(n), 1))


@pytest.mark.parametrize("widest", [1, 5])
def test_occupancies_solve_their_equation_to_rounding(widest):
    """The equation of either group, also beside one that is larger by fifteen orders."""
    mu, n, weights = settings(widest)
    shares, logit = occupancies(mu, n, weights)
    np.testing.assert_allclose(shares[0] + shares[1], 1, rtol=1e-14)
    rest = np.sum(n, axis=1) - 12
    for group, x in ((0, expit(logit)), (1, expit(-logit))):
        counted = np.sum(shares[group], axis=1) + rest * x
        np.testing.assert_allclose(counted, n[:, group], rtol=1e-12)


def test_occupancies_are_those_of_a_bracketing_search():
    mu, n, weights = settings()
    shares, logit = occupancies(mu, n, weights)
    odds = np.log(mu / (1 - mu))
    for i in range(0, len(n), 15):
        at = odds + weights[i, 0] - weights[i, 1]

        def missing(r, i=i, at=at):
            return np.sum(expit(at + r)) + (np.sum(n[i]) - 12) * expit(r) - n[i, 0]

        root = brentq(missing, -790, 790, xtol=1e-13, rtol=1e-14, maxiter=500)
        assert logit[i] == pytest.approx(root, rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(shares[0, i], expit(at + root), rtol=1e-7, atol=1e-300)


def test_a_group_of_almost_no_examples_or_all_of_them():
    """One direction: o = n1 - (n - 1) x by hand, with shares far out on either side."""
    n = np.array([[1e-40, 50.0], [50.0, 1e-40], [3.0, 4.0]])
    shares, logit = occupancies(np.array([0.5]), n, np.zeros((3, 2)))
    np.testing.assert_allclose(expit(logit), n[:, 0] / np.sum(n, axis=1), rtol=1e-12)
    np.testing.assert_allclose(expit(-logit), n[:, 1] / np.sum(n, axis=1), rtol=1e-12)
    np.testing.assert_allclose(shares[:, :, 0].T, n / np.sum(n, axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize(("widest", "most"), [(1, 30), (5, 80)])
def test_a_root_costs_few_evaluations(monkeypatch, widest, most):
    calls = []
    monkeypatch.setattr(equivalent, "expit", lambda x: calls.append(1) or expit(x))
    occupancies(*settings(widest))
    assert len(calls) <= 2 * most
