"""What the search knows of a page: its words, and the keywords of contents.yml.

Formulas and code are no words, and nobody can ask for a number alone.
"""

import re
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from bookbuild.front.contents import contents
from bookbuild.typeset.frames import element

# Signatures are found by the names of the objects.
WORDLESS = (nodes.math, nodes.math_block, nodes.literal_block, nodes.doctest_block, addnodes.desc_signature)
DRAWN = re.compile(r"<(svg|style|script|pre)\b.*?</\1>", re.DOTALL)
FORMULA = re.compile(r'<span class="math\b')
TEX = re.compile(r"\\\(.*?\\\)", re.DOTALL)
TAG = re.compile(r"<[^<]+?>")
NUMBER = re.compile(r"(?<![^\W_])[\d_]*\d[\d_]*(?![^\W_])")


def words(text: str) -> str:
    """The text without its numbers; `2b` is a word."""
    return NUMBER.sub(" ", text)


def spoken(html: str) -> str:
    """What HTML says: neither drawings nor formulas, and no word joined to the next."""
    html = TEX.sub(" ", DRAWN.sub(" ", html))
    while formula := FORMULA.search(html):
        html = html.replace(element(html, formula.start(), "span"), " ")
    return words(TAG.sub(" ", html))


def prose(node: nodes.Element) -> nodes.Element:
    """A copy of a page, or of a part of it, with its words alone; titles stay as they are, since results show them."""
    copy = node.copy()
    for child in node.children:
        if isinstance(child, nodes.raw):
            copy += nodes.Text(f" {spoken(child.astext())} ")
        elif isinstance(child, nodes.Text):
            copy += nodes.Text(words(child))
        elif isinstance(child, nodes.title):
            copy += child.deepcopy()
        elif isinstance(child, nodes.Element) and not isinstance(child, WORDLESS):
            copy += prose(child)
    return copy


def listen(app: Sphinx) -> None:
    """Let the builder index the words of a page."""
    whole: Callable[..., None] | None = getattr(app.builder, "index_page", None)
    if whole is None:
        return

    def index_page(pagename: str, doctree: Any, title: str) -> None:
        whole(pagename, prose(doctree), title)

    app.builder.index_page = index_page  # type: ignore[attr-defined]


def add_keywords(app: Sphinx, doctree: nodes.document) -> None:
    """Enter a page under its keywords, as an `{index}` directive in its source would."""
    words = contents()["keywords"].get(app.env.docname.removeprefix("book/"), [])
    doctree.insert(0, addnodes.index(entries=[("single", word, "", "main", None) for word in words]))


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", add_keywords)
    app.connect("builder-inited", listen)
