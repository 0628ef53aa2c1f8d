"""The figures of the chapter on auxiliary data, on tiny inputs."""

import numpy as np
from drawn import titles

from mtlbook_lib.chapters.part4.auxiliary_data import figures as plots

MEAN = np.arange(8.0).reshape(2, 2, 1, 2) / 10
AMOUNTS = plots.Amounts([25, 800], ((1.0, 3.0), (100.0,)), (0.0, 1.0), {"sum": (MEAN, 0.1 + 0 * MEAN),
                                                                        "mean": (-MEAN, 0.1 + 0 * MEAN)})  # fmt: skip


def drawn(figure):
    """The means of every line of points."""
    return [container[0].get_ydata().tolist() for container in figure.axes[0].containers]


def test_amounts_have_a_panel_for_each_loss():
    assert list(AMOUNTS.places) == ["main 1, auxiliary 100", "main 3, auxiliary 100"]
    panels = AMOUNTS.panels("main 3, auxiliary 100")
    assert drawn(panels[0]) == [[0.2, 0.6], [0.3, 0.7]]
    assert drawn(panels[1]) == [[-0.2, -0.6], [-0.3, -0.7]]
    assert titles(panels) == ["sum over examples", "mean of each task"]
