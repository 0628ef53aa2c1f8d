"""What a partner is worth in rows: by covariances written out, and as more rows of the target's own bring."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from mtlbook_lib.forecast import JointRegressor, recommend
from mtlbook_lib.forecast._related.worth import worth_of


def drawn(seed, sizes, noise, likeness=1.0, d=5):
    """Rows, labels of two tasks at all of them, the first one's function, and the places of A, B and new rows."""
    rng = np.random.default_rng(seed)
    x, (u, v) = rng.standard_normal((sum(sizes), d)), rng.standard_normal((2, d))
    functions = [x @ u / np.linalg.norm(u), x @ (likeness * u + np.sqrt(1 - likeness**2) * v) / np.linalg.norm(u)]
    labels = [one + noise * rng.standard_normal(len(x)) for one in functions]
    return x, labels, functions[0], np.split(np.arange(len(x)), np.cumsum(sizes)[:-1])


def variances(covariance, noises, n):
    """Of the function at each of the first n rows, given the labels of all others, one row after the other."""
    found = []
    for i in range(n):
        rest = np.delete(np.arange(len(covariance)), i)
        known = covariance[np.ix_(rest, rest)] + np.diag(noises[rest])
        found.append(covariance[i, i] - covariance[i, rest] @ np.linalg.solve(known, covariance[rest, i]))
    return np.mean(found)


def test_it_is_the_number_of_own_rows_that_leave_the_same_variance():
    x, labels, _, (a, b) = drawn(0, (9, 14), 0.5)
    fit = JointRegressor("a").fit(x[a], labels[0][a], x[b], labels[1][b])._fits[0]
    counted = [(average, *one) for average in fit.averages for one in average.counted]
    weights = {id(one): weight for _, one, weight in counted}
    heard = [(average, one, p) for average, one, weight in counted for p in np.flatnonzero(weight)
             if one.relation.partners is not None]  # fmt: skip
    masses = {}
    for average, one, p in heard:
        key = id(average), one.noises[p]
        masses[key] = masses.get(key, 0.0) + weights[id(one)][p]
    chosen, total, n = max(masses, key=masses.get), sum(masses.values()), len(a)
    found = 0.0
    for average, one, p in heard:
        if (id(average), one.noises[p]) != chosen:
            continue
        rows = np.vstack([average.rows, one.relation.partners.rows])
        tau, size = one.noises[p], one.relation.size
        kernel, other = average.kernel(rows, rows), np.arange(len(rows)) >= n
        mixed = np.where(other[:, None] == other, 1.0, size) * kernel
        mixed += 1.0 * (one.relation.units is not None) + (one.relation.units is None) * (other[:, None] == other)
        factor = one.relation.partners.factor
        noise_b = (factor @ factor.T)[0, 0] - kernel[n, n] - 1
        left = variances(mixed, np.where(other, noise_b, tau), n)
        gap = lambda share: variances(kernel + 1, np.where(other, tau / share, tau), n) - left  # noqa: B023, E731
        share = 1.0 if gap(1.0) > 0 else brentq(gap, 1e-6, 1.0)
        found += weights[id(one)][p] / masses[chosen] * total * len(b) * share
    assert 2 < found < 13
    assert worth_of(fit.averages) == pytest.approx(found, rel=0.02)  # it interpolates


def test_a_partner_of_the_same_function_is_worth_as_many_rows_as_bring_the_same_error():
    """Medians of twelve draws; errors are those from the noise-free function at 400 new rows."""
    extra, said, joint, alone = (0, 20, 40, 80, 120), [], [], []
    for seed in range(12):
        x, (y_a, y_b), truth, (a, more, b, new) = drawn(seed, (30, 120, 80, 400), 1.0)
        told = recommend(x[a], y_a[a], x[b], y_b[b])
        models = [JointRegressor().fit(x[g], y_a[g]) for g in (np.concatenate([a, more[:k]]) for k in extra)]
        errors = [np.square(one.predict(x[new]) - truth[new]).mean() for one in (told.model, *models)]
        said.append(told.worth)
        joint.append(errors[0])
        alone.append(errors[1:])
    assert np.ptp(said) > 0
    wanted = np.interp(-np.median(joint), -np.minimum.accumulate(np.median(alone, axis=0)), extra)
    assert 30 < wanted < 80
    assert np.median(said) == pytest.approx(wanted, abs=15)


def test_unlike_and_permuted_partners_are_worth_few_rows_and_it_is_said(related):
    said = []
    for seed in range(12):
        x, (y_a, y_b), _, (a, b) = drawn(seed, (40, 80), 0.5, likeness=0.0)
        said.append(recommend(x[a], y_a[a], x[b], y_b[b]).worth)
        said.append(recommend(x[a], y_a[a], x[b], np.random.default_rng(seed).permutation(y_b[b])).worth)
    assert 0 <= min(said) <= np.median(said) < 1
    x_a, y_a, x_b, y_b = related
    told = recommend(x_a, y_a, x_b, y_b)
    assert f" with it. B is worth about {told.worth:.0f} rows of A. " in " ".join(str(told).split())
    assert "B is worth less than two rows of A." in " ".join(str(replace(told, worth=1.2)).split())
    assert "worth" not in str(replace(told, worth=None))
