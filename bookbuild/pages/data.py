"""The register with its outcomes as a file of the site, and what cards and the front page take from it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from bookbuild.pages.board import DATA, totals
from bookbuild.pages.directive import BookDirective
from bookbuild.pages.outcomes import Entry, Outcome, claims_with_outcomes, has_erratum, shown_verdict
from bookbuild.pages.tags import tag
from mtlbook_lib.notebook._entry import PAPERS

NUMBERS = ("measured", "expected", "standard_error", "n_cases", "printed", "outside")
FIELDS = ("check", "tolerance", "allowance", "resolves", "why", "scope", "quantity", "correction", "reason")
COUNTS = ("none", "one", "two", "three", "four")
THE_PAPERS = [name for name in PAPERS if name != "beyond"]


class Coverage(BookDirective):
    """How many of the papers are in the book, from the register, and the totals of its verdicts."""

    def content_nodes(self) -> list[nodes.Node]:
        """A paragraph, and the totals."""
        pairs = claims_with_outcomes()
        words = self.text(coverage_text([entry for entry, _ in pairs]))
        return [tag("div", {"class": "mtl-coverage"}, words, totals(pairs), styles=["board.css", "front.css"])]


def coverage_text(register: list[Entry]) -> str:
    """Which of the papers have claims in the register, how many, and which papers are still to come."""
    counts = Counter(entry["paper"] for entry in register)
    present = [f"{PAPERS[name]}, with {_claims(counts[name])}" for name in THE_PAPERS if counts[name]]
    absent = [PAPERS[name] for name in THE_PAPERS if not counts[name]]
    verb = "is" if len(present) == 1 else "are"
    text = f"**{COUNTS[len(present)].capitalize()} of {COUNTS[len(THE_PAPERS)]} papers {verb} in**"
    text += f": {'; '.join(present)}." if present else "."
    text += f" Beyond the papers the book checks {_claims(counts['beyond'])}." if counts["beyond"] else ""
    return text + (f" Still to come: {'; '.join(absent)}." if absent else "")


def _claims(count: int) -> str:
    return f"{count} claim" if count == 1 else f"{count} claims"


def claim_data(entry: Entry, outcome: Outcome | None) -> dict[str, Any]:
    """One claim as plain data; links are seen from the root of the site."""
    numbers = {key: outcome.get(key) if outcome else None for key in NUMBERS}
    links = {"scoreboard": f"book/reference/scoreboard.html#claim-row-{entry['id']}"}
    if outcome:
        links["check"] = f"book/{entry['chapter']}.html#claim-{entry['id']}"
    if has_erratum(entry):
        links["erratum"] = f"book/reference/errata.html#erratum-{entry['id']}"
    described = {key: entry[key] for key in ("id", "paper", "place", "statement", "chapter", "verdict")}
    judged = shown_verdict(entry, outcome) == entry["verdict"]
    return {**described, "judged": judged, **{key: entry.get(key) for key in FIELDS}, **numbers, "links": links}


def write_data(app: Sphinx, exception: Exception | None) -> None:
    """Write the claims beside the pages."""
    if exception is None and app.builder.format == "html":
        data = {"papers": PAPERS, "claims": [claim_data(*pair) for pair in claims_with_outcomes()]}
        text = json.dumps(data, indent=1, ensure_ascii=False, default=str)
        Path(app.outdir, DATA).write_text(text, encoding="utf8")


def link_errata(app: Sphinx, doctree: nodes.document) -> None:
    """Give a card whose statement has an erratum a link to it, behind its link to the scoreboard."""
    page = relative_uri(f"{app.env.docname}.html", "book/reference/errata.html")
    odd = [entry["id"] for entry, _ in claims_with_outcomes() if has_erratum(entry)]
    cards = [raw for raw in doctree.findall(nodes.raw) if "mtl-claim" in raw.astext()]
    for card in cards:
        text = card.astext()
        for identity in odd:
            mark = f"<code>{identity}</code></a>"
            text = text.replace(mark, f'{mark} · <a href="{page}#erratum-{identity}">Erratum</a>')
        card.children = [nodes.Text(text)]
