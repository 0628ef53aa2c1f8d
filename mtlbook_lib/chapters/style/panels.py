"""An empty panel in the style of the book, several with their words, and what drawing functions take and return."""

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib._checks import Array

Given = ParamSpec("Given")
Shown = TypeVar("Shown")
Panels = tuple[list[Figure], list[str]]  # figures of one axes each, and what each shows in words
Described = Iterator[tuple[Figure, str]]  # the same, one panel with its words after the other
Drawing = tuple[Callable[[Any], Figure], Callable[[Any], str]]  # a frame of a slider for a value, and its words
Frame = tuple[Callable[[Any], list[Figure]], Callable[[Any], str]]  # the same for several panels
Cloud = tuple[Array, Array, Array]  # score or prediction of pairs; their measured benefit, and its standard error
Law = Callable[[Array, float], Array]  # density of a law at singular values, for an aspect
Support = Callable[[float], tuple[float, float]]  # its edges, for an aspect

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.labelsize": 9.5,
    "axes.titlesize": 9.5,
    "axes.titley": 1.0,  # no ticks are above: to look for them takes a sixth of the time of a drawing
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def panel(
    xlabel: str = "",
    ylabel: str = "",
    letter: str = "",
    width: float = 3.4,
    height: float = 2.7,
    log: str = "",
    **axes: Any,
) -> tuple[Figure, Axes]:
    r"""One panel in the style of the book: a figure with one axes.

    Parameters
    ----------
    xlabel, ylabel : str
        May contain ``$...$``.
    letter : str
        The panel's letter where there are several: a, b, c in reading order. The paper's own belongs in the caption.
    width, height : float
        In inches; up to 3.4 wide, text keeps its size on a phone.
    log : str
        The logarithmic axes: "x", "y" or "xy".
    **axes
        Properties of the axes, such as ``xlim``, ``yticks`` or ``title``.

    Returns
    -------
    Figure, Axes
    """
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        ax = figure.add_subplot()
        ax.set(xlabel=xlabel, ylabel=ylabel, **{f"{axis}scale": "log" for axis in log}, **axes)
        if letter:
            ax.set_title(letter, loc="left", fontweight="bold")
    return figure, ax


def panel_by_panel(draw: Callable[Given, Described]) -> Callable[Given, Panels]:
    """Several panels from a function that yields one after the other, each with its words."""

    @wraps(draw)
    def drawn(*args: Given.args, **kwargs: Given.kwargs) -> Panels:
        shown = list(draw(*args, **kwargs))
        return [figure for figure, _ in shown], [words for _, words in shown]

    return drawn


def framed(draw: Callable[[Any], tuple[Shown, str]]) -> tuple[Callable[[Any], Shown], Callable[[Any], str]]:
    """From a function that draws the frame of a value and says it in words: one that draws, and one that says."""
    once = lru_cache(maxsize=1)(draw)
    return lambda value: once(value)[0], lambda value: once(value)[1]
