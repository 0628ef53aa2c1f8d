"""The figures of the chapter on many tasks alike, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend

from mtlbook_lib.chapters.part3.many_heads import figures as plots

XS = np.array([0.5, 1.0, 2.0])
SMALL = 0.01 * np.ones(3)


def test_copies_mark_where_the_error_leaves_one():
    theory = {1: np.array([1.0, 0.9, 0.5]), 4: np.array([0.9, 0.5, 0.2])}
    panels, alts = plots.copies_panel(XS, {1: (XS, SMALL), 4: (XS / 2, SMALL)}, XS, theory)
    assert len(panels) == len(alts) == 1
    ax = panels[0].axes[0]
    assert legend(ax) == ["H = 1", "H = 4"]
    dashed = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"]
    assert dashed == [1.0, 0.5]
    assert "2.00 for 1, 1.00 for 4" in alts[0]


def test_company_has_one_line_for_each_family():
    panels, alts = plots.company_panels(XS, {0.5: XS, 0.9: SMALL}, XS, {"H = 2": XS / 2}, {"q = 1": XS, "q = 0.9": XS})
    assert len(panels) == len(alts) == 3
    assert [len(panel.axes[0].lines) for panel in panels] == [2, 1, 2]
    assert legend(panels[0].axes[0]) == ["q = 0.5", "q = 0.9"]
    assert panels[1].axes[0].lines[0].get_ydata() == pytest.approx(XS / 2)
