"""What the tests of all figures draw, and what a figure shows, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text


def support(aspect: float) -> tuple[float, float]:
    """The edges of noise."""
    return abs(1 - aspect**0.5), 1 + aspect**0.5


def density(s: np.ndarray, aspect: float) -> np.ndarray:
    """A law that is easy to look at."""
    return np.ones_like(s)


LAW = (density, support)


def words(found: Iterable[Text]) -> list[str]:
    return [text.get_text() for text in found]


def legend(ax: Axes) -> list[str]:
    return words(ax.get_legend().get_texts())


def texts(ax: Axes) -> list[str]:
    """The labels that stand in the panel."""
    return words(ax.texts)


def titles(panels: Iterable[Figure]) -> list[str]:
    return [panel.axes[0].get_title() for panel in panels]


def markers(ax: Axes) -> list[Any]:
    """The data of each set of points, in the order drawn."""
    return [container.lines[0].get_xydata() for container in ax.containers]
