"""An HTML element with attributes as a node, and what the page it stands in has to load."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


class Tag(nodes.General, nodes.Element):
    """An element `name` with `attributes`, where those of docutils (ids and classes) are not enough."""


def tag(name: str, attributes: Mapping[str, str] | None = None, *children: nodes.Node | str, **more: Any) -> Tag:
    """An element; text among the `children` is text. `scripts` and `styles` are files that its page loads."""
    inner = (nodes.Text(child) if isinstance(child, str) else child for child in children)
    return Tag("", *inner, element=name, attributes=dict(attributes or {}), **more)


def register(app: Sphinx) -> None:
    """Teach Sphinx the node, and the files of the pages that hold it."""
    app.add_node(Tag, html=(_open, _close))
    app.connect("html-page-context", _load)


def _open(writer: Any, node: Tag) -> None:
    pairs = "".join(f' {name}="{escape(value)}"' for name, value in node["attributes"].items())
    writer.body.append(f"<{node['element']}{pairs}>")


def _close(writer: Any, node: Tag) -> None:
    writer.body.append(f"</{node['element']}>")


def _load(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add a page's own files to those that all pages load; scripts run in order when the page is read."""
    for name in _files(doctree, "styles"):
        app.add_css_file(name)
    for name in _files(doctree, "scripts"):
        app.add_js_file(name, defer="defer")


def _files(doctree: nodes.document | None, kind: str) -> Iterator[str]:
    found = [name for node in doctree.findall(Tag) for name in node.get(kind, [])] if doctree else []
    yield from dict.fromkeys(found)
