"""Each picture says how many panels it has, so that its size is right before the last of them has arrived."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

PICTURE, PANEL = '<div class="mtl-figure"', '<div class="mtl-panel"'


def count_panels(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the pictures in the outputs of cells."""
    for raw in doctree.findall(nodes.raw):
        if PICTURE in raw.astext():
            raw.children = [nodes.Text(counted(raw.astext()))]


def counted(html: str) -> str:
    """The HTML with an attribute for the number of panels of each picture."""
    before, *pictures = html.split(PICTURE)
    return before + "".join(f'{PICTURE} data-panels="{text.count(PANEL)}"{text}' for text in pictures)


def register(app: Sphinx) -> None:
    """Register with Sphinx, after the sliders have become plain HTML."""
    app.connect("doctree-read", count_panels, priority=600)
