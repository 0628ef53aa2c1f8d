"""The figures of the chapter on a teacher in noise."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Drawing, Figure, Law, Panels, Support
from mtlbook_lib.statistics import mean_and_error

Formula = Callable[[float | Array, float], float | Array]


def spiked_panels(grid: Array, seen: Any, position: Formula, overlap_law: Formula, law: tuple[Law, Support]) -> Panels:
    """Histogram at the strength 3, outlier and overlap against the teacher's strength, for square data.

    `grid` holds the teacher's strengths, `seen` the ``TopMode`` of the data. `position` and `overlap_law` are the
    theory of both as functions of (strength, aspect), `law` density and support of the noise.
    """
    strong = seen.spectrum.values[:, np.argmin(np.abs(grid - 3.0))]
    histogram, ax = style.panel("singular value ŝ", "density per row", "a")
    style.spectrum_histogram(ax, strong, strong.shape[1], upper=3.8, bins=38)
    style.law_line(ax, 1.0, *law)
    style.threshold(ax, x=float(position(3.0, 1.0)), label="ŝ(3)")
    ax.set(xlim=(0, 3.8), ylim=(0, None))
    curves = [
        _against_strength(grid, seen.value, position, "b", "largest singular value ŝ"),
        _against_strength(grid, seen.left_overlap * seen.right_overlap, overlap_law, "c", "overlap O"),
    ]
    return [histogram, *curves], [
        "Histogram of the data's singular values: the bulk follows the law of noise, one outlier lies near 3.3.",
        "Largest singular value against the teacher's: flat at 2 up to the threshold 1, then rising along the theory.",
        "Overlap against the teacher's strength: zero up to the threshold 1, then rising steeply towards 1.",
    ]


def _against_strength(grid: Array, values: Array, theory: Formula, letter: str, ylabel: str) -> Figure:
    fig, ax = style.panel("teacher's singular value s̄", ylabel, letter)
    fine = np.linspace(0.0, grid.max(), 501)
    style.line(ax, fine, theory(fine, 1.0))
    style.points(ax, grid, *mean_and_error(values))
    style.threshold(ax, x=1.0, label="threshold")
    return fig


def spiked_frame(
    spectra: Mapping[float, Array], position: Formula, overlap_law: Formula, law: tuple[Law, Support]
) -> Drawing:
    """The drawing function and the alternative text of a slider over the strength of a teacher in square data."""

    def draw(strength: float) -> tuple[Figure, str]:
        fig, ax = style.panel("singular value ŝ", "density per row", width=4.6, height=3.0)
        values = spectra[strength]
        edges = np.linspace(0, 4.5, 46)
        style.steps(ax, edges, np.histogram(values, edges)[0] / (values.size * np.diff(edges)))
        style.law_line(ax, 1.0, *law)
        place, aligned = float(position(strength, 1.0)), float(overlap_law(strength, 1.0))
        style.threshold(ax, x=place, label="predicted ŝ" if aligned > 0 else "")
        style.label(ax, 0.1, 0.92, f"s̄ = {strength:g}, O = {aligned:.2f}", "teacher")
        ax.set(xlim=(0, 4.5), ylim=(0, 1.0))
        where = f"an outlier near {place:.2f}" if aligned > 0 else "no outlier"
        return fig, f"Teacher's strength {strength:g}: bulk between 0 and 2, {where}, overlap {aligned:.2f}."

    return style.framed(draw)


def held_out_panel(modes: Any) -> Panels:
    """``HeldOutModes`` of a real task: as the data show them, shrunken, and measured on held-out rows."""
    fig, ax = style.panel("mode", "singular value", width=4.6, height=2.9)
    mode = np.arange(1, modes.raw.shape[1] + 1)
    arms = {
        "data": (modes.raw, "teacher", "s"),
        "shrunken": (modes.shrunk, "shrinkage", "^"),
        "held out": (modes.held_out, "simulation", "o"),
    }
    for name, (values, colour, marker) in arms.items():
        style.points(ax, mode, *mean_and_error(values), color=colour, label=name, fmt=marker)
    ax.legend(frameon=False)
    ax.set(ylim=(0, None), xticks=mode)
    alt = "Nine modes: the data's values lie above the held-out ones, most for weak modes; shrunken values lie close."
    return [fig], [alt]
