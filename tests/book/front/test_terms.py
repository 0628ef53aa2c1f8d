"""Words of the glossary are linked once on a page, in its text alone, and not where the author links them."""

from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx import addnodes

from bookbuild.front import terms

PAGE = "book/part4/labels-and-snr"


def linked(*children: nodes.Node, page: str = PAGE) -> list[tuple[str, str]]:
    """Which words of a page lead to which entries, and that no word is lost."""
    document = new_document("page")
    document.extend(children)
    before = document.astext()
    app: Any = SimpleNamespace(env=SimpleNamespace(docname=page))
    terms.link_terms(app, document)
    assert document.astext() == before
    return [(found["reftarget"], found.astext()) for found in document.findall(addnodes.pending_xref)]


def test_a_link_keeps_the_words_of_the_page() -> None:
    found = terms.reference("trunk", "Trunks", PAGE)
    assert (found["refexplicit"], found["refwarn"], found["refdoc"]) == (True, True, PAGE)


def test_the_first_use_is_linked_in_any_form() -> None:
    first, second = nodes.paragraph("", "Logits grow; a trunk holds logits."), nodes.paragraph("", "The trunks.")
    assert linked(first, second) == [("logit", "Logits"), ("trunk", "trunk")]


def test_a_long_word_wins_over_what_it_holds() -> None:
    assert linked(nodes.paragraph("", "A random student and a student."))[0] == ("random student", "random student")


def test_titles_links_and_bold_words_are_left_alone() -> None:
    title = nodes.section("", nodes.title("", "The trunk"))
    bold = nodes.paragraph("", "", nodes.strong("", "trunk"))
    link = nodes.paragraph("", "", nodes.reference("", "trunk", refuri="x"))
    assert linked(title, bold, link) == []


def test_the_authors_own_link_counts() -> None:
    own = nodes.paragraph("", "", terms.reference("trunk", "trunk", PAGE))
    assert linked(own, nodes.paragraph("", "The trunk.")) == [("trunk", "trunk")]


def test_pages_without_code_are_left_alone() -> None:
    assert linked(nodes.paragraph("", "The trunk."), page="book/notation") == []


@pytest.mark.parametrize("word", ["trunk", "random energy model", "wave front"])
def test_the_glossary_is_read(word: str) -> None:
    assert word in terms.terms()
    assert not set(terms.terms()) & terms.EVERYDAY
