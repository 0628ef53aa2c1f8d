"""The figures of the chapters on transfer, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part3.transfer_theorem import figures as plots


def test_mode_vectors_draw_the_axes_at_their_strengths():
    inputs, modes = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[0.8, 0.6], [-0.6, 0.8]])
    panels, alts = plots.mode_vectors([("first", inputs, np.array([1.2, 0.6]), modes)] * 2)
    assert len(panels) == len(alts) == 2
    strong, weak, outline = panels[0].axes[0].lines
    assert strong.get_xydata() == pytest.approx(np.array([[-0.96, -0.72], [0.96, 0.72]]))
    assert np.hypot(*weak.get_xydata()[1]) == pytest.approx(0.6)
    assert np.hypot(*outline.get_xydata().T).max() == pytest.approx(1.2)
    assert "1.20 and 0.60" in alts[0]
