"""The figures on small starts: the right values at the right places."""

from types import SimpleNamespace

import numpy as np
from drawn import markers

from mtlbook_lib.chapters.part6.small_starts import figures as plots


def test_path_panels_draw_the_features_that_entered():
    entries, selected = np.array([1.0, 2.0]), np.array([[0.0, 0.8, 0.0], [0.5, 0.9, 0.0]])
    times, flow = np.array([0.5, 1.5, 2.4]), np.array([[0.0, 0.0, 0.1], [0.0, 0.7, 0.1], [0.4, 0.9, 0.0]])
    tiny = SimpleNamespace(times=times, flow=flow, entries=entries, selected=selected, teachers=np.array([0.5, 0.9, 0]))
    drawn, alts = plots.path_panels({"tiny": tiny, "usual": SimpleNamespace(times=times, flow=flow / 2)})
    assert len(drawn) == len(alts) == 2
    first = drawn[0].axes[0]
    np.testing.assert_allclose(markers(first)[0], np.column_stack([times, flow[:, 1]]))
    np.testing.assert_allclose(markers(first)[1][:, 1], flow[:, 0])
    steps = [line.get_xydata() for line in first.lines if line.get_drawstyle() == "steps-post"]
    np.testing.assert_allclose(steps[0], [[0, 0], [1, 0.8], [2, 0.9], [2.5, 0.9]])
