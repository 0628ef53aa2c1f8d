"""Figures that several chapters share: the plane of two coefficients, spectra, and students against the strength."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.drawing import line, points, steps, threshold
from mtlbook_lib.chapters.style.palette import COLORS, INK
from mtlbook_lib.chapters.style.panels import Law, Panels, Support, panel
from mtlbook_lib.statistics import Arm, mean_and_error


def penalty_plane(axes: tuple[Array, Array], penalty: Array, x: Array) -> tuple[Figure, Axes]:
    """A penalty that is 1 at its least interpolator, over both `axes`, and the interpolators of input `x`, label 1."""
    fig, ax = panel(
        xlabel="β₁", ylabel="β₂", height=3.6, xlim=(axes[0][0], axes[0][-1]), ylim=(axes[1][0], axes[1][-1])
    )
    ax.set_aspect("equal")
    threshold(ax, x=0.0)
    threshold(ax, y=0.0)
    line(ax, axes[0], (1 - x[0] * axes[0]) / x[1], color=INK, lw=1.2)
    ax.contour(*axes, penalty, levels=[1.0], colors=[COLORS["theory"]], linewidths=1.6)
    ax.contour(*axes, penalty, levels=[0.3, 0.6], colors=[COLORS["theory"]], linewidths=0.7)
    return fig, ax


def spectrum_histogram(ax: Axes, values: Array, rows: int, upper: float, bins: int = 26) -> None:
    """Histogram of singular values, shape (matrix, value), as density per row with standard errors over matrices."""
    edges = np.linspace(0, upper, bins + 1)
    counts = np.array([np.histogram(one, edges)[0] for one in values]) / (rows * np.diff(edges))
    steps(ax, edges, *mean_and_error(counts))


def law_line(ax: Axes, aspect: float, density: Law, support: Support) -> None:
    """The density over its support, sampled densely near its square-root edges."""
    lower, upper = support(aspect)
    s = lower + (upper - lower) * (1 - np.cos(np.linspace(0, np.pi, 400))) / 2
    line(ax, s, density(s, aspect))


def against_strength(panels: Mapping[str, tuple[Array, Mapping[str, Arm]]]) -> Panels:
    """Optimal error or stopping time against the teacher's strength.

    Parameters
    ----------
    panels : mapping
        "letter what teacher", where what is "error" or "time", to strengths and arms of values (seed, setting).
    """
    drawn, alts = [], []
    ylabels = {"error": "least test error", "time": "best time to stop"}
    for title, (strengths, arms) in panels.items():
        letter, what, teacher = title.split(" ", 2)
        fig, ax = panel(xlabel="signal-to-noise ratio s̄", ylabel=ylabels[what], letter=letter, title=teacher)
        for name, arm in arms.items():
            if arm.theory is not None:
                line(ax, strengths, arm.theory, color=name)
            marker = {"aligned": "s", "random": "o"}[name]
            points(ax, strengths, arm.mean, arm.standard_error, color=name, fmt=marker, label=name)
        ax.legend(frameon=False, fontsize=8.5)
        ax.set(xlim=(0, None), ylim=(0, None))
        drawn.append(fig)
        alts.append(f"{ylabels[what]} against signal-to-noise ratio, {teacher}: random and aligned students.")
    return drawn, alts
