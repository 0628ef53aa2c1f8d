"""The figures between lazy and rich: the right values at the right places."""

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part2.lazy_and_rich import figures as plots

SIZES = np.array([0.0, 0.1, 10.0])
ERRORS = np.array([[0.2, 0.5, 0.8], [0.3, 0.6, 0.9]])


def test_error_panel_has_points_lines_and_limits_and_a_place_for_zero():
    (figure,), _ = plots.error_panel(SIZES, {"3": ERRORS}, {"3": 0.85}, {"3": [0.2, 0.5, 0.8]})
    ax = figure.axes[0]
    np.testing.assert_allclose(markers(ax)[0], [[1e-3, 0.25], [0.1, 0.55], [10.0, 0.85]])
    heights = [line.get_ydata() for line in ax.lines if line.get_linestyle() == "--"]
    np.testing.assert_allclose(heights, [[0.85, 0.85]])
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "0.01", "0.1", "1", "10"]
