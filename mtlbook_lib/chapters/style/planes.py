"""The plane of two coefficients: level lines of a penalty, and the line of all that fit the data."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.style.drawing import line, threshold
from mtlbook_lib.chapters.style.palette import COLORS, INK
from mtlbook_lib.chapters.style.panels import panel


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
