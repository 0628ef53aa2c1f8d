"""The figures on small starts: the right values at the right places."""

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part6.small_starts import figures as plots
from mtlbook_lib.statistics import Arm


def test_path_panels_draw_the_features_that_entered():
    entries, selected = np.array([1.0, 2.0]), np.array([[0.0, 0.8, 0.0], [0.5, 0.9, 0.0]])
    times, flow = np.array([0.5, 1.5, 2.4]), np.array([[0.0, 0.0, 0.1], [0.0, 0.7, 0.1], [0.4, 0.9, 0.0]])
    drawn, alts = plots.path_panels({"tiny": (times, flow), "usual": (times, flow / 2)}, entries, selected, 2)
    assert len(drawn) == len(alts) == 2
    first = drawn[0].axes[0]
    np.testing.assert_allclose(markers(first)[0], np.column_stack([times, flow[:, 1]]))
    np.testing.assert_allclose(markers(first)[1][:, 1], flow[:, 0])
    steps = [line.get_xydata() for line in first.lines if line.get_drawstyle() == "steps-post"]
    np.testing.assert_allclose(steps[0], [[0, 0], [1, 0.8], [2, 0.9], [2.5, 0.9]])


def test_end_panels():
    logs = np.array([-2.0, -50.0])
    arm = Arm(np.array([[0.4, 0.2], [0.6, 0.0]]))
    drawn, alts = plots.end_panels(logs, {"to one": arm, "to other": arm}, {"±1": [0.6, 0.03, 0.4, 0.02]})
    assert len(drawn) == len(alts) == 2
    np.testing.assert_allclose(markers(drawn[0].axes[0])[0], [[2.0, 0.5], [50.0, 0.1]])
    np.testing.assert_allclose([spot[0, 1] for spot in markers(drawn[1].axes[0])], [0.6, 0.4])
    assert [text.get_text() for text in drawn[1].axes[0].get_xticklabels()] == ["±1"]
