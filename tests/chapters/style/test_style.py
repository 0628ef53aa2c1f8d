"""The shared style: colours that are legible on both pages, panels that wrap, and what the helpers draw."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from bookbuild.chapters import BOOK
from mtlbook_lib.chapters import style

PAGES = ("#ffffff", "#14181e")
EXPLORERS = BOOK / "_static/explorers/explorer.css"


def luminance(colour: str) -> float:
    """Relative luminance as the Web Content Accessibility Guidelines define it."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], channels))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def heights(ax: Any) -> list[float]:
    """The distinct heights of the outline of a histogram."""
    return sorted(set(np.round(ax.patches[0].get_xy()[:, 1], 12)))


def test_what_a_matplotlibrc_says_changes_no_figure(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.grid: True\n")
    code = "import matplotlib; from mtlbook_lib.chapters import style; print(matplotlib.rcParams['lines.linewidth'])"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert float(run.stdout) == mpl.rcParamsDefault["lines.linewidth"]


@pytest.mark.parametrize("page", PAGES)
def test_every_colour_stands_out_on_the_page(page: str) -> None:
    fixed = [colour for colour in style.COLORS.values() if colour != style.INK]  # ink becomes the page's own
    every = [*fixed, *(colour for n in range(1, 13) for colour in style.sequence(n))]
    assert min(contrast(colour, page) for colour in every) >= 3


def test_explorers_have_the_colours_of_the_figures() -> None:
    light = EXPLORERS.read_text(encoding="utf8").partition("}")[0]
    colours = dict(re.findall(r"--mtl-(\w+): (#\w+);", light))
    quantities = colours.keys() & style.COLORS.keys()
    assert quantities >= {"single", "multi", "theory", "noise"}
    assert {name: colours[name] for name in quantities} == {name: style.COLORS[name] for name in quantities}


def test_the_arms_of_a_comparison_own_their_colours() -> None:
    own = [style.COLORS[key] for key in ("single", "multi", "finetune", "shrinkage")]
    others = [colour for key, colour in style.COLORS.items() if colour in own]
    assert len(set(own)) == len(others) == 4
    shown_together = [style.COLORS[key] for key in ("theory", "simulation", "noise", "teacher")]
    assert len(set(shown_together)) == 4


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_sequence_rises_in_lightness(n: int) -> None:
    colours = style.sequence(n)
    assert len(set(colours)) == n
    assert all(luminance(a) < luminance(b) for a, b in pairwise(colours))


def test_sequence_keeps_away_from_the_colour_of_theory() -> None:
    """Far enough that no curve of an ordered family is taken for a prediction."""
    theory = np.array(to_rgb(style.COLORS["theory"]))
    every = [to_rgb(colour) for n in range(1, 13) for colour in style.sequence(n)]
    assert np.abs(np.array(every) - theory).max(axis=1).min() > 0.4


def test_sequence_keeps_its_ends() -> None:
    assert style.sequence(2) == [style.sequence(7)[0], style.sequence(7)[-1]]
    with pytest.raises(ValueError, match="n must be at least 1"):
        style.sequence(0)


@pytest.mark.parametrize("where", [{}, {"x": 1.0, "y": 1.0}])
def test_threshold_is_at_one_place(where: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="x or y, not both"):
        style.threshold(style.panel()[1], **where)


@pytest.mark.parametrize("words", style.QUANTITIES)
@pytest.mark.parametrize("draw", [style.line, style.points])
def test_a_named_quantity_is_drawn_in_its_own_colour_only(draw: Any, words: str) -> None:
    _, ax = style.panel()
    own = style.QUANTITIES[words]
    draw(ax, [0, 1], [0, 1], color=own, label=words)
    draw(ax, [0, 1], [0, 1], color=style.COLORS[own], label=words)
    for other in {"single", "multi", "finetune", "black"} - {own, style.COLORS[own]}:
        with pytest.raises(ValueError, match=f"'{words}' is drawn in the colour '{own}'"):
            draw(ax, [0, 1], [0, 1], color=other, label=words)
        with pytest.raises(ValueError, match=f"'{words}, small head' is drawn in the colour '{own}'"):
            draw(ax, [0, 1], [0, 1], color=other, label=f"{words}, small head")
    draw(ax, [0, 1], [0, 1], color="black", label=f"beside {words}")


def test_a_name_with_a_comma_may_have_a_colour_of_its_own() -> None:
    _, ax = style.panel()
    style.line(ax, [0, 1], [0, 1], color="noise", label="alone, lazy")
    style.line(ax, [0, 1], [0, 1], color="single", label="alone, rich")
    with pytest.raises(ValueError, match="'alone, lazy' is drawn in the colour 'noise'"):
        style.line(ax, [0, 1], [0, 1], color="single", label="alone, lazy")


def test_arms_of_a_comparison_differ_without_colour() -> None:
    _, ax = style.panel()
    for arm in ("single", "multi", "finetune", "shrinkage"):
        style.points(ax, [0, 1], [0, 1], color=arm)
    shapes = [bars.lines[0].get_marker() for bars in ax.containers]
    assert len(set(shapes)) == 4
    style.points(ax, [0, 1], [0, 1], color="single", fmt="v")
    assert ax.containers[-1].lines[0].get_marker() == "v"


def test_direct_labels_and_bands_of_a_named_quantity_are_checked() -> None:
    _, ax = style.panel()
    with pytest.raises(ValueError, match="'joint' is drawn"):
        style.label(ax, 0, 0, "joint ", color="single")
    with pytest.raises(ValueError, match="'alone' is drawn"):
        style.band(ax, [0, 1], [0, 1], [1, 1], color="multi", label="alone")


def test_the_diverging_map_draws_nothing_at_zero() -> None:
    shades = style.diverging()
    low, middle, high = shades(0.0), shades(0.5), shades(1.0)
    assert (low[3], high[3]) == (1.0, 1.0)
    assert middle[3] < 0.01
    assert to_rgb(low[:3]) == pytest.approx(to_rgb(style.COLORS["single"]), abs=0.01)
    assert to_rgb(high[:3]) == pytest.approx(to_rgb(style.COLORS["multi"]), abs=0.01)
