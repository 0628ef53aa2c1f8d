"""Test errors against numbers of examples on two logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters import style
from mtlbook_lib.chapters.style import Axes, Curve, Figure

_LEAST, _MOST = 3e-6, 3000.0  # range of the errors, relative to predicting zero, with room for a legend


def size_axes(letter: str, title: str, sizes: Sequence[int]) -> tuple[Figure, Axes]:
    """Both axes logarithmic, powers of two on the first."""
    fig, ax = style.panel("examples", "error / predicting zero", letter, log="xy", title=title, ylim=(_LEAST, _MOST))
    ticks = [n for n in (16, 32, 64, 128, 256) if n <= max(sizes)]
    style.x_ticks(ax, ticks)
    ax.set_xlim(0.9 * min(sizes), 1.1 * max(sizes))
    return fig, ax


def limit(ax: Axes, sizes: Sequence[int], errors: Array, colour: str, label: str = "", ls: str = "-") -> None:
    """Errors in the limit of many inputs: a line, which leaves the range of a logarithmic axis at its lower edge."""
    style.line(ax, sizes, np.maximum(errors, _LEAST / 10), color=colour, label=label, ls=ls)


def log_points(ax: Axes, x: Sequence[float] | Array, logs: Curve | Array, colour: str, **look: Any) -> None:
    """Geometric means of networks with bars of one standard error, from mean logarithms; those below the range go."""
    centre, error = np.asarray(logs[0]), np.asarray(logs[1])
    kept = centre > np.log(_LEAST)
    middle = np.exp(centre[kept])
    bars = np.array([middle - np.exp((centre - error)[kept]), np.exp((centre + error)[kept]) - middle])
    style.points(ax, np.asarray(x)[kept], middle, bars, color=colour, **look)


def alt_text(sizes: Sequence[int], curves: Mapping[str, Curve]) -> str:
    """Where each curve starts, and where it ends, for those who do not see the figure."""
    return f"from {sizes[0]} to {sizes[-1]} examples {'; '.join(style.from_to(curves, '.2g'))}."


def legend_above(ax: Axes, title: str = "", columns: int = 5) -> None:
    """The legend in the room above the curves."""
    style.legend(
        ax,
        "upper center",
        title=title,
        title_fontsize=8.5,
        ncols=columns,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=0.9,
    )
