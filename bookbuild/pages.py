"""Sphinx extension: the scoreboard, errata and status pages, made from the register and the executed chapters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from bookbuild.chapters import BOOK, Chapter, chapters, registered_claims
from bookbuild.execute import RECORDS, read_record, record_path
from mtlbook_lib.notebook._entry import PAPERS, VERDICTS

Row = list[str | nodes.Node]
BIBLIOGRAPHY = "book/bibliography"


class BookDirective(SphinxDirective):
    """What the generated pages share: records, links to cells, tables."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Make the page's nodes, and note the files it has to be made again for."""
        for path in [BOOK / "claims.yml", *(record_path(chapter.name) for chapter in chapters())]:
            self.env.note_dependency(str(path))
        return self.content_nodes()

    def content_nodes(self) -> list[nodes.Node]:
        """The nodes of the page."""
        raise NotImplementedError

    def text(self, markdown: str) -> nodes.Node:
        """A paragraph of inline Markdown."""
        children, messages = self.state.inline_text(markdown, self.lineno)
        return nodes.paragraph("", "", *children, *messages)

    def link(self, text: str, chapter: str, anchor: str = "") -> nodes.Node:
        """A link from this page to (an anchor in) a chapter."""
        here, there = (f"{name}.html" for name in (self.env.docname, f"book/{chapter}"))
        uri = relative_uri(here, there) + (f"#{anchor}" if anchor else "")
        return nodes.paragraph("", "", nodes.reference("", text, refuri=uri, internal=True))

    def table(self, head: list[str], rows: list[Row]) -> nodes.Node:
        """A table whose cells are text or nodes."""
        group = nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=1) for _ in head]
        group += nodes.thead("", self._row([*head]))
        group += nodes.tbody("", *(self._row(row) for row in rows))
        return nodes.table("", group, classes=["mtl-table"])

    def section(self, title: str, *children: nodes.Node) -> nodes.Node:
        """A section with a title and an anchor."""
        node = nodes.section("", nodes.title("", title), *children, ids=[nodes.make_id(title)])
        self.state.document.note_implicit_target(node)
        return node

    def _row(self, cells: Row) -> nodes.Node:
        entries = (nodes.paragraph("", cell) if isinstance(cell, str) else cell for cell in cells)
        return nodes.row("", *(nodes.entry("", entry) for entry in entries))


def claims_with_outcomes() -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """The register's entries, each with what its check published (None where it was not checked)."""
    records = [record for chapter in chapters() if (record := read_record(chapter.name))]
    outcomes = {claim["id"]: claim for record in records for claim in record["claims"]}
    return [(entry, outcomes.get(entry["id"])) for entry in registered_claims()]


def number(value: float | None) -> str:
    """A measured number for a table; values at roundoff level are given as a bound."""
    if value is None:
        return "–"
    return "< 1e-10" if 0 < abs(value) < 1e-10 else f"{value:.4g}"


def place_text(entry: dict[str, Any]) -> str:
    """The places of a claim in its paper."""
    return ", ".join(map(str, entry["place"]))


def measured_text(outcome: dict[str, Any] | None) -> str:
    """Measured value with its standard error."""
    if outcome is None:
        return "–"
    error = outcome.get("standard_error")
    return number(outcome["measured"]) + (f" ± {number(error)}" if error is not None else "")


def evidence(outcome: dict[str, Any]) -> list[str]:
    """The deciding numbers of a check: of the statement that holds, and of the one that is missed."""
    kinds = {"printed": "As printed", "outside": "Outside its part"}
    missed = [(name, outcome[key]) for key, name in kinds.items() if outcome.get(key)]
    return [_numbers("Checked", outcome), *(_numbers(name, numbers) for name, numbers in missed)]


def _numbers(name: str, numbers: dict[str, Any]) -> str:
    expected = f", expected {number(numbers['expected'])}" if numbers["expected"] is not None else ""
    cases = f" (worst of {numbers['n_cases']} cases)" if numbers["n_cases"] > 1 else ""
    return f"{name}: measured {measured_text(numbers)}{expected}{cases}."


