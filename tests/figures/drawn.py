"""What a figure shows, in words and numbers: the tests of all figures look at it in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from mtlbook_lib.notebook import pictures


def axes(panels: Iterable[Figure]) -> list[Axes]:
    """The axes of panels, each of which has one."""
    found = [panel.axes for panel in panels]
    assert all(len(one) == 1 for one in found)
    return [one[0] for one in found]


def words(found: Iterable[Text]) -> list[str]:
    return [text.get_text() for text in found]


def legend(ax: Axes) -> list[str]:
    return words(ax.get_legend().get_texts())


def texts(ax: Axes) -> list[str]:
    """The labels that stand in the panel."""
    return words(ax.texts)


def titles(panels: Iterable[Figure]) -> list[str]:
    return [panel.axes[0].get_title() for panel in panels]


def letters(panels: Iterable[Figure]) -> list[str]:
    """The letters of the panels."""
    return [panel.axes[0].get_title(loc="left") for panel in panels]


def markers(ax: Axes) -> list[Any]:
    """The data of each set of points, in the order drawn."""
    return [container.lines[0].get_xydata() for container in ax.containers]


def drawable(panels: list[Figure], alts: list[str]) -> None:
    """The page can show them: as many texts as panels, and a picture that contains them."""
    assert len(alts) == len(panels)
    assert pictures.picture(panels, alts).html.count("<svg") == len(panels)
