"""The figures of the chapter on random students: the right panels, theory as lines, means over seeds as points."""

import numpy as np
import pytest
from drawn import markers

from mtlbook_lib.chapters.part2.random_students import figures as plots
from mtlbook_lib.statistics import Arm

TIMES = np.linspace(0, 3, 7)
CURVES = np.array([[1.0, 0.9, 0.5, 0.3, 0.4, 0.8, 1.2], [1.0, 0.95, 0.7, 0.4, 0.3, 0.6, 1.0]])


def test_scale_frame_marks_the_minima():
    arms = {1e-2: {"aligned": Arm(CURVES, CURVES[0]), "random": Arm(CURVES - 0.1)}}
    draw, alt = plots.scale_frame(TIMES / 3, arms)
    ax = draw(1e-2).axes[0]
    lowest = CURVES.mean(axis=0).min()
    assert [points[0, 1] for points in markers(ax)] == pytest.approx([lowest, lowest - 0.1])
    assert alt(1e-2).endswith("aligned 0.350, random 0.250.")
