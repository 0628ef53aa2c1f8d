"""Sphinx extension: scoreboard, errata, status and strips of verdicts, from the register and the executed chapters."""

from __future__ import annotations

from collections import Counter
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from bookbuild.chapters import Chapter, chapters
from bookbuild.execute import RECORDS, read_record, record_path
from bookbuild.pages import cite, downloads, returns
from bookbuild.pages.directive import BookDirective, Row, badge, verdict_node
from bookbuild.pages.outcomes import (
    Entry,
    Outcome,
    claims_with_outcomes,
    columns,
    counted,
    evidence,
    measured_text,
    number,
    place_text,
    scope_text,
    shown_verdict,
    tolerance_text,
    unjudged,
)
from mtlbook_lib.notebook._entry import PAPERS, VERDICTS

BIBLIOGRAPHY = "book/bibliography"


class Scoreboard(BookDirective):
    """Every claim with its verdict and numbers, counted and by paper."""

    def content_nodes(self) -> list[nodes.Node]:
        """A table of counts, then one table for each paper."""
        claims = claims_with_outcomes()
        papers = [paper for paper in PAPERS if any(entry["paper"] == paper for entry, _ in claims)]
        counts = Counter((entry["paper"], shown_verdict(entry, outcome)) for entry, outcome in claims)
        totals = Counter(shown_verdict(entry, outcome) for entry, outcome in claims)
        head = columns(totals)
        summary: list[Row] = [[PAPERS[name], *(str(counts[name, verdict]) for verdict in head)] for name in papers]
        summary.append(["All", *(str(totals[verdict]) for verdict in head)])
        return [
            self.table(["Source", *head], summary),
            *(self.section(PAPERS[paper], self._claims(claims, paper)) for paper in papers),
        ]

    def _claims(self, claims: list[tuple[Entry, Outcome | None]], paper: str) -> nodes.Node:
        mine = [(entry, outcome) for entry, outcome in claims if entry["paper"] == paper]
        head = ["Statement", "Verdict", "Measured", "Expected", "Check and tolerance"]
        return self.table(
            head, [self._claim_row(*pair) for pair in mine], [f"claim-row-{entry['id']}" for entry, _ in mine]
        )

    def _claim_row(self, entry: Entry, outcome: Outcome | None) -> Row:
        reason = f" *Not checked: {entry['reason']}*" if "reason" in entry else ""
        quantity = f"{entry['quantity']}: " if outcome and "quantity" in entry else ""
        return [
            self._statement(entry, outcome, reason),
            verdict_node(shown_verdict(entry, outcome)),
            self.text(quantity + measured_text(outcome)),
            number(outcome["expected"]) if outcome else "–",
            nodes.paragraph("", "", nodes.literal("", entry["id"]), nodes.Text(f" {tolerance_text(entry)}")),
        ]

    def _statement(self, entry: Entry, outcome: Outcome | None, reason: str) -> nodes.Node:
        """Place, statement and scope; the statement links to its card where there is one."""
        cell, statement = self.text(f"**{place_text(entry)}.** "), self.text(entry["statement"])
        if outcome:
            uri = self.uri(entry["chapter"], f"claim-{entry['id']}")
            statement = nodes.paragraph("", "", nodes.reference("", "", *statement.children, refuri=uri, internal=True))
        return nodes.paragraph(
            "",
            "",
            *cell.children,
            nodes.Text(" "),
            *statement.children,
            *self.text(scope_text(entry) + reason).children,
        )


class Errata(BookDirective):
    """The statements that do not hold as printed, each with its correction and the numbers."""

    def content_nodes(self) -> list[nodes.Node]:
        """One section for each paper, one entry for each statement."""
        odd = [pair for pair in claims_with_outcomes() if pair[0]["verdict"] in VERDICTS[1:4]]
        papers = [paper for paper in PAPERS if any(entry["paper"] == paper for entry, _ in odd)]
        return [
            self.section(PAPERS[paper], *(self._entry(*pair) for pair in odd if pair[0]["paper"] == paper))
            for paper in papers
        ]

    def _entry(self, entry: Entry, outcome: Outcome | None) -> nodes.Node:
        place = nodes.paragraph("", "", nodes.strong("", place_text(entry) + " "))
        place += badge(shown_verdict(entry, outcome))
        parts = [place, self.text(f"Statement: {entry['statement']}{scope_text(entry)}")]
        if "correction" in entry:
            parts.append(self.text(f"What holds: {entry['correction']}"))
        if outcome is not None:
            parts += [nodes.paragraph("", line) for line in evidence(outcome)]
            parts.append(self.link("The check, in its chapter", entry["chapter"], f"claim-{entry['id']}"))
        return nodes.container("", *parts, classes=["mtl-erratum"])


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
        return [self.link(chapter.name, chapter.name), f"{record['seconds']:.1f}", *checks, *surroundings]


class Verdicts(BookDirective):
    """For the chapter it stands in: how many claims have which verdict, each linked to the first such card."""

    def executed(self) -> list[str]:
        """The chapter that the strip stands in."""
        return [self.env.docname.removeprefix("book/")]

    def content_nodes(self) -> list[nodes.Node]:
        """One paragraph of badges."""
        (chapter,) = self.executed()
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


def note_record(app: Sphinx, docname: str, source: list[str]) -> None:
    """Read a chapter again when it was executed again, though its source is the same."""
    path = record_path(docname.removeprefix("book/"))
    if path.exists():
        app.env.note_dependency(str(path))


def bibliography(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The page to write again with any other: it lists what all pages cite, which Sphinx does not count."""
    return [BIBLIOGRAPHY]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives with Sphinx."""
    pages: dict[str, type[SphinxDirective]] = {
        "cite-this": cite.CiteThis,
        "scoreboard": Scoreboard,
        "errata": Errata,
        "status": Status,
        "verdicts": Verdicts,
    }
    for name, directive in pages.items():
        app.add_directive(name, directive)
    app.add_config_value(cite.SETTING, "", "env")
    app.connect("config-inited", cite.link_repository)
    app.connect("source-read", note_record)
    app.connect("env-get-updated", bibliography)
    app.connect("html-page-context", downloads.offer)
    app.connect("object-description-transform", returns.keep_prose, priority=returns.AFTER_TYPE_HINTS)
    RECORDS.mkdir(parents=True, exist_ok=True)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
