"""Sphinx extension: scoreboard, errata, status and strips of verdicts, from the register and the executed chapters."""

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from bookbuild import execute
from bookbuild.chapters import Chapter, chapters, registered_claims, with_settings
from bookbuild.execute import read_record
from bookbuild.pages import answer, brief, cite, downloads, parallel, returns, sources, tags
from bookbuild.pages.ask import Ask
from bookbuild.pages.board import Errata, FailedForecasts, Scoreboard
from bookbuild.pages.costs import LargeCosts
from bookbuild.pages.data import complete_cards, write_data
from bookbuild.pages.directive import BookDirective, Row, badge
from bookbuild.pages.explorer import Explorer
from bookbuild.pages.outcomes import counted, unjudged
from bookbuild.pages.two_tables import TwoTables

EXECUTES = "book_executes"  # whether the build of the pages executes the chapters first


class Status(BookDirective):
    """Run time, number of checks, device and versions of each chapter's last execution."""

    def content_nodes(self) -> list[nodes.Node]:
        """A table of chapters and a line of versions."""
        done = [(chapter, record) for chapter in chapters() if (record := read_record(chapter.name))]
        rows = [self._chapter_row(chapter, record) for chapter, record in done]
        total = sum(record["seconds"] for _, record in done)
        claims = [claim for _, record in done for claim in record["claims"]]
        rows.append(["All", f"{total:.1f}", str(len(claims)), str(unjudged(claims)), "", ""])
        versions = done[0][1]["versions"] if done else {}
        line = ", ".join(f"{name} {value}" for name, value in versions.items())
        head = ["Chapter", "Seconds", "Checks", "Not judged", "Profile", "Device"]
        return [self.table(head, rows), nodes.paragraph("", f"Executed with {line}.")]

    def _chapter_row(self, chapter: Chapter, record: dict[str, Any]) -> Row:
        checks = [str(len(record["claims"])), str(unjudged(record["claims"]))]
        surroundings = [record["profile"], record["device"]]
        return [self.link(chapter.title, chapter.name), f"{record['seconds']:.1f}", *checks, *surroundings]


class Verdicts(BookDirective):
    """For the chapter it stands in: how many claims have which verdict, each linked to the first such card."""

    def content_nodes(self) -> list[nodes.Node]:
        """One paragraph of badges."""
        chapter = self.env.docname.removeprefix("book/")
        counts, first = counted(chapter)
        if not counts:
            raise self.error(f"{chapter} has no claims to count: leave {{verdicts}} out, or register them.")
        strip = nodes.paragraph("", "Verdicts of this chapter: ", classes=["mtl-verdicts"])
        for verdict in counts:
            part = badge(verdict, counts[verdict])
            if verdict in first:
                part = nodes.reference("", "", part, refuri=f"#claim-{first[verdict]}", internal=True)
            strip += [part, nodes.Text(" ")]
        return [strip]


class Conditions(BookDirective):
    """What all claims of the chapter it stands in share, as the register says it; folded where it is long."""

    LONG = 60  # words

    def content_nodes(self) -> list[nodes.Node]:
        """One paragraph or a fold, to which the scoreboard links."""
        chapter = self.env.docname.removeprefix("book/")
        mine = [entry for entry in registered_claims() if entry["chapter"] == chapter]
        said = {entry["conditions"] for entry in mine if "conditions" in entry}
        if not said:
            raise self.error(f"the claims of {chapter} share no conditions: leave {{conditions}} out, or write them.")
        lead, words = "Unless said otherwise", said.pop().strip()
        if len(words.split()) > self.LONG:
            title = tags.tag("summary", {}, tags.tag("strong", {}, lead), ": sizes and settings that the claims share")
            return [tags.tag("details", {"id": "conditions", "class": "mtl-conditions"}, title, self.text(words))]
        paragraph = self.text(f"**{lead}:** {words}")
        paragraph["ids"], paragraph["classes"] = ["conditions"], ["mtl-conditions"]
        return [paragraph]


def execute_first(app: Sphinx) -> None:
    """Execute the chapters that changed, where nobody did it before: so `jupyter-book build .` is the whole build."""
    if app.config[EXECUTES] and execute.main():
        raise ExtensionError("chapters failed: see above")


def fill_settings(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the numbers of a chapter's settings into its page, before anything else reads it."""
    source[0] = with_settings(source[0], docname.removeprefix("book/"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives with Sphinx."""
    from bookbuild import front  # built with this package's directive, as the tables below are
    from bookbuild.trials.tables import Machines, Margins  # whose tables are built with this package's directive

    pages: dict[str, Callable[..., SphinxDirective]] = {
        "cite-this": cite.CiteThis,
        "scoreboard": Scoreboard,
        "errata": Errata,
        "failed-forecasts": FailedForecasts,
        "status": Status,
        "verdicts": Verdicts,
        "conditions": Conditions,
        "large-costs": LargeCosts,
        "machines": Machines,
        "margins": Margins,
        "explorer": Explorer,
        "ask": Ask,
        "two-tables": TwoTables,
    }
    for name, directive in pages.items():
        app.add_directive(name, directive)
    app.add_config_value(cite.SETTING, "", "env")
    app.add_config_value(EXECUTES, False, "")  # another project's pages execute nothing of this book
    app.connect("config-inited", cite.link_repository)
    app.connect("builder-inited", execute_first)
    app.connect("source-read", fill_settings)
    for part in (tags, answer, brief, parallel, downloads, sources, front):
        part.register(app)
    app.connect("doctree-read", complete_cards)
    app.connect("build-finished", write_data)
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-signature", returns.show_default)
    app.connect("object-description-transform", returns.keep_prose, priority=returns.AFTER_TYPE_HINTS)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
