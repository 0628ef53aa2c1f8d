"""Angles and similarities at their edges: values never beyond 1, what counts as roundoff, one bad entry of many."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing

RNG = np.random.default_rng(31)


def test_no_sine_exceeds_one():
    """Next to a right angle the rounded formula would, by its last digit."""
    angles = np.pi / 2 + np.linspace(-2e-8, 2e-8, 20_001)
    sines = hard_sharing.sine([1.0, 0.0], np.column_stack([np.cos(angles), np.sin(angles)]))
    assert np.max(sines) == 1
    assert np.min(sines) >= 1 - 1e-15


def test_vectors_of_one_entry_are_all_parallel():
    np.testing.assert_array_equal(hard_sharing.sine([[2.0], [-3.0]], [5.0]), [0.0, 0.0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hard_sharing.sine([[1.0, 0.0], [0.0, 0.0]], [1.0, 1.0]), "u must not be zero"),
        (lambda: hard_sharing.sine([1.0, 1.0], [[0.0, 0.0], [1.0, 0.0]]), "v must not be zero"),
        (lambda: hard_sharing.sine(np.ones((2, 0)), np.ones((2, 0))), "u must have at least one entry"),
        (lambda: hard_sharing.sine(np.ones((3, 2)), np.ones((3, 4))), "the same number of entries; got 2 and 4"),
        (lambda: hard_sharing.sine_lower_bound([0.1, -0.1], 2.0), "sine must lie in"),
        (lambda: hard_sharing.sine_lower_bound(0.1, [2.0, 0.9]), "condition_number must be at least 1; got 0.9"),
        (lambda: hard_sharing.covariance_similarity(np.eye(2), np.eye(2), 1.5), "energy must lie in"),
    ],
)
def test_one_entry_outside_is_an_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("flag", [0, "no", None])
@pytest.mark.parametrize("name", ["normalized", "center"])
def test_flags_are_bools(name, flag):
    with pytest.raises(TypeError, match=f"{name} must be True or False"):
        hard_sharing.covariance_similarity(np.eye(2), np.eye(2), **{name: flag})
    hard_sharing.covariance_similarity(np.eye(2), [[1.0, 0.0], [0.0, 2.0]], **{name: np.False_})


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
