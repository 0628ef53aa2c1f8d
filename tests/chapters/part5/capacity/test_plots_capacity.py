"""The figures of the chapter on the width of shared modules, on tiny inputs."""

import numpy as np
import pytest
from drawn import texts

from mtlbook_lib.chapters.part5.capacity import figures as plots


def curve(values):
    return np.array(values), np.full(len(values), 0.001)


def test_law_frames_mark_the_best_capacity():
    draw, alt = plots.law_frames({0.5: curve([10.0, 4.0, 6.0])}, {0.5: np.array([10.0, 5.0, 7.0])}, 10.0)
    ax = draw(0.5).axes[0]
    assert ax.lines[0].get_ydata() == pytest.approx([1.0, 0.5, 0.7])
    assert "best r = 1" in texts(ax)
    assert "least at 1 with 0.50, draws at 1 with 0.40; at 8 the law has 0.70" in alt(0.5)
