"""The figures of the chapter on what multi-task training minimises."""

import numpy as np

from mtlbook_lib.chapters.part6.multi_task_penalty import figures as plots

ALPHAS, SIZES = np.array([1.0, 0.01, 1e-4]), np.array([16, 64, 256])
CURVE = (np.array([0.8, 0.3, 0.1]), np.full(3, 0.01))
NAMES = ("reaches the teachers", "does not", "one task")


def test_start_panels_go_from_large_to_small_starts():
    figures, alts = plots.start_panels(ALPHAS, dict.fromkeys(NAMES, CURVE), dict.fromkeys(NAMES[:2], CURVE))
    for figure, curves in zip(figures, (3, 2), strict=True):
        lower, upper = figure.axes[0].get_xlim()
        assert lower > upper
        assert len(figure.axes[0].containers) == curves
    assert "does not from 0.8 to 0.1, least 0.1" in alts[0]
