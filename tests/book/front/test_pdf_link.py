"""The front page offers what was made of the book, and nothing that was not."""

import pytest

from bookbuild.chapters import ROOT
from bookbuild.front.pdf_link import FRONT, PLACE, offer


@pytest.fixture
def site(tmp_path):
    page = tmp_path / "html" / FRONT
    page.parent.mkdir(parents=True)
    page.write_text('<p>a</p><p id="offered" hidden></p><p>b</p>', encoding="utf8")
    return tmp_path / "html"


def test_nothing_is_said_of_what_was_not_made(site):
    offer(site.parent, site)
    assert (site / FRONT).read_text() == '<p>a</p><p id="offered" hidden></p><p>b</p>'


def test_a_pdf_is_offered_once_however_often_it_is_made(site):
    (site.parent / "book.pdf").write_text("x", encoding="utf8")
    for _ in range(2):
        offer(site.parent, site)
    assert (site / FRONT).read_text().count('href="../book.pdf" download>') == 1
    assert (site / "book.pdf").read_text() == "x"


def test_a_front_page_without_a_place_is_an_error(site):
    (site / FRONT).write_text("<p>a</p>", encoding="utf8")
    with pytest.raises(ValueError, match="has 0 places"):
        offer(site.parent, site)


def test_the_source_of_the_front_page_has_the_place():
    assert len(PLACE.findall((ROOT / "book" / "intro.md").read_text(encoding="utf8"))) == 1
