"""Angles before and after a matrix, and the covariance similarity score."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("angle", [0.0, 1e-100, 1e-12, 1e-5, 0.3, np.pi / 4, np.pi / 2 - 1e-9, np.pi / 2])
def test_sine_of_a_known_angle(angle):
    v = np.array([np.cos(angle), np.sin(angle)])
    assert hard_sharing.sine([1.0, 0.0], v) == pytest.approx(np.sin(angle), rel=1e-14, abs=0)
    assert hard_sharing.sine([-1e200, 0.0], 1e-250 * v) == pytest.approx(np.sin(angle), rel=1e-13, abs=1e-50)


def test_sine_of_many_vectors_is_the_projections_rest():
    u, v = RNG.normal(size=(3, 1, 4)), RNG.normal(size=(2, 4))
    sines = hard_sharing.sine(u, v)
    assert sines.shape == (3, 2)
    for i, j in np.ndindex(3, 2):
        rest = u[i, 0] - (u[i, 0] @ v[j]) / (v[j] @ v[j]) * v[j]
        assert sines[i, j] == pytest.approx(np.linalg.norm(rest) / np.linalg.norm(u[i, 0]), rel=1e-12)
        assert hard_sharing.sine(v[j], u[i, 0]) == pytest.approx(sines[i, j], rel=1e-14)


@pytest.mark.parametrize("kappa", [1.0, 2.0, 30.0])
def test_lower_bound_holds_for_any_and_is_attained(kappa):
    stretch = np.diag([kappa, np.sqrt(kappa), 1.0])
    u, v = RNG.normal(size=(2, 4000, 3)) * [1, 1e-2, 1]
    before, after = hard_sharing.sine(u, v), hard_sharing.sine(u @ stretch, v @ stretch)
    bound = hard_sharing.sine_lower_bound(before, kappa)
    assert np.all(after >= bound * (1 - 1e-10))
    half = np.linspace(0.01, np.pi / 4, 9)
    u, v = (np.column_stack([np.cos(half), np.zeros(9), sign * np.sin(half)]) for sign in (1, -1))
    attained = hard_sharing.sine(u @ stretch, v @ stretch)
    np.testing.assert_allclose(hard_sharing.sine_lower_bound(np.sin(2 * half), kappa), attained, rtol=1e-12)


def truncated(x, energy):
    covariance = x.T @ x
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = next(r for r in range(1, len(values) + 1) if np.sum(values[:r]) >= energy * np.sum(values) - 1e-12)
    return vectors[:, :kept], values[:kept]


@pytest.mark.parametrize("energy", [0.3, 0.8, 0.99, 1.0])
def test_similarity_written_out(energy):
    x1, x2 = RNG.normal(size=(9, 5)) * [5, 3, 1, 1, 0.1], RNG.normal(size=(4, 5))
    (u1, d1), (u2, d2) = truncated(x1, energy), truncated(x2, energy)
    product = (u1 * np.sqrt(d1)).T @ (u2 * np.sqrt(d2))
    score = np.linalg.norm(product) / np.sqrt(np.sum(d1) * np.sum(d2))
    cosine = np.sum(product**2) / (np.linalg.norm(d1) * np.linalg.norm(d2))
    assert hard_sharing.covariance_similarity(x1, x2, energy) == pytest.approx(score, rel=1e-12)
    assert hard_sharing.covariance_similarity(x1, x2, energy, normalized=True) == pytest.approx(cosine, rel=1e-12)
    s1, s2 = x1.T @ x1, x2.T @ x2
    if energy == 1:
        assert cosine == pytest.approx(np.sum(s1 * s2) / np.linalg.norm(s1) / np.linalg.norm(s2), rel=1e-12)


@pytest.mark.parametrize("normalized", [False, True])
def test_similarity_invariances(normalized):
    x1, x2 = RNG.normal(size=(9, 4)), RNG.normal(size=(6, 4)) * [3, 1, 1, 1]
    rows1, rows2, columns = (np.linalg.qr(RNG.normal(size=(n, n)))[0] for n in (9, 6, 4))

    def score(a, b):
        return hard_sharing.covariance_similarity(a, b, normalized=normalized)

    assert score(rows1 @ x1, rows2 @ x2) == pytest.approx(score(x1, x2), rel=1e-12)
    assert score(x1 @ columns, x2 @ columns) == pytest.approx(score(x1, x2), rel=1e-12)
    assert score(1e-200 * x1, 1e100 * x2) == pytest.approx(score(x1, x2), rel=1e-12)
    assert score(x2, x1) == pytest.approx(score(x1, x2), rel=1e-12)
    assert abs(score(x1, x2 @ columns) - score(x1, x2)) > 1e-3


def test_similarity_of_centred_data_forgets_the_mean():
    x1, x2 = RNG.normal(size=(9, 4)), RNG.normal(size=(6, 4))
    x1, x2 = x1 - x1.mean(axis=0), x2 - x2.mean(axis=0)
    centred = hard_sharing.covariance_similarity(x1 + 5, x2 - 7, center=True)
    assert centred == pytest.approx(hard_sharing.covariance_similarity(x1, x2), rel=1e-10)
    assert hard_sharing.covariance_similarity(x1 + 500, x2 - 700) == pytest.approx(1, abs=1e-3)


def test_by_default_all_but_a_hundredth_of_the_energy_is_kept_uncentred_in_the_form_of_the_paper():
    for weak, kept in ((0.0101, 2), (0.0099, 1)):  # of the sum of both eigenvalues
        x = np.diag(np.sqrt([1 - weak, weak]))
        assert hard_sharing.covariance_similarity(x, x) == pytest.approx(np.hypot(1 - weak, weak) if kept == 2 else 1)
    x1, x2 = RNG.normal(size=(2, 7, 3)) + 2
    plain = hard_sharing.covariance_similarity(x1, x2, 0.99, False, False)
    assert hard_sharing.covariance_similarity(x1, x2) == plain
    assert abs(hard_sharing.covariance_similarity(x1, x2, center=True) - plain) > 0.01
