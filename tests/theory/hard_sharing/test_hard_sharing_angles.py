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


def test_sine_of_obtuse_angles_is_that_of_the_line():
    assert hard_sharing.sine([1.0, 0.0], [np.cos(2.5), np.sin(2.5)]) == pytest.approx(np.sin(2.5), rel=1e-14)
    assert type(hard_sharing.sine([1.0, 0.0], [0.0, 1.0])) is float


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


def test_lower_bound_limits():
    sines = np.linspace(0, 1, 11)
    np.testing.assert_allclose(hard_sharing.sine_lower_bound(sines, 1.0), sines, atol=1e-15)
    assert hard_sharing.sine_lower_bound(1e-9, 50.0) == pytest.approx(1e-9 / 50, rel=1e-12)
    assert hard_sharing.sine_lower_bound(1.0, 3.0) == pytest.approx(0.6, rel=1e-14)
    sines, kappas = np.array([0.1, 0.9]), np.array([[2.0], [7.0], [1e8]])
    table = hard_sharing.sine_lower_bound(sines, kappas)
    for i, j in np.ndindex(3, 2):
        assert table[i, j] == hard_sharing.sine_lower_bound(sines[j], kappas[i, 0])
    assert np.all(table >= sines / kappas**2)


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


def test_similarity_with_itself_is_the_root_of_one_over_the_effective_rank():
    for size in (1, 4, 10):
        score = hard_sharing.covariance_similarity(np.eye(size), 3 * np.eye(size))
        assert score == pytest.approx(size**-0.5, rel=1e-12)
        assert hard_sharing.covariance_similarity(np.eye(size), np.eye(size), normalized=True) == pytest.approx(1)
    lower = hard_sharing.covariance_similarity(np.eye(10)[:3], np.eye(10)[:3])
    assert lower > hard_sharing.covariance_similarity(np.eye(10), np.eye(10))


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


def test_data_without_common_directions_are_not_similar():
    assert hard_sharing.covariance_similarity(np.eye(4)[:2], np.eye(4)[2:]) == 0.0


def test_no_sine_exceeds_one():
    """Next to a right angle the rounded formula would, by its last digit."""
    angles = np.pi / 2 + np.linspace(-2e-8, 2e-8, 20_001)
    sines = hard_sharing.sine([1.0, 0.0], np.column_stack([np.cos(angles), np.sin(angles)]))
    assert np.max(sines) == 1
    assert np.min(sines) >= 1 - 1e-15


def test_vectors_of_one_entry_are_all_parallel():
    np.testing.assert_array_equal(hard_sharing.sine([[2.0], [-3.0]], [5.0]), [0.0, 0.0])


def test_no_data_set_is_more_than_itself():
    """The rounded cosine of a covariance with itself exceeds 1 in one of ten."""
    for _ in range(100):
        x = RNG.normal(size=(4, 3))
        rotation = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
        score = hard_sharing.covariance_similarity(x, rotation @ x, 1.0, normalized=True)
        assert 1 - 1e-14 <= score <= 1


def test_by_default_all_but_a_hundredth_of_the_energy_is_kept_uncentred_in_the_form_of_the_paper():
    for weak, kept in ((0.0101, 2), (0.0099, 1)):  # of the sum of both eigenvalues
        x = np.diag(np.sqrt([1 - weak, weak]))
        assert hard_sharing.covariance_similarity(x, x) == pytest.approx(np.hypot(1 - weak, weak) if kept == 2 else 1)
    x1, x2 = RNG.normal(size=(2, 7, 3)) + 2
    plain = hard_sharing.covariance_similarity(x1, x2, 0.99, False, False)
    assert hard_sharing.covariance_similarity(x1, x2) == plain
    assert abs(hard_sharing.covariance_similarity(x1, x2, center=True) - plain) > 0.01


def test_directions_beyond_the_energy_are_left_out_to_nine_digits():
    """Weak directions of a share of 1e-8: kept where the energy asks for them, left out where it does not."""
    for energy, seen in ((1 - 5e-9, True), (1 - 2e-8, False), (1.0, True)):
        x = np.diag([1.0, 1e-4])
        other = np.diag([0.0, 1.0])
        score = hard_sharing.covariance_similarity(x, other, energy)
        assert score == pytest.approx(1e-4 if seen else 0.0, rel=1e-6)


def test_shares_that_only_roundoff_parts_from_the_energy_are_enough():
    """Of ten equal directions, three are three tenths, though their rounded sum is less."""
    for kept in range(1, 11):
        score = hard_sharing.covariance_similarity(np.eye(10), np.eye(10)[:kept] @ np.eye(10), kept / 10)
        assert score == pytest.approx(1 / np.sqrt(kept), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_what_centring_leaves_is_data_or_roundoff_in_any_units(scale):
    around = np.array([[0.1, 0.0]] * 3)  # three times 0.1 over 3 is not 0.1
    assert np.any(around - around.mean(axis=0) != 0)
    with pytest.raises(ValueError, match="x1 must not be zero after centring"):
        hard_sharing.covariance_similarity(scale * around, np.eye(2), center=True)
    around = np.array([[1.0, 5.0], [1.0, 5.0 + 1e-8], [1.0, 5.0 - 1e-8]])
    other = np.array([[1.0, 2.0], [-1.0, -2.0]])
    score = hard_sharing.covariance_similarity(scale * around, other, center=True)
    assert score == pytest.approx(np.sqrt(0.8), rel=1e-6)


def test_two_rows_of_zeros_but_for_one_entry_are_data():
    x = np.array([[0.0, 1e-300], [0.0, 0.0]])
    assert hard_sharing.covariance_similarity(x, np.array([[3.0, 4.0]])) == pytest.approx(0.8, rel=1e-12)
