"""The figures of the chapter on auxiliary tasks, on tiny inputs."""

import numpy as np
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
