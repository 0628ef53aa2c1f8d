"""Points of the plane on both sides of a line."""

import numpy as np
import pytest

from mtlbook_lib.data.two_tasks.planar import planar_points


def test_points_have_their_spread_across_and_along_the_line():
    x, _ = planar_points(20_000, 0.5, (0.5, 2.0), 3.0, [0])
    normal, along = np.array([np.cos(0.5), np.sin(0.5)]), np.array([-np.sin(0.5), np.cos(0.5)])
    assert np.std(x[0] @ normal) == pytest.approx(0.5, rel=0.02)
    assert np.std(x[0] @ along) == pytest.approx(2.0, rel=0.02)


@pytest.mark.parametrize("slope", [0.5, 4.0])
def test_labels_follow_the_logistic_law(slope):
    x, y = planar_points(40_000, -1.0, (1.0, 1.0), slope, [3])
    place = x[0] @ np.array([np.cos(1.0), -np.sin(1.0)])
    assert set(np.unique(y)) == {-1.0, 1.0}
    for low in (-1.0, 0.0, 0.5):
        inside = (place > low) & (place < low + 0.2)
        expected = np.mean(1 / (1 + np.exp(-slope * place[inside])))
        assert np.mean(y[0, inside] > 0) == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(inside.sum()))
