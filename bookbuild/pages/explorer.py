"""The directive of explorers: figures with dials, computed in the page."""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from bookbuild.pages.tags import tag

FOLDER = "explorers"
LIBRARY = "vendor/uplot/uPlot"
# What an explorer loads before the frame: the formulas, and the view that puts them on the page.
VIEWS = {
    "picture": ["picture-formulas", "picture-view"],
    "transfer": ["spiked", "transfer-formulas", "transfer-view"],
    "classes": ["softmax", "classes-formulas", "classes-view"],
    "sharing": ["sharing-formulas", "sharing-view"],
    "bias": ["bias-formulas", "bias-view"],
}
COMMON = ["numerics", "dials", "plots", "map"]


class Explorer(SphinxDirective):
    """An explorer by the name of its view; the content is shown where scripts do not run.

    A small one shows some of the dials and pictures, and keeps the content's first link.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"small": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The element that the frame fills."""
        view = self.arguments[0]
        if view not in VIEWS:
            raise self.error(f"unknown explorer {view!r}; it must be one of {', '.join(VIEWS)}.")
        inner = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, inner)
        small = {"data-small": ""} if "small" in self.options else {}
        attributes = {"class": "mtl-explorer", "data-view": view, **small}
        files = {"scripts": scripts(view), "styles": [f"{LIBRARY}.min.css", f"{FOLDER}/explorer.css"]}
        return [tag("div", attributes, *inner.children, **files)]


def scripts(view: str) -> list[str]:
    """The files of an explorer, in the order in which they must run."""
    return [f"{LIBRARY}.iife.min.js", *(f"{FOLDER}/{name}.js" for name in [*COMMON, *VIEWS[view], "frame"])]
