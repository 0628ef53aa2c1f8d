"""The figure that a chapter's summary names first stands in the summary, too: the answer, before the way to it."""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx

from bookbuild.typeset.frames import element, light

TITLE = "In brief"
PICTURE, PANEL = '<div class="mtl-figure"', '<div class="mtl-panel"'
IDENTITY = re.compile(r"\bf[0-9a-f]{10}-\d+\b")  # as `notebook.svg` gives them, within one picture


def show_best(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put a copy of the figure behind the words of the summary; the strip of verdicts stays last."""
    if app.builder.format != "html":
        return
    for box in summaries(doctree):
        found = best(box, doctree)
        if found:
            copy = nodes.raw("", f'<div class="mtl-brief">{found}</div>', format="html")
            strips = [child for child in box.children if "mtl-verdicts" in child["classes"]]
            box.insert(box.index(strips[0]) if strips else len(box), copy)


def summaries(doctree: nodes.document) -> Iterator[nodes.admonition]:
    """The boxes that sum a chapter up."""
    for box in doctree.findall(nodes.admonition):
        if box.children and box[0].astext() == TITLE:
            yield box


def best(box: nodes.admonition, doctree: nodes.document) -> str:
    """The picture of the first figure that the box refers to, in the frame that it starts with.

    Nothing if it names none, or if that figure follows the box before the next heading.
    """
    figures = {identity: figure for figure in doctree.findall(nodes.figure) for identity in figure["ids"]}
    named = [figures[link["refid"]] for link in box.findall(nodes.reference) if link.get("refid") in figures]
    if not named or section(named[0]) is section(box):
        return ""
    return first_picture(named[0])


def first_picture(figure: nodes.figure) -> str:
    """The picture of a figure, in the frame that it starts with; nothing if it holds none."""
    return next((picture(raw.astext()) for raw in figure.findall(nodes.raw) if PICTURE in raw.astext()), "")


def section(node: nodes.Node) -> nodes.Node | None:
    """The section in which a node stands."""
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node


def picture(text: str) -> str:
    """One row of its panels, of more than two the ends, with ids that the page does not have yet."""
    shown = light(text)
    whole = element(shown, shown.index(PICTURE), "div")
    starts = [found.start() for found in re.finditer(PANEL, whole)]
    panels = [element(whole, start, "div") for start in sorted({starts[0], starts[-1]})]
    row = whole[: starts[0]] + "".join(panels) + "</div>"
    return IDENTITY.sub(r"brief-\g<0>", row)


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-resolved", show_best)
