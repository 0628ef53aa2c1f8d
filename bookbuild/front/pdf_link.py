"""The book to take along: the front page links to the PDF, where it was made."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

from sphinx.application import Sphinx

from bookbuild.chapters import BUILD

NAME = "book.pdf"
FRONT = "book/intro.html"
NOTHING = '<p id="offered" hidden></p>'
PLACE = re.compile(r'<p id="offered"[^>]*>.*?</p>', re.DOTALL)


def offer(made: Path = BUILD, site: Path = BUILD / "html") -> None:
    """Put the PDF beside the pages, and say of which day it is; without it nothing is said.

    Raises
    ------
    ValueError
        If the front page has no place for it.
    """
    shown = NOTHING
    if (made / NAME).is_file():
        shutil.copy2(made / NAME, site / NAME)
        day = datetime.fromtimestamp((made / NAME).stat().st_mtime, UTC)
        link = f'<a href="../{NAME}" download>one PDF</a> of {day.day} {day:%B %Y}'
        shown = f'<p id="offered">To take along: the book as {link}.</p>'
    page = site / FRONT
    text, places = PLACE.subn(lambda _: shown, page.read_text(encoding="utf8"))
    if places != 1:
        raise ValueError(f"{page} has {places} places for what is offered; one is needed: {NOTHING}.")
    page.write_text(text, encoding="utf8")


def register(app: Sphinx) -> None:
    """Register with Sphinx: pages that are made anew offer what was made before them, with its day."""
    app.connect("build-finished", _offer_again)


def _offer_again(app: Sphinx, exception: Exception | None) -> None:
    site = Path(app.outdir)
    front = site / FRONT
    if exception is None and app.builder.name == "html" and front.is_file() and PLACE.search(front.read_text("utf8")):
        offer(site.parent, site)
