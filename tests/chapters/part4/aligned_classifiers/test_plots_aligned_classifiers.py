"""The figures of the chapter on aligned classifiers, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend

from mtlbook_lib.chapters.part4.aligned_classifiers import figures as plots

T = np.array([0.0, 1.0, 2.0])
ERROR = 0.1 * np.ones(3)
CLOSURES = {"exact": T, "interpolated": 0.9 * T, "rem gain": 0.5 * T, "rem": 2 * T}


def test_growth_shows_all_closures_and_all_depths():
    deep = [(T, T + 1, 1), (T, T + 2, 2)]
    panels, alts = plots.growth_panels(T, CLOSURES, deep, [(T, T + 1, ERROR), (T, T + 2, ERROR)])
    assert len(panels) == len(alts) == 2
    assert legend(panels[0].axes[0])[0] == "exact"
    assert panels[0].axes[0].containers[0][0].get_ydata() == pytest.approx(T + 2)
    assert legend(panels[1].axes[0]) == ["1 layer", "2 layers"]
    assert "exact 2.00" in alts[0]


def test_closure_frames_share_their_axes():
    draw, alt = plots.closure_frames(T, {3: CLOSURES, 10: CLOSURES})
    assert draw(3).axes[0].get_ylim() == draw(10).axes[0].get_ylim()
    assert draw(10).axes[0].get_title() == "10 classes"
    assert alt(3).startswith("Strength of an aligned student of 3 classes")


def test_losses_have_points_for_each_size_in_both_panels():
    found = {50: (T, (2 - T, ERROR), (3 - T, ERROR))}
    panels, alts = plots.loss_panels(T, 2 - T, found)
    points = [panel.axes[0].containers[0][0].get_ydata() for panel in panels]
    assert points[0] == pytest.approx(2 - T)
    assert points[1] == pytest.approx(3 - T)
    assert "1.00 for 50" in alts[1]


def test_turning_marks_the_limit():
    overlaps = {1: 1 - 0.1 * T, 2: 1 - 0.05 * T}
    measured = {depth: (T, values, ERROR) for depth, values in overlaps.items()}
    panels, alts = plots.turning_panels(T, overlaps, measured, measured, 0.7)
    dashed = [line.get_ydata()[0] for line in panels[0].axes[0].lines if line.get_linestyle() == "--"]
    assert 0.7 in dashed
    assert legend(panels[1].axes[0]) == ["exponential, as printed", "1 layer", "2 layers"]
    assert "0.80 for depth 1" in alts[1]
