"""The figures of the chapter on deeper students: the right panels, theory as lines, means over seeds as points."""

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part2.deeper_students import figures as plots
from mtlbook_lib.statistics import Arm

TIMES = np.linspace(0, 3, 7)
CURVES = np.array([[1.0, 0.9, 0.5, 0.3, 0.4, 0.8, 1.2], [1.0, 0.95, 0.7, 0.4, 0.3, 0.6, 1.0]])


def test_alignment_panels():
    share = np.stack([CURVES, CURVES / 2], axis=-1)
    runs = {"two layers": (share, share**2)}
    drawn, alts = plots.alignment_panels({"two layers": TIMES}, runs)
    assert len(drawn) == len(alts) == 1
    fills = [(line.get_linestyle(), line.get_fillstyle()) for line in drawn[0].axes[0].lines]
    assert fills == [("None", "none"), ("None", "full")] * 2


def test_depth_panels():
    scales, theory = np.array([1e-4, 1e-2]), {2: np.array([1.1, 1.2]), 4: np.array([1.3, 1.4])}
    measured = [(4, 1e-3, Arm(np.array([1.3, 1.5])))]
    noise = {2: (TIMES, Arm(CURVES, CURVES[0])), 4: (TIMES, Arm(CURVES, CURVES[1]))}
    drawn, alts = plots.depth_panels(scales, theory, measured, noise)
    assert len(drawn) == len(alts) == 2
    left, right = (figure.axes[0] for figure in drawn)
    np.testing.assert_allclose(markers(left)[0], [[1e-3, 1.4]])
    assert [text.get_text().strip() for text in left.texts] == ["D = 2", "D = 4"]
    assert [line.get_linestyle() for line in right.lines] == ["None", "-"] * 2
