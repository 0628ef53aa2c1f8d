"""The figures of the chapter on the logistic loss."""

from types import SimpleNamespace

import numpy as np
from drawn import legend

from mtlbook_lib.chapters.part6.other_losses import figures as plots

MARKS = np.array([1.0, 10.0, 100.0])
CURVE = np.array([[0.49, 0.51], [0.29, 0.31], [0.19, 0.21]])  # (mark, seed)
KINDS = dict.fromkeys(("single", "finetune", "multi"), CURVE)


def test_fading_panels_have_two_overlaps_and_the_margins():
    late = CURVE + np.array([[1.0], [0.0], [0.0]])
    runs = {
        (0.1, 4): SimpleNamespace(error=KINDS, margin={"single": 1 - late}),
        (0.1, 0): SimpleNamespace(error=KINDS),
        (1e-3, 4): SimpleNamespace(margin={kind: 1 - curve for kind, curve in KINDS.items()}),
    }
    figures, alts = plots.fading_panels(MARKS, runs)
    assert [len(figure.axes[0].containers) for figure in figures] == [3, 3, 4]
    assert len(figures[2].axes[0].containers[0].lines[0].get_xdata()) == 2
    assert "finetuned from 0.50 to 0.20" in alts[0]
    ax = figures[2].axes[0]
    assert legend(ax) == ["start 0.1", "start 0.001"]
    key = [(line.get_fillstyle(), line.get_linestyle()) for line in ax.get_legend().get_lines()]
    drawn = [bars.lines[0] for bars in ax.containers]
    assert [(line.get_fillstyle(), line.get_linestyle()) for line in drawn] == [key[0], key[1], key[1], key[1]]
    assert key[0][0] != key[1][0]
    assert key[0][1] != key[1][1]
    assert "start 0.001: single-task 0.20" in alts[2]
