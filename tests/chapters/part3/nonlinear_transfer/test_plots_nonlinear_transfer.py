"""The figures of the chapter on transfer between nonlinear tasks, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.nonlinear_transfer import figures as plots

QS = np.array([0.0, 0.5, 1.0])
ERROR = 0.1 * np.ones(3)
CELLS = {0.84: {1.0: (QS - 0.5, ERROR), 3.0: (QS, ERROR)}, 3.0: {1.0: (-QS, ERROR), 3.0: (0 * QS, ERROR)}}


def test_certainty_panels_fill_what_lies_beyond_four_errors():
    panels, alts = plots.certainty_panels(QS, CELLS)
    assert len(panels) == len(alts) == 2
    # Ratios of the first panel: -5, 0, 5 and 0, 5, 10. Of the second: 0, -5, -10 and three zeros.
    assert "4 of 6 cells" in alts[0]
    assert "2 of 6 cells" in alts[1]
    full, empty = panels[0].axes[0].lines[:2]
    assert full.get_ydata() == pytest.approx([-5, 5])
    assert empty.get_ydata() == pytest.approx([0])
    assert empty.get_markerfacecolor() == "none"
    assert full.get_markerfacecolor() != "none"


def test_slope_frames_share_their_limits():
    measured = {1.0: (QS, ERROR), 0.2: (QS - 1, ERROR)}
    draw, alt = plots.slope_frames(QS, measured, QS, {1.0: QS, 0.2: 2 * QS}, QS)
    first, second = (draw(slope).axes[0] for slope in measured)
    assert first.get_ylim() == second.get_ylim()
    assert first.get_ylim()[0] < -1
    assert first.get_ylim()[1] > 2
    np.testing.assert_array_equal(second.lines[1].get_ydata(), 2 * QS)
    assert "Slope 0.2: benefit -1.000" in alt(0.2)
    assert "0.000 and 2.000" in alt(0.2)
