"""A matplotlib figure as SVG inside a page: it takes the page's text colour, and its ids are its own."""

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest import mock
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser
from matplotlib.textpath import TextToPath

from mtlbook_lib._checks import instance
from mtlbook_lib._checks import text as checked_text

_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")

_SAVE: dict[Any, Any] = {"svg.fonttype": "path", "svg.hashsalt": "mtlbook"}
# Scale factors of glyphs are small numbers that must keep their digits; all other decimals are positions or widths.
_DECIMAL = re.compile(r"(?:scale|matrix|rotate)\([^)]*\)|-?\d*\.\d+(?:e[+-]?\d+)?")
_FILL = re.compile(r"fill:(#[0-9a-f]{6})")
_COMMAND = re.compile(r" ?([MLHVCQz]) ?")  # the letters of a path need no space around them
_REFERENCE = re.compile(r"#([^)\"'\s]+)")
_POINTS_TO_PIXELS = 96 / 72
_NO_METADATA = {"Date": None, "Creator": None}


class _Formulas(MathTextParser):  # type: ignore[type-arg]  # generic in its stubs alone
    """Formulas as they were typeset once."""

    def __init__(self, output: Any) -> None:
        super().__init__(output)
        self._typeset: dict[Any, Any] = {}

    def parse(self, s: str, dpi: float = 72, prop: Any = None, **how: Any) -> Any:
        key = s, dpi, hash(prop), *how.items()
        if key not in self._typeset:
            self._typeset[key] = super().parse(s, dpi, prop, **how)
        return self._typeset[key]


class _Words(TextToPath):
    """Words and formulas, and how large they are, for all figures: matplotlib keeps them for one drawing."""

    def __init__(self) -> None:
        super().__init__()
        self.mathtext_parser = _Formulas("path")
        self._sizes: dict[Any, Any] = {}

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> Any:
        key = s, hash(prop), ismath
        if key not in self._sizes:
            self._sizes[key] = super().get_text_width_height_descent(s, prop, ismath)
        return self._sizes[key]


_words = cache(_Words)  # one for all


def to_svg(figure: Figure, alt: str = "", salt: str = "") -> str:
    r"""`figure` as an SVG element for a page.

    Text, axes and everything else that matplotlib draws in black take the page's text colour (``currentColor``); the
    background is transparent. The same figure gives the same text on every run.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        What a reader who does not see the figure should know; an empty text marks the figure as decoration
        whose description stands elsewhere.
    salt : str
        Makes the ids differ from those of an identical figure on the same page.

    Returns
    -------
    str
        One ``<svg>`` element, well-formed XML.
    """
    alt, salt = checked_text("alt", alt), checked_text("salt", salt)
    root = ElementTree.fromstring(_draw(instance("figure", figure, Figure)))
    _strip(root)
    _recolour(root)
    _shorten(root)
    content = ElementTree.tostring(root, encoding="unicode")
    _rename(root, "f" + hashlib.sha256(f"{salt}\0{alt}\0{content}".encode()).hexdigest()[:10])
    _describe(root, alt)
    return ElementTree.tostring(root, encoding="unicode")


def pixel_width(figure: Figure) -> int:
    """The width of the figure in CSS pixels."""
    return round(float(instance("figure", figure, Figure).get_size_inches()[0]) * 96)


def _draw(figure: Figure) -> str:
    for axes in figure.axes:
        legend = axes.get_legend()
        if legend is not None:
            legend.set_frame_on(False)  # its frame is white, and would hide the text on a dark page
    file, canvas, dpi = io.StringIO(), figure.canvas, figure.dpi
    words = mock.patch("matplotlib.text.TextToPath", _words)
    with mpl.rc_context(_SAVE), _transparent(figure), words:
        # Not by savefig, which draws everything twice.
        FigureCanvasSVG(figure).print_svg(file, metadata=_NO_METADATA)  # type: ignore[no-untyped-call]
    figure.set_canvas(canvas)
    figure.set_dpi(dpi)
    return file.getvalue()


@contextmanager
def _transparent(figure: Figure) -> Iterator[None]:
    """Without backgrounds inside the block."""
    patches = [figure.patch, *(axes.patch for axes in figure.axes)]
    colours = [(patch.get_facecolor(), patch.get_edgecolor()) for patch in patches]
    for patch in patches:
        patch.set(facecolor="none", edgecolor="none")
    try:
        yield
    finally:
        for patch, (face, edge) in zip(patches, colours, strict=True):
            patch.set(facecolor=face, edgecolor=edge)


def _strip(root: Element) -> None:
    """Remove what a page does not need: metadata, layout white space, and style rules (they would reach all of it)."""
    for element in list(root.iter()):
        element.text = element.tail = None
        for child in list(element):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                element.remove(child)


def _recolour(root: Element) -> None:
    """Black lines take the page's text colour (matplotlib leaves a black fill out, which then inherits it).

    Coloured words are mixed with the text colour: no colour of a line is dark enough to be read on the light page and
    light enough on the dark one.
    """
    for element in root.iter():
        if "style" in element.attrib:
            style = element.attrib["style"].replace(": ", ":").replace("; ", ";")
            if "scale(" in element.get("transform", ""):  # a group of letters
                style = _FILL.sub(r"fill:color-mix(in srgb,\1 65%,currentColor)", style)
            element.set("style", style.replace("stroke:#000000", "stroke:currentColor"))


def _shorten(root: Element) -> None:
    """Round positions to a hundredth of a point, and drop ids that nothing refers to."""
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {name for value in values if value.startswith("#") or "url(#" in value for name in _REFERENCE.findall(value)}
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        for key in ("d", "x", "y", "width", "height", "points", "transform", "style", "viewBox"):
            if key in element.attrib:
                element.set(key, _DECIMAL.sub(_rounded, " ".join(element.attrib[key].split())))
        if "d" in element.attrib:
            element.set("d", _COMMAND.sub(r"\1", element.attrib["d"]))


def _rounded(match: re.Match[str]) -> str:
    text = match.group()
    if text[0] not in "-.0123456789":
        return text
    short = f"{float(text):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _rename(root: Element, prefix: str) -> None:
    """Give every id the figure's own prefix, and follow it in the references."""
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    names = {old: f"{prefix}-{number}" for number, old in enumerate(dict.fromkeys(ids))}
    for element in root.iter():
        if "id" in element.attrib:
            element.set("id", names[element.attrib["id"]])
        for key, value in element.attrib.items():
            if key == _HREF or "url(#" in value:
                element.set(key, _REFERENCE.sub(lambda match: "#" + names.get(match[1], match[1]), value))


def _describe(root: Element, alt: str) -> None:
    """Set the size, the inherited style and the accessible name of the outer element."""
    for key in ("width", "height"):
        root.set(key, f"{float(root.attrib[key].removesuffix('pt')) * _POINTS_TO_PIXELS:.0f}")
    style = "max-width:100%;height:auto;fill:currentColor;stroke-linejoin:round;stroke-linecap:butt"
    root.set("style", style)
    root.attrib.pop("version", None)
    if not alt:
        root.set("aria-hidden", "true")
        return
    root.set("role", "img")
    root.set("aria-label", alt)
    title = Element(f"{{{_SVG}}}title")
    title.text = alt
    root.insert(0, title)
