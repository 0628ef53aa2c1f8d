"""Where the bounds begin and end: the exact edges of their ranges, in arrays of which one entry alone is outside."""

import numpy as np
import pytest

from mtlbook_lib.theory import hard_sharing as hs

X, ONES = np.array([[3.0, 1.0], [0.5, -2.0], [1.0, 1.5]]), np.ones(2)
RIGHT = np.nextafter(np.pi / 3, 2)  # the angle of which 2 sin(angle / 2) is 1 in all digits
assert 2 * np.sin(RIGHT / 2) == 1


def test_the_edges_belong_to_the_ranges():
    assert hs.target_error_bound(0.0, X, ONES, np.zeros(3)) == 0
    assert hs.shared_angle_bound(1.0, 1e50) == pytest.approx(np.pi / 2, rel=1e-14)
    assert hs.model_error_bound(np.pi / 2, 1e50) == pytest.approx(5e49, rel=1e-14)
    assert hs.model_error_bound(RIGHT, 1.0) == pytest.approx(np.sin(RIGHT), rel=1e-14)
    assert hs.model_error_bound(0.0, 1.0, 0.3) == pytest.approx(0.3, rel=1e-14)
    assert hs.relu_kernel(np.pi) == pytest.approx(0, abs=1e-15)
    assert hs.head_error_bound(X, ONES, 1.0, 0.0, 0.0) == 0
    assert hs.feature_angle_bound(-1.0, 0.0) == pytest.approx(np.pi, rel=1e-14)
    across, along = hs.likely_source_noise(5.0, 2.0, 1, 0.5)  # one input: nothing across, and log 4 in the tail
    assert (across, along) == pytest.approx((2 * np.sqrt(2 * np.log(4)), 5 - 2 * np.sqrt(2 * np.log(4))), rel=1e-14)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_signal_of_roundoff_is_none_in_any_units(scale):
    """The last digit of a product that cancels is no signal; a thousand of them are one."""
    for inputs, truth in ((scale, 1.0), (1.0, scale)):
        x2 = inputs * np.array([[1.0, -1.0 - 2**-52]])
        with pytest.raises(ValueError, match="theta2 must not be in the null space"):
            hs.target_error_bound(0.1, x2, truth * ONES, [0.0])
        x2 = inputs * np.array([[1.0, -1.0 - 1000 * 2**-52]])
        assert hs.target_error_bound(0.1, x2, truth * ONES, [0.0]) == pytest.approx(0.6, rel=1e-14)


def test_bounds_on_angles_where_the_noise_alone_fills_the_quarter_turn():
    noise = np.array([0.0, 0.3, 1.0, 1e9])
    angles = hs.shared_angle_bound(1.0, [[1.0], [7.0]], noise)
    np.testing.assert_allclose(angles, np.pi / 2, rtol=1e-14)
    np.testing.assert_allclose(hs.shared_angle_bound(0.0, 1.0, noise), np.arctan(noise), rtol=1e-14)
