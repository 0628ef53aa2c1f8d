"""The figures of the chapter on the number of examples: panels, lines, texts."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import RNG, TIMES, axes, drawable, legend, texts

from mtlbook_lib.chapters.part2.how_many_examples import figures as plots


@pytest.mark.parametrize("mark", [None, 100.0])
def test_against_examples_marks_the_change_of_regime(mark: float | None) -> None:
    x = np.array([50.0, 100.0, 200.0])
    figure = plots.against_examples(
        {3.0: x}, {3.0: (1 / x, 0.1 / x)}, {3.0: (x, 1 / x)}, "P", "error", "b", density_one=mark
    )
    (ax,) = axes([figure])
    assert ("P = N₁" in texts(ax)) == (mark is not None)
    assert legend(ax) == ["s̄ = 3"]
    assert ax.get_xscale() == ax.get_yscale() == "log"


def test_minima_panels_stretch_the_second_axis_by_the_strength() -> None:
    density = np.array([0.25, 1.0, 4.0])
    least = dict.fromkeys((1.5, 3.0), (1 / density, 0.1 / density))
    panels, alts = plots.minima_panels(density, least, density, dict.fromkeys(least, 1 / density))
    drawable(panels, alts)
    plain, boosted = ([line.get_xdata() for line in ax.lines if line.get_linestyle() == "-"] for ax in axes(panels))
    np.testing.assert_allclose(plain, [[0.5, 1, 2]] * 2)
    np.testing.assert_allclose(boosted, [[0.75, 1.5, 3], [1.5, 3, 6]])
    assert "".join(ax.get_title(loc="left") for ax in axes(panels)) == "ab"


def test_gaussian_panels_show_the_excess_and_the_pairs() -> None:
    orthonormal = RNG.random((4, 3, 2))
    panels, alts = plots.gaussian_panels(np.array([0.5, 1, 2]), [1.5, 3.0], orthonormal, orthonormal + 0.25)
    drawable(panels, alts)
    left, right = axes(panels)
    assert legend(left) == ["s̄ = 1.5", "s̄ = 3"]
    shown = [line.get_ydata() for line in left.lines if np.size(line.get_ydata()) == 3]
    np.testing.assert_allclose(shown, 0.25)
    assert left.get_title(loc="left") + right.get_title(loc="left") == "ab"


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
