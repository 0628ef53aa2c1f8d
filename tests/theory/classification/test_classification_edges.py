"""Where the overlaps, the relatedness and the bounds begin and end: what is just allowed, and what just is not."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import benefit_bounds, denoising_overlap, noisy_relatedness, relatedness

FRAME = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 2)))[0]


@pytest.mark.parametrize("place", [0, 1])
def test_columns_are_orthonormal_to_rounding(place):
    frames = [FRAME, FRAME]
    for size in (1e-10, -1e-10):
        frames[place] = FRAME * (1 + size)
        assert relatedness(*frames) == pytest.approx(np.eye(2), abs=1e-9)
    for size in (1e-6, -1e-6):
        frames[place] = FRAME * (1 + size)
        with pytest.raises(ValueError, match=f"{('v_a', 'v_b')[place]} must have orthonormal columns"):
            relatedness(*frames)
    frames[place] = FRAME + 1e-6 * FRAME[:, ::-1]  # unit columns, but not at right angles
    with pytest.raises(ValueError, match="must have orthonormal columns"):
        relatedness(*frames)


def test_one_number_is_a_frame_and_nothing_is_none():
    assert relatedness([[1.0]], [[-1.0]]) == pytest.approx(np.array([[-1.0]]))
    with pytest.raises(ValueError, match="v_a must have orthonormal columns"):
        relatedness(np.zeros((3, 0)), np.eye(3))


def test_denoised_overlap_of_a_clean_teacher_is_one_and_never_more():
    related = np.linspace(0.0, 1.0, 400)
    found = denoising_overlap(1e12, related, 3, 17)
    assert found == pytest.approx(np.ones(400), abs=1e-15)
    assert np.all(found <= 1.0)


def test_features_that_just_hold_both_tasks():
    """At d = 2k the modes of two tasks fill the inputs; at relatedness 1 those of one may."""
    inside, outside = (1.4 * 0.3**2) ** 2, (1.4 * 0.91) ** 2
    expected = inside / (1.4**2 * 0.3**2 + 0.5) + outside / (1.4**2 * 0.91 + 0.5)
    assert denoising_overlap(1.4, 0.3, 5, 10) == pytest.approx(np.sqrt(expected), rel=1e-14)
    assert denoising_overlap(1.4, 1.0, 5, 5) == pytest.approx(1.4 / np.hypot(1.4, 1.0), rel=1e-14)
    assert denoising_overlap(1.4, [0.3, 1.0], 2, [4, 2]).shape == (2,)
    for related, features in ((0.3, 9), (1.0, 4), (0.3, [20, 9]), ([0.3, 1.0], 9), (np.nextafter(1, 0), 9)):
        with pytest.raises(ValueError, match="n_features must be at least 2k"):
            denoising_overlap(1.4, related, 5, features)


def test_noisy_relatedness_as_written():
    visible = 1.7 / np.hypot(1, 1.7) * 0.6 / np.hypot(1, 0.6)
    for k, d in ((2, 7), (3, 3), (5, 40)):
        square = (0.35 * visible) ** 2 + k / d * (1 - visible**2)
        assert noisy_relatedness(1.7, 0.6, 0.35, k, d) == pytest.approx(np.sqrt(square), rel=1e-14)
    assert noisy_relatedness(0.0, 0.0, 0.8, 4, 4) == pytest.approx(1.0, rel=1e-15)


def test_bounds_look_at_the_softmax_of_both_maps():
    single, multi, labels = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]), np.array([[0.5, 0.25]])
    assert benefit_bounds(single, multi, labels, lambda w: 2 * w) == (
        pytest.approx(2 * (0.5 - 6) - 3 * (0.25 + 2)),
        pytest.approx(2 * (0.5 - 2) - 3 * (0.25 - 4)),
    )
    for bad in (single, multi):
        with pytest.raises(ValueError, match=r"softmax_covariance\(W\) must have the shape"):
            benefit_bounds(single, multi, labels, lambda w, bad=bad: w[:, :1] if np.array_equal(w, bad) else w)


@pytest.mark.parametrize("shared", [True, False])
def test_bounds_of_many_pairs_are_those_of_each(shared):
    rng = np.random.default_rng(2)
    single, multi = rng.normal(size=(2, 3, 4, 2, 5))
    labels = rng.normal(size=(3, 1 if shared else 4, 2, 5))
    together = benefit_bounds(single, multi, labels, np.tanh)
    for index in np.ndindex(3, 4):
        alone = benefit_bounds(single[index], multi[index], labels[index[0], 0 if shared else index[1]], np.tanh)
        assert [bound[index] for bound in together] == pytest.approx(alone, rel=1e-12)
