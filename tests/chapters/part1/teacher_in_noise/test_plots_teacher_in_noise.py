"""The figures of Part I, on tiny inputs: the right number of panels, and what they show is what went in."""

import numpy as np
from drawn import LAW

from mtlbook_lib.chapters.part1.teacher_in_noise import figures as plots

RNG = np.random.default_rng(0)


def curve(strength, aspect):
    return strength + aspect


def test_spiked_panels_show_means_over_seeds():
    grid = np.array([2.0, 3.0])
    top, overlap = np.array([[2.0, 3.0], [4.0, 5.0]]), np.full((2, 2), 0.5)
    panels, alts = plots.spiked_panels(grid, RNG.uniform(0, 2, (2, 2, 8)), top, overlap, curve, curve, LAW)
    assert len(panels) == len(alts) == 3
    assert panels[1].axes[0].containers[0][0].get_ydata().tolist() == [3.0, 4.0]


def test_spiked_frame_says_whether_there_is_an_outlier():
    draw, alt = plots.spiked_frame({0.0: np.ones(5), 2.0: np.ones(5)}, curve, lambda s, a: 0.5 * (s > 1), LAW)
    assert "no outlier" in alt(0.0)
    assert "outlier near 3.00" in alt(2.0)
    assert draw(2.0).axes[0].texts[-1].get_text() == "s̄ = 2, O = 0.50"


def test_held_out_panel_has_three_series_of_means():
    raw = np.array([[2.0, 1.0], [4.0, 1.0]])
    panels, _alts = plots.held_out_panel(raw, raw - 1, raw - 2)
    series = [container[0].get_ydata().tolist() for container in panels[0].axes[0].containers]
    assert series == [[3.0, 1.0], [2.0, 0.0], [1.0, -1.0]]
