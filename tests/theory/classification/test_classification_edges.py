"""Where the overlaps, the relatedness and the bounds begin and end: what is just allowed, and what just is not."""

import numpy as np
import pytest

from mtlbook_lib.theory.classification import benefit_bounds, noisy_relatedness, relatedness

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
