"""The figures of Part I: spectra of noise, and of a teacher in noise.

Results in, figures out; nothing is computed here but counts, means and standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.notebook import figures
from mtlbook_lib.notebook.drawing import mean_and_error

Law = Callable[[Array, float], Array]
Support = Callable[[float], tuple[float, float]]
Curve = Callable[[float | Array, float], float | Array]


def noise_histograms(
    noise: Mapping[float, Array], shapes: Mapping[float, tuple[int, int]], density: Law, support: Support
) -> tuple[list[Figure], list[str]]:
    """One panel for each aspect: histogram over matrices (values per row) and the law.

    Parameters
    ----------
    noise : mapping
        Aspect to singular values, shape (matrix, value).
    shapes : mapping
        Aspect to (rows, columns).
    density, support
        The law and its edges.
    """
    panels, alts = [], []
    for letter, (aspect, values) in zip("abcdefgh", noise.items(), strict=False):
        rows, columns = shapes[aspect]
        title = f"{rows} × {columns}, A = {aspect:g}"
        fig, ax = figures.panel(xlabel="singular value s", ylabel="density per row", letter=letter, title=title)
        spectrum_histogram(ax, values, rows, upper=2.6)
        law_line(ax, aspect, density, support)
        ax.set(xlim=(0, 2.6), ylim=(0, None))
        panels.append(fig)
        alts.append(f"Histogram of the singular values of {rows} by {columns} noise, with the Marchenko–Pastur curve.")
    return panels, alts


def spectrum_histogram(ax: Axes, values: Array, rows: int, upper: float, bins: int = 26) -> None:
    """Histogram of singular values, shape (matrix, value), as density per row with standard errors over matrices."""
    edges = np.linspace(0, upper, bins + 1)
    counts = np.array([np.histogram(one, edges)[0] for one in values]) / (rows * np.diff(edges))
    figures.steps(ax, edges, *mean_and_error(counts))


def law_line(ax: Axes, aspect: float, density: Law, support: Support) -> None:
    """The density over its support, sampled densely near its square-root edges."""
    lower, upper = support(aspect)
    s = lower + (upper - lower) * (1 - np.cos(np.linspace(0, np.pi, 400))) / 2
    figures.line(ax, s, density(s, aspect))


def law_frame(density: Law, support: Support) -> tuple[Callable[[float], Figure], Callable[[float], str]]:
    """The drawing function and the alternative text of a slider over the aspect."""

    def draw(aspect: float) -> Figure:
        fig, ax = figures.panel(xlabel="singular value s", ylabel="density per row", width=4.6, height=3.0)
        law_line(ax, aspect, density, support)
        atom = max(0.0, 1 - 1 / aspect)
        if atom > 0:
            ax.bar([0], [atom], width=0.06, color=figures.COLORS["noise"])
            figures.label(ax, 0.08, 1.75, f"atom at zero: {atom:.2f}", "noise")
        figures.threshold(ax, x=support(aspect)[1], label="1 + √A")
        ax.set(xlim=(-0.05, 3.2), ylim=(0, 2.0))
        return fig

    def alt(aspect: float) -> str:
        lower, upper = support(aspect)
        return f"Density at A = {aspect:g}, from {lower:.2f} to {upper:.2f}, with mass {min(1, 1 / aspect):.2f}."

    return draw, alt


def edge_scaling(
    sizes: Array, mean: Array, spread: Array, count: Array, predicted: Array
) -> tuple[list[Figure], list[str]]:
    """Distance of the largest noise value below the edge 2, and its standard deviation, against the size."""
    parts = [
        ("a", "2 − mean of the largest", 2 - mean, spread / np.sqrt(count), 2 - predicted[:, 0]),
        ("b", "standard deviation", spread, spread / np.sqrt(2 * (count - 1)), predicted[:, 1]),
    ]
    panels = []
    for letter, ylabel, values, error, theory in parts:
        fig, ax = figures.panel(xlabel="size N (rows = columns)", ylabel=ylabel, letter=letter)
        figures.points(ax, sizes, values, error)
        figures.line(ax, sizes, theory)
        guide = 1.5 * theory[0] * (sizes / sizes[0]) ** (-2 / 3)
        ax.plot(sizes, guide, "--", lw=0.8, color="black")
        figures.label(ax, sizes[1], guide[1] * 1.08, "slope −2/3", "black")
        ax.set(xscale="log", yscale="log", ylim=(0.008, 0.15))
        ax.set_xticks(list(sizes), [str(n) for n in sizes])
        ax.minorticks_off()
        panels.append(fig)
    alts = [
        "Distance below the edge against size on logarithmic axes: points on a line of slope minus two thirds.",
        "Standard deviation against size on logarithmic axes: points on a line of slope minus two thirds.",
    ]
    return panels, alts


def digits_spectrum(
    true_values: Array, shuffled_values: Array, aspect: float, density: Law, support: Support
) -> tuple[list[Figure], list[str]]:
    """Shuffled labels against the law, with the values of the true labels marked at the top."""
    fig, ax = figures.panel(xlabel="singular value s", ylabel="density per row", width=5.4, height=3.0)
    spectrum_histogram(ax, shuffled_values, shuffled_values.shape[1], upper=1.8, bins=30)
    law_line(ax, aspect, density, support)
    top = 1.9
    ax.plot(true_values, np.full(true_values.size, top), "v", color=figures.COLORS["teacher"], ms=6)
    figures.label(ax, 3.2, top - 0.22, "true labels", "teacher")
    figures.label(ax, 1.35, 0.9, "shuffled labels", "simulation")
    ax.set(xlim=(0, 5.6), ylim=(0, 2.05))
    alt = (
        "Shuffled labels: a histogram between 0.6 and 1.4 that follows the Marchenko–Pastur curve. "
        f"True labels: nine values between {true_values.min():.1f} and {true_values.max():.1f}."
    )
    return [fig], [alt]


def spiked_panels(
    grid: Array,
    spectra: Array,
    top: Array,
    overlap: Array,
    position: Curve,
    overlap_law: Curve,
    law: tuple[Law, Support],
) -> tuple[list[Figure], list[str]]:
    """Histogram at the strength 3, outlier and overlap against the teacher's strength, for square data.

    Parameters
    ----------
    grid : ndarray, shape (setting,)
        Teacher strengths.
    spectra : ndarray, shape (seed, setting, value)
    top, overlap : ndarray, shape (seed, setting)
        Largest singular value, and product of its overlaps.
    position, overlap_law
        Theory of both as functions of (strength, aspect).
    law
        Density and support of the noise.
    """
    strong = spectra[:, np.argmin(np.abs(grid - 3.0))]
    histogram, ax = figures.panel(xlabel="singular value ŝ", ylabel="density per row", letter="a")
    spectrum_histogram(ax, strong, strong.shape[1], upper=3.8, bins=38)
    law_line(ax, 1.0, *law)
    figures.threshold(ax, x=float(position(3.0, 1.0)), label="ŝ(3)")
    ax.set(xlim=(0, 3.8), ylim=(0, None))
    curves = [
        _against_strength(grid, top, position, "b", "largest singular value ŝ"),
        _against_strength(grid, overlap, overlap_law, "c", "overlap O"),
    ]
    alts = [
        "Histogram of the data's singular values: the bulk follows the law of noise, one outlier lies near 3.3.",
        "Largest singular value against the teacher's: flat at 2 up to the threshold 1, then rising along the theory.",
        "Overlap against the teacher's strength: zero up to the threshold 1, then rising steeply towards 1.",
    ]
    return [histogram, *curves], alts


def _against_strength(grid: Array, values: Array, theory: Curve, letter: str, ylabel: str) -> Figure:
    fig, ax = figures.panel(xlabel="teacher's singular value s̄", ylabel=ylabel, letter=letter)
    fine = np.linspace(0.0, grid.max(), 501)
    figures.line(ax, fine, theory(fine, 1.0))
    figures.points(ax, grid, *mean_and_error(values))
    figures.threshold(ax, x=1.0, label="threshold")
    return fig


def spiked_frame(
    spectra: Mapping[float, Array], position: Curve, overlap_law: Curve, law: tuple[Law, Support]
) -> tuple[Callable[[float], Figure], Callable[[float], str]]:
    """The drawing function and the alternative text of a slider over the strength of a teacher in square data."""

    def draw(strength: float) -> Figure:
        fig, ax = figures.panel(xlabel="singular value ŝ", ylabel="density per row", width=4.6, height=3.0)
        values = spectra[strength]
        edges = np.linspace(0, 4.5, 46)
        heights = np.histogram(values, edges)[0] / (values.size * np.diff(edges))
        figures.steps(ax, edges, heights)
        law_line(ax, 1.0, *law)
        place, aligned = float(position(strength, 1.0)), float(overlap_law(strength, 1.0))
        figures.threshold(ax, x=place, label="predicted ŝ" if aligned > 0 else "")
        figures.label(ax, 0.1, 0.92, f"s̄ = {strength:g}, O = {aligned:.2f}", "teacher")
        ax.set(xlim=(0, 4.5), ylim=(0, 1.0))
        return fig

    def alt(strength: float) -> str:
        place, aligned = float(position(strength, 1.0)), float(overlap_law(strength, 1.0))
        where = f"an outlier near {place:.2f}" if aligned > 0 else "no outlier"
        return f"Teacher's strength {strength:g}: bulk between 0 and 2, {where}, overlap {aligned:.2f}."

    return draw, alt


def held_out_panel(raw: Array, shrunk: Array, held_out: Array) -> tuple[list[Figure], list[str]]:
    """Modes of a real task, shape (split, mode): as the data show them, shrunken, and measured on held-out rows."""
    fig, ax = figures.panel(xlabel="mode", ylabel="singular value", width=5.0, height=3.0)
    mode = np.arange(1, raw.shape[1] + 1)
    arms = {
        "data": (raw, "teacher", "s"),
        "shrunken": (shrunk, "shrinkage", "^"),
        "held out": (held_out, "simulation", "o"),
    }
    for name, (values, colour, marker) in arms.items():
        figures.points(ax, mode, *mean_and_error(values), color=colour, label=name, fmt=marker)
    ax.legend(frameon=False)
    ax.set(ylim=(0, None), xticks=mode)
    alt = "Nine modes: the data's values lie above the held-out ones, most for weak modes; shrunken values lie close."
    return [fig], [alt]
