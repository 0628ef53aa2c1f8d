"""What a link may show before it is followed, in a script for each page that links lead to.

A script, not a page to fetch: it loads from disk as well as over http, and only when a reader points at a link to its
page. A figure weighs as much as all else, so each has a script of its own, and a null in the script of its page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

FOLDER = "_static/previews"
START = re.compile(r'<(div|figure|dt)\b(?=[^>]*\bid="([^"]+)")[^>]*>')
CLASS = re.compile(r'\bclass="([^"]*)"')
HIDDEN = re.compile(r'<div class="mtl-frame" hidden>')
SHOWN = {"math", "proof", "exercise", "mtl-claim"}


def targets(body: str) -> Iterator[tuple[str, str]]:
    """The equations, theorems, exercises, claims, figures and terms of a page: identity and HTML of each."""
    for found in START.finditer(body):
        tag, identity = found.groups()
        if tag == "dt" and identity.startswith("term-"):
            start = body.index("<dd", found.end())
            yield identity, element(body, found.start(), "dt") + element(body, start, "dd")
        elif tag == "figure" or (tag == "div" and SHOWN & classes(found[0])):
            yield identity, element(body, found.start(), tag)


def classes(tag: str) -> set[str]:
    """The classes of a start tag."""
    names = CLASS.search(tag)
    return set(names[1].split()) if names else set()


def element(body: str, start: int, tag: str) -> str:
    """The element that begins at `start`, with all it holds."""
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(body, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return body[start : found.end()]
    raise ValueError(f"body must close the <{tag}> at {start}; got {body[start : start + 80]!r}.")


def light(figure: str) -> str:
    """A figure without the frames that are hidden until a reader asks for them."""
    while found := HIDDEN.search(figure):
        figure = figure.replace(element(figure, found.start(), "div"), "")
    return figure


def write(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the scripts of one page; also where they hold nothing, so that every link finds one."""
    if doctree is None:
        return
    shown: dict[str, str | None] = dict(targets(context["body"]))
    for identity, html in shown.items():
        if html and html.startswith("<figure"):
            _write(app, f"{page}/{identity}", light(html))
            shown[identity] = None
    _write(app, page, shown)


def _write(app: Sphinx, name: str, content: Any) -> None:
    path = Path(app.outdir) / FOLDER / f"{name.replace('/', '--')}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    arguments = f"{json.dumps(name)}, {json.dumps(content, ensure_ascii=False)}"
    path.write_text(f"window.mtlPreviews({arguments});\n", encoding="utf8")


def register(app: Sphinx) -> None:
    """Register with Sphinx, after the extensions that change a page's text."""
    app.connect("html-page-context", write, priority=900)
