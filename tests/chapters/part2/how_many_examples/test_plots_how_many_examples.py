"""The figures of the chapter on the number of examples: panels, lines, texts."""

from __future__ import annotations

import numpy as np
from drawn import TIMES, axes

from mtlbook_lib.chapters.part2.how_many_examples import figures as plots


def test_examples_frame_marks_the_minimum_of_each_curve() -> None:
    grid = np.array([0.1, 1.0, 2.5])
    curve = (TIMES - 1.05) ** 2 + 0.2
    draw, alt = plots.examples_frame(
        100, {50: np.array([3.2, 1.0])}, {50: (grid, np.array([1.0, 2.0, 0.0]))}, TIMES, {50: {3.0: curve}}
    )
    left, right = axes(draw(50))
    assert left.get_title() == "P/N₁ = 0.5"
    law = next(line for line in left.lines if np.size(line.get_xdata()) == 2 and line.get_linestyle() == "-")
    np.testing.assert_allclose(law.get_ydata(), [0.1, 0.2])
    marked = [line for line in right.lines if np.size(line.get_xdata()) == 1]
    np.testing.assert_allclose([line.get_ydata()[0] for line in marked], [curve.min()])
    assert alt(50) == "50 examples: 2 modes, up to 3.20; least error 0.20 at strength 3."
