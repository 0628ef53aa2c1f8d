"""The figures of the chapter with one picture of the four theories."""

import numpy as np

from mtlbook_lib.chapters.part7.one_picture import figures as plots


def test_the_map_draws_the_border_on_both_sides_and_counts_its_marks():
    x, y = np.array([0.1, 0.5, 2.0, 10.0]), np.array([0.1, 1.0, 10.0])
    tested = {True: (x, 2 * x), False: (x[:2], x[:2])}
    figures, alts = plots.map_panel((x, y), np.linspace(1, 2, 12).reshape(3, 4), (x, x), tested)
    lines = [line for line in figures[0].axes[0].lines if line.get_linewidth() == 2]
    assert [line.get_xdata().tolist() for line in lines] == [[0.1, 0.5], [2.0, 10.0]]
    assert "6 simulated places" in alts[0]