def tolerance_text(entry: dict[str, Any]) -> str:
    """The kind of check and its tolerance."""
    if entry["verdict"] == "not checked":
        return "–"
    extra = f" + {float(entry['allowance']):g}" if entry.get("allowance") else ""
    bounds = entry["tolerance"] if isinstance(entry["tolerance"], list) else [entry["tolerance"]]
    # YAML reads 1e-10, without a point, as text.
    shown = " to ".join(f"{float(bound):g}" for bound in bounds)
    return f"{entry['check']}: {shown}{extra}"


class Scoreboard(BookDirective):
    """Every claim with its verdict and numbers, counted and by paper."""

    def content_nodes(self) -> list[nodes.Node]:
        """A table of counts, then one table for each paper."""
        claims = claims_with_outcomes()
        papers = [paper for paper in PAPERS if any(entry["paper"] == paper for entry, _ in claims)]
        counts = Counter((entry["paper"], entry["verdict"]) for entry, _ in claims)
        totals = Counter(entry["verdict"] for entry, _ in claims)
        summary: list[Row] = [[PAPERS[name], *(str(counts[name, verdict]) for verdict in VERDICTS)] for name in papers]
        summary.append(["All", *(str(totals[verdict]) for verdict in VERDICTS)])
        return [
            self.table(["Source", *VERDICTS], summary),
            *(self.section(PAPERS[paper], self._claims(claims, paper)) for paper in papers),
        ]

    def _claims(self, claims: list[tuple[dict[str, Any], dict[str, Any] | None]], paper: str) -> nodes.Node:
        rows = [self._claim_row(entry, outcome) for entry, outcome in claims if entry["paper"] == paper]
        return self.table(["Statement", "Verdict", "Measured", "Expected", "Check and tolerance"], rows)

    def _claim_row(self, entry: dict[str, Any], outcome: dict[str, Any] | None) -> Row:
        check = self.link(entry["id"], entry["chapter"], f"claim-{entry['id']}" if outcome else "")
        check += [nodes.Text(" "), nodes.inline("", tolerance_text(entry))]
        reason = f" *Not checked: {entry['reason']}*" if "reason" in entry else ""
        return [
            self.text(f"**{place_text(entry)}.** {entry['statement']}{reason}"),
            verdict_node(entry["verdict"]),
            measured_text(outcome),
            number(outcome["expected"]) if outcome else "–",
            check,
        ]


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

    def _entry(self, entry: dict[str, Any], outcome: dict[str, Any] | None) -> nodes.Node:
        place = nodes.paragraph("", "", nodes.strong("", place_text(entry) + " "))
        place += verdict_node(entry["verdict"]).children
        parts = [place, self.text(f"Statement: {entry['statement']}")]
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
        checks = sum(len(record["claims"]) for _, record in done)
        rows.append(["All", f"{total:.1f}", str(checks), "", ""])
        versions = done[0][1]["versions"] if done else {}
        line = ", ".join(f"{name} {value}" for name, value in versions.items())
        head = ["Chapter", "Seconds", "Checks", "Profile", "Device"]
        return [self.table(head, rows), nodes.paragraph("", f"Executed with {line}.")]

    def _chapter_row(self, chapter: Chapter, record: dict[str, Any]) -> Row:
        values = [f"{record['seconds']:.1f}", str(len(record["claims"])), record["profile"], record["device"]]
        return [self.link(chapter.name, chapter.name), *values]


def verdict_node(verdict: str) -> nodes.Node:
    """The verdict as a badge that says it in words."""
    classes = ["mtl-verdict", f"mtl-verdict-{verdict.replace(' ', '-')}"]
    return nodes.paragraph("", "", nodes.inline("", verdict, classes=classes))


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
    pages: dict[str, Callable[..., BookDirective]] = {"scoreboard": Scoreboard, "errata": Errata, "status": Status}
    for name, directive in pages.items():
        app.add_directive(name, directive)
    app.connect("source-read", note_record)
    app.connect("env-get-updated", bibliography)
    RECORDS.mkdir(parents=True, exist_ok=True)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}


