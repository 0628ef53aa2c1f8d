"""The figures of the chapter on the random energy model, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part4.random_energy import figures as plots

XS = np.array([0.5, 1.0, 20.0])
SMALL = 0.001 * np.ones(3)


def test_error_panel_hides_points_that_are_not_above_zero():
    measured = {2: (np.array([0.0005, 0.1, 0.2]), SMALL)}
    panels, alts = plots.error_panel(XS, {2: np.array([0.01, 0.5, 0.3])}, XS, measured)
    ax = panels[0].axes[0]
    assert len(ax.containers[0].lines[0].get_xdata()) == 2
    assert "50 at most and 30 at the end for 2" in alts[0]
