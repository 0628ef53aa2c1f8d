"""The figures of the chapter on auxiliary tasks, on tiny inputs."""

import numpy as np

from mtlbook_lib.chapters.part4.auxiliary_tasks import figures as plots

STRENGTHS = np.geomspace(0.01, 100, 9)
R = np.array([0.0, 1.0])
MEAN = np.zeros((9, 9, 2))
MEAN[8, :, 1] = 0.3
GRID = plots.Grid(STRENGTHS, R, {50: np.stack([MEAN, MEAN]), 100: np.stack([-MEAN, 0 * MEAN])})


def test_all_maps_share_one_scale():
    limits = {GRID.maps(size)[0].axes[0].collections[0].get_clim() for size in (50, 100)}
    (low, high), *others = limits
    assert not others
    assert low == -high < 0
