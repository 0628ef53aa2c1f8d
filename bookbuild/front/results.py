"""The results that the book is for, on its front page: name and equation, the chapter's picture, what was found."""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from bookbuild.pages.brief import first_picture
from bookbuild.pages.directive import BookDirective, badge
from bookbuild.pages.outcomes import Entry, Outcome, claims_with_outcomes, measured_text, number, shown_verdict
from bookbuild.pages.tags import tag


class Thumbnail(nodes.General, nodes.Element):
    """A place for the picture of a figure of another page, which is read by then."""


class Result(BookDirective):
    """What a paper says, in the words of the page; what the check of a claim measured, and its verdict."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar = {"figure": directives.unchanged_required}

    def content_nodes(self) -> list[nodes.Node]:
        """A box with the picture beside the words."""
        (name,) = self.arguments
        found = next(((entry, outcome) for entry, outcome in claims_with_outcomes() if entry["id"] == name), None)
        if found is None:
            raise self.error(f"no claim of the register is called {name!r}.")
        entry, outcome = found
        words = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, words)
        verdict = badge(shown_verdict(entry, outcome))
        card = nodes.reference("", "", verdict, refuri=self.uri(entry["chapter"], f"claim-{name}"), internal=True)
        said = self.text(f"**Simulation:** {seen(entry, outcome)}. ")
        said += card
        words += said
        picture = Thumbnail(page=f"book/{entry['chapter']}", figure=self.options["figure"])
        return [tag("div", {"class": "mtl-result"}, tag("div", {}, words), picture, styles=["front.css", "board.css"])]


def seen(entry: Entry, outcome: Outcome | None) -> str:
    """What was measured, and what was expected of it."""
    if outcome is None:
        return "not run"
    expected = outcome["expected"]
    against = f", theory {number(expected)}" if expected is not None else ""
    return f"{entry['quantity']} {measured_text(outcome)}{against}"


def show_pictures(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the first panels of the figures into the places that wait for them."""
    for place in list(doctree.findall(Thumbnail)):
        page = app.env.get_doctree(place["page"])
        figure = next((one for one in page.findall(nodes.figure) if place["figure"] in one["ids"]), None)
        html = first_picture(figure) if figure and app.builder.format == "html" else ""
        place.replace_self(nodes.raw("", f'<div class="mtl-thumbnail" aria-hidden="true">{html}</div>', format="html"))


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("result", Result)
    app.connect("doctree-resolved", show_pictures)
