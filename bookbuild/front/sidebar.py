"""The side bar: core chapters carry a mark; what is for specialists, or beyond the papers, is folded under its part."""

import re
from collections.abc import Callable
from functools import cache
from posixpath import dirname, join, normpath
from typing import Any
from unittest.mock import patch

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookbuild.front.contents import contents, listed

FIRST, LAST = 100, 900  # before and after the theme's function that makes the list
FOLDS = {"specialists": "For specialists", "beyond": "Beyond the papers"}
_LIST = re.compile(r'(<ul class="[^"]*\bbd-sidenav">)((?:(?!<ul\b).)*?)(</ul>)', re.DOTALL)
_ITEM = re.compile(r'<li class="toctree-l1[^"]*"><a class="([^"]*)" href="([^"]*)">.*?</a></li>', re.DOTALL)


def specialists() -> set[str]:
    """The chapters that are neither core nor on a way through the book; explorers are for everybody."""
    known = contents()
    wanted = {*known["core"], *(name for way in known["ways"].values() for name in way)}
    return {name for name in listed() if name not in wanted and not name.endswith("/explorer")}


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let the theme's list of chapters be folded and marked."""
    whole: Callable[..., str] | None = context.get("generate_toctree_html")
    if whole is None:
        return

    def made(**options: Any) -> Any:
        shown = whole(**options)  # in the order of the template, by which the theme knows what it has made
        return marked(str(shown), page) if options["kind"] == "sidebar" else shown

    context["generate_toctree_html"] = made


def shorten(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Let the theme's list be made of titles alone: it copies all sections for each page, and drops them."""
    whole: Callable[..., str] = context["toctree"]

    def made(**options: Any) -> str:
        with patch.object(app.env, "tocs", titles(app.env)):
            return whole(**options)

    context["toctree"] = made


@cache
def titles(env: BuildEnvironment) -> dict[str, nodes.bullet_list]:
    """The table of contents of each page without its sections."""
    return {name: _without_sections(toc) for name, toc in env.tocs.items()}


def _without_sections(toc: nodes.bullet_list) -> nodes.bullet_list:
    short: nodes.bullet_list = toc.deepcopy()
    for item in short.children:
        for inner in item.children[1:]:
            if not any(inner.findall(addnodes.toctree)):
                item.remove(inner)
    return short


def marked(html: str, page: str) -> str:
    """The list of chapters as it is seen from a page."""
    core, beyond = set(contents()["core"]), set(contents()["beyond"])
    folded = dict.fromkeys(specialists(), "specialists") | dict.fromkeys(beyond, "beyond")

    def part(found: re.Match[str]) -> str:
        kept: dict[str, list[str]] = {"": [], "specialists": [], "beyond": []}
        for item in _ITEM.finditer(found[2]):
            name = chapter(item[2], page)
            shown = item[0].replace(item[1], f"{item[1]} mtl-core", 1) if name in core else item[0]
            kept[folded.get(name, "")].append(shown)
        folds = [fold(kept[kind], title) for kind, title in FOLDS.items() if kept[kind]]
        return found[1] + "\n".join(["", *kept[""], *folds, ""]) + found[3]

    # A list that holds anything else than pages stays as it is.
    return _LIST.sub(
        lambda found: part(found) if found[2].count("<li") == len(_ITEM.findall(found[2])) else found[0], html
    )


def chapter(href: str, page: str) -> str:
    """The chapter that a link of a page leads to; that of a page to itself is a hash alone."""
    path, _, _ = href.partition("#")
    whole = normpath(join(dirname(page), path)) if path else page
    return whole.removeprefix("book/").removesuffix(".html")


def fold(items: list[str], title: str) -> str:
    """Chapters under a title, closed unless the reader is on one of them."""
    is_open = " open" if any('<li class="toctree-l1 current' in item for item in items) else ""
    head = f'<summary class="mtl-fold">{title} (<span class="mtl-fold-size">{len(items)}</span>)</summary>'
    body = "\n".join(items)
    return f'<li class="mtl-specialists"><details{is_open}>{head}<ul class="nav">\n{body}\n</ul></details></li>'


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("html-page-context", shorten, priority=FIRST)
    app.connect("html-page-context", offer, priority=LAST)
