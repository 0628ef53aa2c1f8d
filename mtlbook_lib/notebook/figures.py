"""The book's figures: panels in one house style that wrap on a narrow page, and what is drawn in them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtlbook_lib.notebook._show import show as _show
from mtlbook_lib.notebook.drawing import band, histogram, label, line, points, steps, threshold
from mtlbook_lib.notebook.palette import COLORS, INK, sequence
from mtlbook_lib.notebook.svg import pixel_width, to_svg

__all__ = [
    "COLORS",
    "INK",
    "Axes",
    "Figure",
    "Picture",
    "band",
    "histogram",
    "label",
    "line",
    "panel",
    "picture",
    "points",
    "sequence",
    "show",
    "steps",
    "threshold",
]

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.labelsize": 9.5,
    "axes.titlesize": 9.5,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


class Picture:
    """Finished panels: HTML for a page, the alternative text where there is none."""

    def __init__(self, html: str, text: str) -> None:
        self.html, self.text = html, text

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.text, "text/html": self.html}


def panel(
    xlabel: str = "", ylabel: str = "", letter: str = "", width: float = 3.4, height: float = 2.7, **axes: Any
) -> tuple[Figure, Axes]:
    r"""One panel in the style of the book: a figure with one axes.

    Parameters
    ----------
    xlabel, ylabel : str
        May contain ``$...$``.
    letter : str
        The panel's letter, as in the paper.
    width, height : float
        In inches; up to 3.4 wide, text keeps its size on a phone.
    **axes
        Properties of the axes, such as ``xlim``, ``yscale`` or ``title``.

    Returns
    -------
    Figure, Axes
    """
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        ax = figure.add_subplot()
        ax.set(xlabel=xlabel, ylabel=ylabel, **axes)
        if letter:
            ax.set_title(letter, loc="left", fontweight="bold")
    return figure, ax


def show(figures: Figure | Sequence[Figure], alt: str | Sequence[str]) -> None:
    """Show one figure, or panels side by side as far as the page is wide (`alt`: one text for all, or one for each)."""
    _show(picture(figures, alt))


def picture(figures: Figure | Sequence[Figure], alt: str | Sequence[str], salt: str = "") -> Picture:
    """The panels of ``show``, not yet shown (`salt`: see ``svg.to_svg``)."""
    panels = [figures] if isinstance(figures, Figure) else list(figures)
    if not panels:
        raise ValueError("figures must be a Figure or a list of Figures; got an empty list.")
    together = isinstance(alt, str) and len(panels) > 1
    alts = [""] * len(panels) if together else [alt] if isinstance(alt, str) else list(alt)
    if len(alts) != len(panels) or not all(text.strip() for text in ([alt] if isinstance(alt, str) else alts)):
        raise ValueError(f"alt must be one text, or one for each of the {len(panels)} panels, none empty; got {alt!r}.")
    body = "".join(
        _framed(figure, text, f"{salt} {number}")
        for number, (figure, text) in enumerate(zip(panels, alts, strict=True))
    )
    name = f' role="img" aria-label="{escape(str(alt))}"' if together else ""
    layout = "display:flex;flex-wrap:wrap;justify-content:center;gap:.5rem 1rem"
    html = f'<div class="mtl-figure"{name} style="{layout}">{body}</div>'
    return Picture(html, alt if isinstance(alt, str) else "\n".join(alts))


def _framed(figure: Figure, alt: str, salt: str) -> str:
    # Panels stand side by side as long as this leaves them 85 % of their size, and wrap below that.
    size = pixel_width(figure)
    style = f"flex:1 1 {round(0.85 * size)}px;max-width:{size}px;min-width:0"
    return f'<div class="mtl-panel" style="{style}">{to_svg(figure, alt, salt)}</div>'
