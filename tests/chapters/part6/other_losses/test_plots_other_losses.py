"""The figures of the chapter on the logistic loss."""

import numpy as np
from drawn import legend

from mtlbook_lib.chapters.part6.other_losses import figures as plots

MARKS = np.array([1.0, 10.0, 100.0])
CURVE = (np.array([0.5, 0.3, 0.2]), np.full(3, 0.01))
KINDS = dict.fromkeys(("single", "finetune", "multi"), CURVE)


def test_fading_panels_have_two_overlaps_and_the_margins():
    late = (np.array([1.5, 0.3, 0.2]), np.full(3, 0.01))
    figures, alts = plots.fading_panels(MARKS, {"all": KINDS, "none": KINDS}, {0.1: {"single": late}, 1e-3: KINDS})
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


def test_course_frames_say_how_far_networks_are():
    largest = np.array([0.5, -0.5, 0.0])
    shares = {"single": np.array([largest, largest]), "finetune": np.array([-largest, largest])}
    draw, words = plots.course_frames(np.array([1.0, 250.0]), shares, largest)
    assert draw(250.0).axes[0].get_title() == "−log loss = 250"
    assert "single-task 0.00, finetuned 2.00" in words(1.0)
    assert "finetuned 0.00" in words(250.0)
    assert draw(1.0).axes[0].get_xlim()[1] > 0.5
