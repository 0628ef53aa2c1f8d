"""The register with its outcomes as a file of the site, and what cards take from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from bookbuild.pages.board import DATA
from bookbuild.pages.outcomes import Entry, Outcome, claims_with_outcomes, missed, shown_verdict
from mtlbook_lib.notebook._entry import PAPERS

NUMBERS = ("measured", "expected", "standard_error", "n_cases", "printed", "outside")
FIELDS = ("status", "check", "tolerance", "allowance", "resolves", "why", "scope", "quantity", "correction", "reason")


def claim_data(entry: Entry, outcome: Outcome | None) -> dict[str, Any]:
    """One claim as plain data; links are seen from the root of the site."""
    numbers = {key: outcome.get(key) if outcome else None for key in NUMBERS}
    links = {"scoreboard": f"book/reference/scoreboard.html#claim-row-{entry['id']}"}
    if outcome:
        links["check"] = f"book/{entry['chapter']}.html#claim-{entry['id']}"
    if found := missed(entry):
        links["erratum"] = f"book/{found[0]}.html#erratum-{entry['id']}"
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
    odd = {entry["id"]: found for entry, _ in claims_with_outcomes() if (found := missed(entry))}
    cards = [raw for raw in doctree.findall(nodes.raw) if "mtl-claim" in raw.astext()]
    for card in cards:
        text = card.astext()
        for identity, (page, name) in odd.items():
            mark = f"<code>{identity}</code></a>"
            if mark in text:
                uri = relative_uri(f"{app.env.docname}.html", f"book/{page}.html")
                text = text.replace(mark, f'{mark} · <a href="{uri}#erratum-{identity}">{name}</a>')
        card.children = [nodes.Text(text)]
