"""The figures of the chapter on auxiliary tasks, on tiny inputs."""

import numpy as np
import pytest
from drawn import titles

from mtlbook_lib.chapters.part4.auxiliary_tasks import figures as plots

STRENGTHS = np.geomspace(0.01, 100, 9)
R = np.array([0.0, 1.0])
MEAN = np.zeros((9, 9, 2))
MEAN[8, :, 1] = 0.3
GRID = plots.Grid(STRENGTHS, R, {50: MEAN, 100: -MEAN}, {50: 0.01 + 0 * MEAN, 100: 0.1 + 0 * MEAN})


def dots(figure):
    return len(figure.axes[0].collections[1].get_offsets())


def test_maps_mark_what_is_not_clear():
    panels = GRID.maps(50)
    assert titles(panels) == ["r = 0, N = 50", "r = 1, N = 50"]
    assert [dots(figure) for figure in panels] == [81, 72]
    assert dots(GRID.maps(100, shown=[1])[0]) == 81
    assert "0.00 to 0.30 for r = 1" in GRID.words(50)


def test_all_maps_share_one_scale():
    limits = {GRID.maps(size)[0].axes[0].collections[0].get_clim() for size in (50, 100)}
    (low, high), *others = limits
    assert not others
    assert low == -high < 0


def test_curves_go_through_the_means():
    ax = GRID.curves(8, 50, [0, 8]).axes[0]
    assert ax.containers[1][0].get_ydata() == pytest.approx([0.0, 0.3])
    assert "main strength 100" in GRID.curve_words(8, 50, [0, 8])
    assert "from 0.00 to 0.30" in GRID.curve_words(8, 50, [0, 8])


def test_collapse_shows_four_auxiliary_tasks():
    related = np.linspace(0, 1, 18).reshape(9, 2)
    panels, alts = plots.collapse_panel(related, related - 0.5, 0.01 + 0 * related, STRENGTHS)
    assert len(panels[0].axes[0].get_legend().get_texts()) == 4
    assert "to 0.50" in alts[0]


def test_sizes_name_the_peak():
    sizes, error = np.array([50, 100, 200]), 0.01 * np.ones(3)
    arms = {"related": (np.array([0.1, 0.3, 0.2]), error), "unrelated": (-error, error), "noise": (-error, error)}
    panels, alts = plots.size_panels(sizes, {1.0: arms, 100.0: arms})
    assert len(panels) == 2
    assert "related largest at 100, 0.20 at the end" in alts[1]


def test_course_says_where_it_is_best():
    times = np.array([0.0, 1.5, 3.0])
    _, alts = plots.course_panel(times, np.array([0.0, 0.01, -0.1]), 0.001 * np.ones(3), -0.1)
    assert "0.010 at time 1.5" in alts[0]
