"""How one finds one's way in: counts on the front page, the map of all chapters, ways through the book, the papers."""

from __future__ import annotations

from sphinx.application import Sphinx

from bookbuild.front.contents import Map, Way, mark_core
from bookbuild.front.coverage import Coverage
from bookbuild.front.papers import Papers


def register(app: Sphinx) -> None:
    """Register the directives with Sphinx."""
    for name, directive in {"coverage": Coverage, "map": Map, "way": Way, "by-paper": Papers}.items():
        app.add_directive(name, directive)
    app.connect("build-finished", mark_core)
