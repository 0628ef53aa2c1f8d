"""The figures of the chapter on real language, on tiny inputs."""

import numpy as np
import pytest

from mtlbook_lib.chapters.part5.real_language import figures as plots


def test_gain_panels_count_pairs_that_gain_and_draw_the_diagonal():
    by_target = {"tweets": np.array([[0.1, -0.1], [0.2, 0.1]]), "NYT": np.array([[-0.1, -0.2], [0.1, -0.3]])}
    cells = np.array([[0.0, 0.1], [0.2, 0.3]])
    panels, alts = plots.gain_panels([30, 1000], by_target, cells, cells)
    assert "positive for 3 of 4 pairs at 30 texts and for 1 at 1000" in alts[0]
    assert "correlation 1.000" in alts[1]
    diagonal = panels[1].axes[0].lines[-1]
    assert diagonal.get_xdata() == pytest.approx(diagonal.get_ydata())


def test_weight_frames_mark_both_optima():
    weights = (0.01, 0.1, 1.0)
    found = {30: (np.array([0.1, 0.3, 0.2]), np.full(3, 0.01)), 100: (np.array([0.1, 0.0, -0.2]), np.full(3, 0.01))}
    wanted = {30: np.array([0.1, 0.2, 0.3]), 100: np.array([0.1, 0.0, -0.1])}
    draw, alt = plots.weight_frames(weights, found, wanted)
    assert alt(30) == "With 30 texts of the target the mean gain is largest at the weight 0.1, forecast 1."
    first, second = (draw(size)[0].axes[0] for size in (30, 100))
    assert first.get_ylim() == second.get_ylim()
    marks = [line.get_xdata()[0] for line in first.lines if line.get_marker() == "^"]
    assert marks == [1.0, 0.1]


def test_best_panel_says_where_the_weight_begins_and_ends():
    panels, alts = plots.best_panel([30, 1000], np.array([0.2, 0.03]), np.array([0.15, 0.02]))
    assert "from 0.20 at 30 texts to 0.030 at 1000" in alts[0]
    assert panels[0].axes[0].lines[0].get_ydata() == pytest.approx([0.15, 0.02])


def test_more_panel_says_how_many_pairs_gain():
    curve = np.array([0.01, -0.05]), np.array([0.001, 0.002])
    _, alts = plots.more_panel([30, 1600], curve, np.array([7, 2]))
    assert alts[0] == "Mean gain from +0.010 at 30 texts of the source to -0.050 at 1600; pairs that gain: 7, 2."


def test_width_panel_draws_each_kind_of_layer():
    curve = np.array([0.6, 0.7]), np.array([0.01, 0.01])
    panels, alts = plots.width_panel([1, 32], {"alone": curve, "shared": curve, "permuted": curve})
    assert "alone from 0.60 to 0.70" in alts[0]
    assert len(panels[0].axes[0].containers) == 3


def test_joint_panel_says_what_is_gained():
    _, alts = plots.joint_panel([30, 300], {"one": (np.array([0.2, 0.03]), np.array([0.01, 0.01]))})
    assert alts[0] == "Gain of the joint model, from 30 to 300 texts of the target: one from +0.200 to +0.030."
