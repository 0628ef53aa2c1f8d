"""The figures of the chapter on what multi-task training minimises."""

import numpy as np
from drawn import titles

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


def test_order_panels_have_law_and_networks():
    law = np.cosh([1.0, 2.0])
    figures, alts = plots.order_panels(np.array([1.0, 2.0]), law, law, ALPHAS, dict.fromkeys(NAMES, CURVE))
    assert [len(figure.axes[0].containers) for figure in figures] == [1, 3]
    assert "which reaches 3.76" in alts[0]


def test_paper_panels_draw_the_least_norm_as_a_line():
    curves = {"networks": CURVE, "least norm": CURVE}
    figures, alts = plots.paper_panels(SIZES, {"0 shared": CURVE, "40 shared": CURVE}, curves)
    assert [len(figure.axes[0].containers) for figure in figures] == [2, 1]
    assert "least norm from 0.8 to 0.1" in alts[1]


def test_norm_panels_name_the_kinds():
    curves = dict.fromkeys(("multi-task", "finetuned", "alone"), CURVE)
    figures, alts = plots.norm_panels(SIZES, curves, curves)
    assert titles(figures) == ["group norm", "finetuning penalty"]
    assert "alone from 0.80 to 0.10" in alts[1]


def test_plane_frames_follow_the_start():
    axis = np.linspace(0, 1, 5)
    norm = 1 + np.add.outer(axis**2, axis**2)
    ends = {name: np.linspace(0, shift, 6).reshape(3, 2) for name, shift in (("1 : 1", 0.5), ("1 : 10", 0.9))}
    draw, words = plots.plane_frames(ALPHAS, ends, np.array([0.1, 0.2]), axis, norm)
    assert draw(0.01).axes[0].get_title() == "all weights start at 0.01"
    assert len(draw(0.01).axes[0].lines[0].get_xdata()) <= 3
    assert "(0.40, 0.50)" in words(1e-4)
    assert "the least norm is at (0.10, 0.20)" in words(1.0)
