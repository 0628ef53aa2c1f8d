"""The figures of the chapter on random students: the right panels, theory as lines, means over seeds as points."""

import numpy as np
import pytest
from drawn import letters, markers

from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.part2.random_students import figures as plots
from mtlbook_lib.statistics import Arm

TIMES = np.linspace(0, 3, 7)
CURVES = np.array([[1.0, 0.9, 0.5, 0.3, 0.4, 0.8, 1.2], [1.0, 0.95, 0.7, 0.4, 0.3, 0.6, 1.0]])


def test_learning_curves():
    panels = {
        "a train rank 1: 3": {"random": Arm(CURVES)},
        "b test rank 1: 3": {"aligned": Arm(CURVES, CURVES[0]), "random": Arm(CURVES, CURVES[1])},
    }
    drawn, alts = plots.learning_curves(TIMES, panels)
    assert len(drawn) == len(alts) == 2
    left, right = (figure.axes[0] for figure in drawn)
    assert (left.get_title(loc="left"), left.get_title(), left.get_ylabel()) == ("a", "rank 1: 3", "train error")
    assert left.get_yscale() == "log"
    assert [line.get_color() for line in right.lines[:1]] == [style.COLORS["aligned"]]
    np.testing.assert_array_equal(right.lines[0].get_ydata(), CURVES[0])
    np.testing.assert_allclose(markers(left)[0], np.column_stack([TIMES, CURVES.mean(axis=0)])[::3])
    assert len(markers(right)) == 2


def test_agreement_has_the_diagonal():
    groups = {"wide": (np.array([0.1, 0.2]), np.array([0.12, 0.19])), "narrow": (np.array([0.5]), np.array([0.6]))}
    ax = plots.agreement(groups, "predicted", "measured", "a").axes[0]
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[0.1, 0.1], [0.6, 0.6]])
    np.testing.assert_array_equal(markers(ax)[1], [[0.5, 0.6]])


def test_scale_frame_marks_the_minima():
    arms = {1e-2: {"aligned": Arm(CURVES, CURVES[0]), "random": Arm(CURVES - 0.1)}}
    draw, alt = plots.scale_frame(TIMES / 3, arms)
    ax = draw(1e-2).axes[0]
    lowest = CURVES.mean(axis=0).min()
    assert [points[0, 1] for points in markers(ax)] == pytest.approx([lowest, lowest - 0.1])
    assert alt(1e-2).endswith("aligned 0.350, random 0.250.")


def test_rank_panels():
    values = np.array([[0.2, 0.9], [0.3, 0.8]])
    errors = {rank: (Arm(values, values[0]), Arm(values + 0.01)) for rank in (10, 5)}
    stops = {rank: (Arm(1 + values, 1 + values[0]), Arm(1.2 + values)) for rank in (10, 5)}
    drawn, alts = plots.rank_panels(errors, stops)
    assert letters(drawn) == ["a", "b", "c", "d"]
    assert len(alts) == 4
    aligned = drawn[3].axes[0]
    np.testing.assert_allclose(markers(aligned)[0], np.column_stack([1 + values.mean(axis=0), values.mean(axis=0)]))
    assert any(np.array_equal(line.get_xdata(), 1 + values[0]) for line in aligned.lines)
