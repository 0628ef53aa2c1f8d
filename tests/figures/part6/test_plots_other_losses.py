"""The figures of the chapter on other losses."""

import numpy as np
from drawn import legend, titles

from mtlbook_lib.figures.part6 import other_losses as plots

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


def test_stopping_panels_have_line_points_and_the_best_penalty():
    path = np.array([1.0, 0.4, 0.6])
    paths, stops = {0.0: path, 0.5: path}, dict.fromkeys((0.0, 0.5), (MARKS[:2], (path[:2], path[:2] / 10)))
    figures, alts = plots.stopping_panels(MARKS, paths, stops, {0.0: 0.3, 0.5: 0.35})
    assert titles(figures) == ["label noise 0", "label noise 0.5"]
    assert "least 0.40 at time 10, 0.60 at the end" in alts[0]
    assert "best penalty reaches 0.35" in alts[1]


def test_variant_panels():
    alphas, curve = np.array([0.01, 0.1]), np.array([0.01, 0.1])
    lost = {"batch 1": (np.array([1.0]), (np.array([0.2]), np.array([0.01])), 0.15)}
    trained = {3: (np.array([0.1]), (np.array([0.1]), np.array([0.01])))}
    figures, alts = plots.variant_panels(alphas, {2: curve, 3: curve}, trained, np.array([0.5, 2.0]), lost)
    assert len(figures[0].axes[0].containers) == 1
    assert figures[1].axes[0].lines[0].get_ydata().tolist() == [0.075, 0.3]
    assert "2 layers 0.01" in alts[0]
    assert "batch 1 0.2" in alts[1]
