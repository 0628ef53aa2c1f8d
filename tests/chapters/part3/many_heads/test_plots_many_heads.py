"""The figures of the chapter on many tasks alike, on tiny inputs."""

import numpy as np
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
