"""Figures as a page shows them: panels side by side that wrap on a narrow page, with alternative text."""

from collections.abc import Sequence
from html import escape
from typing import Any

from matplotlib.figure import Figure

from mtlbook_lib._checks import entries, instance, texts
from mtlbook_lib.notebook._mime import FIGURE as MIME_TYPE
from mtlbook_lib.notebook._panels import drawn, lacking
from mtlbook_lib.notebook._show import on_page
from mtlbook_lib.notebook._show import show as _show
from mtlbook_lib.notebook.svg import pixel_width, to_svg


class Picture:
    """Finished panels: HTML for a page, the alternative text where there is none."""

    def __init__(self, html: str, text: str, drawn: Sequence[Any] = ()) -> None:
        self.html, self.text, self.drawn = html, text, drawn

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        numbers = {MIME_TYPE: list(self.drawn)} if self.drawn else {}
        return {"text/plain": self.text, "text/html": self.html, **numbers}


def show(figures: Figure | Sequence[Figure], alt: str | Sequence[str]) -> None:
    """Show one figure, or panels side by side as far as the page is wide (`alt`: one text for all, or one for each)."""
    _show(picture(figures, alt))


def picture(figures: Figure | Sequence[Figure], alt: str | Sequence[str], salt: str = "") -> Picture:
    """The panels of ``show``, not yet shown (`salt`: see ``svg.to_svg``).

    Where a cell of the book is built or tested, a panel in which nothing is drawn, or with numbers at
    an axis that has no label, is an error.
    """
    panels = [figures] if isinstance(figures, Figure) else entries("figures", figures)
    panels = [instance("figures", panel, Figure) for panel in panels]
    instance("salt", salt, str)
    if not panels:
        raise ValueError("figures must be a Figure or a list of Figures; got an empty list.")
    for one in panels if on_page() else ():
        if faults := lacking(one):
            letter = _letter(one) or "without a letter"
            raise ValueError(f"figures must be complete; in panel {letter!r} {', and '.join(faults)}.")
    together = isinstance(alt, str) and len(panels) > 1
    alts = [""] * len(panels) if together else [alt] if isinstance(alt, str) else texts("alt", alt)
    if len(alts) != len(panels) or not all(text.strip() for text in ([alt] if isinstance(alt, str) else alts)):
        raise ValueError(f"alt must be one text, or one for each of the {len(panels)} panels, none empty; got {alt!r}.")
    body = "".join(
        _framed(figure, text, f"{salt} {number}")
        for number, (figure, text) in enumerate(zip(panels, alts, strict=True))
    )
    name = f' role="img" aria-label="{escape(str(alt))}"' if together else ""
    layout = "display:flex;flex-wrap:wrap;justify-content:center;gap:.5rem 1rem"
    html = f'<div class="mtl-figure"{name} style="{layout}">{body}</div>'
    numbers = [panel for one in panels for panel in drawn(one)] if on_page() else []
    return Picture(html, alt if isinstance(alt, str) else "\n".join(alts), numbers)


def _framed(figure: Figure, alt: str, salt: str) -> str:
    # Panels stand side by side as long as this leaves them 85 % of their size, and wrap below that.
    size = pixel_width(figure)
    style = f"flex:1 1 {round(0.85 * size)}px;max-width:{size}px;min-width:0"
    letter = escape(_letter(figure))
    return f'<div class="mtl-panel" data-letter="{letter}" style="{style}">{to_svg(figure, alt, salt)}</div>'


def _letter(figure: Figure) -> str:
    return "".join(ax.get_title(loc="left") for ax in figure.axes[:1])
