"""The figures on probing before tuning: the right values at the right places."""

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part6.probe_then_tune import figures as plots


def curves(ax, length):
    """The lines of so many points, in the order drawn."""
    return [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == length]


def test_start_frames():
    times = np.array([0.0, 30.0, 90.0])
    kinds = np.array([0] * 10 + [1, 2, 3])
    start = np.outer(times / 100, np.arange(13.0) / 10)
    width = 1e-3 + np.outer(times, np.ones(13))
    errors = {"probed, tuned": np.array([0.1, 0.2, 0.3]), "tuned": np.full(3, 0.1), "probed": np.full(3, 0.4)}
    draw, words = plots.start_frames(times, (start, width, kinds), errors)
    left, right = (figure.axes[0] for figure in draw(30.0))
    spots = markers(left)
    assert [len(part) for part in spots] == [2, 1, 1, 1]
    np.testing.assert_allclose(spots[3], [[0.3 * 1.2, 30.001]])
    np.testing.assert_allclose(markers(right)[0], [[30.0, 0.2]])
    assert curves(right, 3)[0][0, 0] == 10
    assert "0.200" in words(30.0)
    assert words(0.0) != words(90.0)
    assert draw(0.0)[0].axes[0].get_xlim() == draw(90.0)[0].axes[0].get_xlim()
