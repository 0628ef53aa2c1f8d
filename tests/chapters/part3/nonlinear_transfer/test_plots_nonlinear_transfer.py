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
