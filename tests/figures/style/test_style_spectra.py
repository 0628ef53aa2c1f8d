"""The figures of Part I, on tiny inputs: the right number of panels, and what they show is what went in."""

import numpy as np
import pytest

from mtlbook_lib.figures import style


def support(aspect):
    return abs(1 - aspect**0.5), 1 + aspect**0.5


def density(s, aspect):
    return np.ones_like(s)


LAW = (density, support)


def test_histogram_counts_per_row():
    _fig, ax = style.panel()
    style.spectrum_histogram(ax, np.array([[0.5, 1.5], [0.5, 0.6]]), rows=4, upper=2.0, bins=2)
    heights = ax.patches[0].get_data().values
    assert heights.tolist() == pytest.approx([1.5 / 4, 0.5 / 4])


def test_law_line_spans_its_support():
    _fig, ax = style.panel()
    style.law_line(ax, 4.0, *LAW)
    x = ax.lines[0].get_xdata()
    assert (x[0], x[-1]) == pytest.approx((1.0, 3.0))
