"""Words of the glossary: the first time that a chapter uses one in its text, it leads to the entry."""

import re
from collections.abc import Iterator
from functools import cache

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from bookbuild.chapters import BOOK, chapter_of

GLOSSARY = BOOK / "reference" / "glossary.md"
# Words that a text also uses in their everyday sense, or that every chapter uses on every page.
EVERYDAY = {"claim", "company", "head", "mode", "order one", "price", "seed", "strength", "tolerance", "verdict"}
NOT_IN = (nodes.title, nodes.reference, nodes.literal, nodes.figure, nodes.math, nodes.strong, addnodes.pending_xref)


def link_terms(app: Sphinx, doctree: nodes.document) -> None:
    """Turn the first use of each word that the author did not link into a link."""
    page = app.env.docname
    if chapter_of(page) is None:
        return
    linked = {xref["reftarget"].lower() for xref in doctree.findall(addnodes.pending_xref) if xref["reftype"] == "term"}
    missing = [term for term in terms() if term not in linked]
    for text in list(_texts(doctree)):
        missing = _link(text, missing, page)


@cache
def terms() -> tuple[str, ...]:
    """The words that are linked, long ones first: "optimal shrinkage" before what it may hold."""
    entries = re.findall(r"^(\w[^\n]*)\n  \S", GLOSSARY.read_text(encoding="utf8"), re.MULTILINE)
    return tuple(sorted((term for term in entries if term not in EVERYDAY), key=len, reverse=True))


def find(text: str, missing: list[str]) -> re.Match[str] | None:
    """The first place where a text uses one of the words, in the singular or with an s."""
    if not missing:
        return None
    return re.search(rf"\b({'|'.join(map(re.escape, missing))})s?\b", text, re.IGNORECASE)


def _texts(doctree: nodes.document) -> Iterator[nodes.Text]:
    for paragraph in doctree.findall(nodes.paragraph):
        for text in paragraph.findall(nodes.Text):
            if not any(isinstance(node, NOT_IN) for node in _above(text)):
                yield text


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _link(text: nodes.Text, missing: list[str], page: str) -> list[str]:
    """Replace the words in one piece of text; the words that are still missing."""
    pieces: list[nodes.Node] = []
    rest = text.astext()
    while found := find(rest, missing):
        term = found[1].lower()
        missing = [other for other in missing if other != term]
        pieces += [nodes.Text(rest[: found.start()]), reference(term, found[0], page)]
        rest = rest[found.end() :]
    if pieces:
        text.parent.replace(text, [*pieces, nodes.Text(rest)])
    return missing


def reference(term: str, shown: str, page: str) -> addnodes.pending_xref:
    """What `{term}` makes."""
    inner = nodes.inline("", shown, classes=["xref", "std", "std-term"])
    about = {"refdomain": "std", "reftype": "term", "reftarget": term, "refexplicit": True, "refwarn": True}
    return addnodes.pending_xref("", inner, refdoc=page, **about)
