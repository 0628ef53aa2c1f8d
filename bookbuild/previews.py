"""Sphinx extension: what a link may show before it is followed, in one small script for each page that links lead to.

A script, not a page to fetch: it loads from disk as well as over http, and only when a reader points at a link to its page.
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
    found = CLASS.search(tag)
    return set(found[1].split()) if found else set()


def element(body: str, start: int, tag: str) -> str:
    """The element that begins at `start`, with all it holds."""
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(body, start):
        depth += -1 if found[1] else 1
        if depth == 0:
            return body[start : found.end()]
    raise ValueError(f"body must close the <{tag}> at {start}; got {body[start : start + 80]!r}.")


def write(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Write the script of one page; also where it holds nothing, so that every link finds one."""
    if doctree is None:
        return
    path = Path(app.outdir) / FOLDER / f"{page.replace('/', '--')}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.dumps(dict(targets(context["body"])), ensure_ascii=False)
    path.write_text(f"window.mtlPreviews({json.dumps(page)}, {known});\n", encoding="utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx, after the extensions that change a page's text."""
    app.connect("html-page-context", write, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
