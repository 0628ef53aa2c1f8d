"""The figures of the chapter on the spectrum of noise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Described, Drawing, Figure, Law, Panels, Support


@style.panel_by_panel
def noise_histograms(
    noise: Mapping[float, Array], shapes: Mapping[float, tuple[int, int]], density: Law, support: Support
) -> Described:
    """One panel for each aspect: histogram over matrices (values per row) and the law.

    `noise` goes from the aspect to singular values (matrix, value), `shapes` from the aspect to (rows, columns);
    `density` and `support` are the law and its edges.
    """
    for letter, aspect, values in style.lettered(noise):
        rows, columns = shapes[aspect]
        title = f"{rows} × {columns}, A = {aspect:g}"
        fig, ax = style.panel("singular value s", "density per row", letter, title=title)
        style.spectrum_histogram(ax, values, rows, upper=2.6)
        style.law_line(ax, aspect, density, support)
        ax.set(xlim=(0, 2.6), ylim=(0, None))
        yield fig, f"Histogram of the singular values of {rows} by {columns} noise, with the Marchenko–Pastur curve."


def law_frame(density: Law, support: Support) -> Drawing:
    """The drawing function and the alternative text of a slider over the aspect."""

    def draw(aspect: float) -> tuple[Figure, str]:
        fig, ax = style.panel("singular value s", "density per row", width=4.6, height=3.0)
        style.law_line(ax, aspect, density, support)
        atom = max(0.0, 1 - 1 / aspect)
        if atom > 0:
            ax.bar([0], [atom], width=0.06, color=style.COLORS["noise"])
            style.label(ax, 0.08, 1.75, f"atom at zero: {atom:.2f}", "noise")
        style.threshold(ax, x=support(aspect)[1], label="1 + √A")
        ax.set(xlim=(-0.05, 3.2), ylim=(0, 2.0))
        lower, upper = support(aspect)
        return fig, f"Density at A = {aspect:g}, from {lower:.2f} to {upper:.2f}, with mass {min(1, 1 / aspect):.2f}."

    return style.framed(draw)


def edge_scaling(largest: Any) -> Panels:
    """Distance of the largest noise value below the edge 2, and its standard deviation, against the size."""
    sizes = largest.sizes
    parts = [
        ("a", "2 − mean of the largest", 2 - largest.mean, largest.mean_error, 2 - largest.predicted_mean),
        ("b", "standard deviation", largest.spread, largest.spread_error, largest.predicted_spread),
    ]
    panels = []
    for letter, ylabel, values, error, theory in parts:
        fig, ax = style.panel("size N (rows = columns)", ylabel, letter)
        style.points(ax, sizes, values, error)
        style.line(ax, sizes, theory)
        guide = 1.5 * theory[0] * (sizes / sizes[0]) ** (-2 / 3)
        style.guide(ax, sizes, guide)
        style.label(ax, sizes[1], guide[1] * 1.08, "slope −2/3", "black")
        ax.set(xscale="log", yscale="log", ylim=(0.008, 0.15))
        style.x_ticks(ax, sizes)
        panels.append(fig)
    return panels, [
        "Distance below the edge against size on logarithmic axes: points on a line of slope minus two thirds.",
        "Standard deviation against size on logarithmic axes: points on a line of slope minus two thirds.",
    ]


def digits_spectrum(digits: Any, density: Law, support: Support) -> Panels:
    """Shuffled labels of ``DigitsSpectra`` against the law, with the values of the true labels marked at the top."""
    shuffled, true = digits.noise["shuffled labels"], digits.true
    fig, ax = style.panel("singular value s", "density per row", width=4.6, height=2.9)
    style.spectrum_histogram(ax, shuffled, shuffled.shape[1], upper=1.8, bins=30)
    style.law_line(ax, digits.aspect, density, support)
    top = 1.9
    ax.plot(true, np.full(true.size, top), "v", color=style.COLORS["teacher"], ms=6)
    style.label(ax, 3.2, top - 0.22, "true labels", "teacher")
    style.label(ax, 1.35, 0.9, "shuffled labels", "simulation")
    ax.set(xlim=(0, 5.6), ylim=(0, 2.05))
    alt = (
        "Shuffled labels: a histogram between 0.6 and 1.4 that follows the Marchenko–Pastur curve. "
        f"True labels: nine values between {true.min():.1f} and {true.max():.1f}."
    )
    return [fig], [alt]
