"""How one finds one's way in: counts on the front page, the map of all chapters, ways through the book, the papers."""

from sphinx.application import Sphinx

from bookbuild.front import results, search, sidebar
from bookbuild.front.contents import Map, Way
from bookbuild.front.coverage import Coverage
from bookbuild.front.page_footer import BINDER, add_facts
from bookbuild.front.papers import Papers
from bookbuild.front.prerequisites import Prerequisites
from bookbuild.front.terms import link_terms


def register(app: Sphinx) -> None:
    """Register directives, settings and the line below each page with Sphinx."""
    made = {"coverage": Coverage, "map": Map, "way": Way, "by-paper": Papers, "prerequisites": Prerequisites}
    for name, directive in made.items():
        app.add_directive(name, directive)
    app.add_config_value(BINDER, "", "html")
    app.connect("doctree-read", link_terms)
    app.connect("html-page-context", add_facts)
    results.register(app)
    search.register(app)
    sidebar.register(app)
