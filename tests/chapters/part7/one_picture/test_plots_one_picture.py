"""The figures of the chapter with one picture of the four theories."""

import numpy as np
from drawn import texts

from mtlbook_lib.chapters.part7.one_picture import figures as plots


def curve(n):
    return np.ones(n), np.full(n, 0.1)


def test_the_map_draws_the_border_on_both_sides_and_counts_its_marks():
    x, y = np.array([0.1, 0.5, 2.0, 10.0]), np.array([0.1, 1.0, 10.0])
    tested = {True: (x, 2 * x), False: (x[:2], x[:2])}
    figures, alts = plots.map_panel((x, y), np.linspace(1, 2, 12).reshape(3, 4), (x, x), tested)
    lines = [line for line in figures[0].axes[0].lines if line.get_linewidth() == 2]
    assert [line.get_xdata().tolist() for line in lines] == [[0.1, 0.5], [2.0, 10.0]]
    assert "6 simulated places" in alts[0]


def test_capacity_panels_have_both_theories():
    times, places, fine = np.arange(3.0), np.array([0.2, 0.8]), np.linspace(0, 1, 5)
    courses = {name: (curve(3), np.ones(3)) for name in ("alone", "capacity 2", "capacity 1")}
    gains = {"1, 1": (curve(2), np.zeros(5), np.zeros(5))}
    figures, alts = plots.capacity_panels(times, courses, (places, fine), gains)
    assert len(figures[0].axes[0].containers) == 3
    assert "--" in [line.get_linestyle() for line in figures[1].axes[0].lines]
    assert "capacity 1: least 1.00" in alts[0]


def test_agreement_panels():
    deltas, fine = np.array([0.2, 0.5]), np.linspace(0.1, 0.9, 5)
    starts = {"noise 0": (curve(2), 1 - fine), "noise 0.5": (curve(2), 1 + fine)}
    sizes = np.array([[0.2, 0.4]])
    figures, alts = plots.agreement_panels((deltas, fine), starts, sizes, sizes**2 / 4, (fine, fine**2 / 4))
    assert set(texts(figures[0].axes[0])) == {"noise 0", "noise 0.5"}
    assert "from 0.010 to 0.04" in alts[1]


def test_scale_frames_show_points_where_there_are_any():
    scales, grid = np.array([0.1, 1.0]), np.array([0.1, 0.5])
    limits = np.array([[2.0, 0.1], [0.9, 0.5]])
    draw, words = plots.scale_frames(scales, (grid, grid), limits, {1.0: curve(2)})
    assert len(draw(0.1).axes[0].containers) == 0
    assert len(draw(1.0).axes[0].containers) == 1
    assert "0.90 of the start's" in words(1.0)
