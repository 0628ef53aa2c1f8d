"""What every panel of the book has, whatever it shows: something drawn, and names for what its axes measure."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

_WORD = re.compile(r"(?<![\\a-z])[^\W\d_]{2}")  # "2e-3" and "\\mathdefault{10^{-2}}" are numbers


def lacking(figure: Figure) -> list[str]:
    """What is missing in a panel: data that can be seen, or a label of an axis that shows numbers."""
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
