"""The figure of common inputs, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part4.loss_weights import figures as plots


def test_overlap_panels_draw_what_is_expected_and_what_is_found():
    curve = np.array([0.1, 0.4]), np.array([0.01, 0.01])
    panels, alts = plots.overlap_panels([0, 1], {"few": (curve, np.array([0.1, 0.5]))}, {"few": curve})
    assert list(panels[0].axes[0].lines[0].get_ydata()) == [0.1, 0.5]
    assert "few from 0.10 to 0.40, smoothly" in alts[0]
    assert "few from 0.10 to 0.40" in alts[1]
