"""Checks of every panel of the book: something drawn, and names for what its axes measure; and what is drawn where."""

import re
from collections.abc import Iterable, Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D

_WORD = re.compile(r"(?<![\\a-z])[^\W\d_]{2}")  # "2e-3" and "\\mathdefault{10^{-2}}" are numbers


def lacking(figure: Figure) -> list[str]:
    """Faults of a panel: no data that can be seen, or no label of an axis that shows numbers."""
    return [fault for ax in figure.axes for fault in _of(ax)] if figure.axes else ["it has no axes"]


def _of(ax: Axes) -> Iterator[str]:
    if not any(_seen(artist) for artist in (*ax.lines, *ax.collections, *ax.patches, *ax.images)):
        yield "nothing is drawn in it"
    if ax.axison:
        yield from (f"its {name} axis has no label" for name in "xy" if not _named(getattr(ax, f"{name}axis")))


def _seen(artist: Artist) -> bool:
    if isinstance(artist, Line2D):
        return bool(np.isfinite(np.asarray(artist.get_xydata(), dtype=float)).all(axis=1).any())
    return not isinstance(artist, Collection) or bool(artist.get_paths())


def _named(axis: Axis) -> bool:
    """By a label, or by words at the ticks; an axis without numbers needs none."""
    ticks = [tick.get_text() for tick in axis.get_ticklabels() if tick.get_visible()]
    return bool(axis.get_label_text()) or not any(ticks) or any(_WORD.search(text) for text in ticks)


def drawn(figure: Figure) -> list[dict[str, list[list[float]]]]:
    """Content of each panel in few numbers: another machine has to draw the same.

    The ends of both axes; and of each line, band, bar and picture its centre, its first and its last point, or the
    corners of its box, as shares of the axes.
    """
    return [
        {
            "ends": [[float(f"{end:.4g}") for end in limits] for limits in (ax.get_xlim(), ax.get_ylim())],
            "places": [place for part in (ax.lines, ax.collections, ax.patches, ax.images) for one in part
                       if (place := _place(one, ax)) is not None],
        }
        for ax in figure.axes
    ]  # fmt: skip


def _place(artist: Artist, ax: Axes) -> list[float] | None:
    if isinstance(artist, AxesImage):
        return _rounded(np.mean(artist.to_rgba(np.asarray(artist.get_array())), axis=(0, 1)))
    to_axes = ax.transAxes.inverted()
    if isinstance(artist, Line2D):
        points = np.asarray(artist.get_xydata(), dtype=float)
        points = to_axes.transform(artist.get_transform().transform(points[np.isfinite(points).all(axis=1)]))
        return _rounded([*points.mean(axis=0), *points[0], *points[-1]]) if len(points) else None
    if isinstance(artist, Collection):
        box = artist.get_datalim(ax.transData)
        corners = ax.transData.transform(box.get_points())
    else:
        corners = artist.get_window_extent().get_points()
    return _rounded(to_axes.transform(corners).ravel()) if np.isfinite(corners).all() else None


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(float(value), 3) + 0.0 for value in values]
