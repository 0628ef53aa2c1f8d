"""The figures of the chapter on auxiliary data, on tiny inputs."""

import numpy as np
import pytest
from drawn import legend, titles

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


def test_words_of_the_amounts_give_the_ends():
    words = AMOUNTS.words("main 3, auxiliary 100")
    assert "with 800 sum over examples: 0.60 for r = 0, 0.70 for r = 1" in words
    assert "-0.60 for r = 0" in words


def test_trunks_have_a_line_for_each_number_of_layers():
    mean = np.array([[0.0, 0.3], [-0.1, 0.2], [0.0, 0.1]])
    panels, alts = plots.trunk_panels([0.0, 1.0], {"linear": (mean, 0 * mean)}, (-0.2, 0.4))
    assert drawn(panels[0]) == mean.tolist()
    assert legend(panels[0].axes[0]) == ["1 hidden layer", "2 hidden layers", "3 hidden layers"]
    assert "0.00 to 0.30, -0.10 to 0.20" in alts[0]


def test_strengths_have_a_panel_for_each_main_task():
    mean = np.arange(8.0).reshape(2, 2, 2) / 10
    panels, alts = plots.strength_panels([0.3, 100.0], [1.0, 3.0], (mean, 0 * mean), [0.0, 1.0])
    assert titles(panels) == ["main SNR 1", "main SNR 3"]
    assert drawn(panels[1])[1] == pytest.approx([0.5, 0.7])
    assert "0.60 for r = 0, 0.70 for r = 1" in alts[1]
