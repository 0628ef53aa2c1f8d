"""Elements of a panel: theory as a line, simulation as points or a band, thresholds, labels at the line, its key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.cbook import normalize_kwargs
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter
from numpy.typing import ArrayLike

from mtlbook_lib._checks import real_array
from mtlbook_lib.chapters.style.palette import INK, MARKERS, checked, colour


def line(ax: Axes, x: ArrayLike, y: ArrayLike, color: str = "theory", label: str = "", **look: Any) -> None:
    """A prediction: a line (`color` is a key of COLORS or any colour)."""
    ax.plot(x, y, color=checked(color, label), label=label, **_merged(look, linewidth=1.6))


def points(
    ax: Axes,
    x: ArrayLike,
    mean: ArrayLike,
    standard_error: ArrayLike | None = None,
    color: str = "simulation",
    label: str = "",
    **look: Any,
) -> None:
    """A simulation: points, with bars of one standard error; the arms of a comparison have shapes of their own."""
    shape = MARKERS.get(color, "o")
    merged = _merged(look, fmt=shape, markersize=3.5 if shape == "D" else 4, elinewidth=1.2, zorder=3)
    ax.errorbar(x, mean, yerr=standard_error, color=checked(color, label), label=label, **merged)


def band(
    ax: Axes,
    x: ArrayLike,
    mean: ArrayLike,
    standard_error: ArrayLike,
    color: str = "simulation",
    label: str = "",
    **look: Any,
) -> None:
    """A simulation along a fine axis: about forty points, in a band of one standard error to both sides."""
    place, centre, error = real_array("x", x), real_array("mean", mean), real_array("standard_error", standard_error)
    ax.fill_between(place, centre - error, centre + error, color=colour(color), alpha=0.3, linewidth=0)
    every = slice(None, None, max(1, round(centre.size / 40)))
    dots = {"linestyle": "none", "marker": "o", "markersize": 2.8}
    ax.plot(place[every], centre[every], color=checked(color, label), label=label, **_merged(look, **dots))


def threshold(ax: Axes, x: float | None = None, y: float | None = None, label: str = "") -> None:
    """A thin dashed line across the panel, at `x` or at `y`, with its label at the line."""
    if (x is None) == (y is None):
        raise ValueError(f"threshold needs x or y, not both; got x={x!r}, y={y!r}.")
    dashed: dict[str, Any] = {"color": INK, "linewidth": 0.8, "linestyle": "--", "zorder": 1}
    words: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "fontsize": 8.5}
    if x is not None:
        ax.axvline(x, **dashed)
        ax.annotate(label, (x, 1), (-2, 0), ax.get_xaxis_transform(), rotation=90, va="top", **words)
    elif y is not None:
        ax.axhline(y, **dashed)
        ax.annotate(label, (1, y), (0, 2), ax.get_yaxis_transform(), va="bottom", **words)


def label(ax: Axes, x: float, y: float, text: str, color: str = INK, **look: Any) -> None:
    """A direct label: words beside the line that they name, in its colour."""
    ax.text(x, y, text, color=checked(color, text), **{"fontsize": 9.0, **look})


def guide(ax: Axes, x: ArrayLike, y: ArrayLike, **look: Any) -> None:
    """A thin dashed line that is no prediction, such as a diagonal or a slope, to compare points with."""
    line(ax, x, y, color=INK, **_merged(look, linewidth=0.8, linestyle="--"))


def legend(ax: Axes, loc: str | tuple[float, float] = "best", **look: Any) -> None:
    """The key of a panel: without a frame, in small type."""
    ax.legend(**{"loc": loc, "frameon": False, "fontsize": 8.5, **look})


def steps(
    ax: Axes,
    edges: ArrayLike,
    heights: ArrayLike,
    standard_error: ArrayLike | None = None,
    color: str = "simulation",
    label: str = "",
    **look: Any,
) -> None:
    """A histogram that is already counted: one height for each bin, with bars of one standard error."""
    height, edge = real_array("heights", heights), real_array("edges", edges)
    ax.stairs(height, edge, fill=True, color=checked(color, label), label=label, **{"alpha": 0.35, **look})
    if standard_error is not None:
        centres = (edge[1:] + edge[:-1]) / 2
        ax.errorbar(centres, height, yerr=standard_error, fmt="none", ecolor=colour(color), elinewidth=1.0)


def x_ticks(ax: Axes, places: Iterable[float]) -> None:
    """Ticks at these places of the first axis only, written as plain numbers; no small ticks on either axis."""
    shown = list(places)
    ax.set_xticks(shown, [f"{place:g}" for place in shown])
    ax.minorticks_off()


def plain_ticks(axis: Axis) -> None:
    """Ticks 1, 2, 5, 10, ... of a logarithmic axis, written as plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def _merged(given: dict[str, Any], **style: Any) -> dict[str, Any]:
    """The shared style, overruled by what the caller gives (``lw`` and ``linewidth`` are one key)."""
    return {**style, **normalize_kwargs(given, Line2D)}
