"""The register with its outcomes as a file of the site, and what cards take from it."""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

from bookbuild import second_reading
from bookbuild.chapters import registered_claims
from bookbuild.pages.board import DATA
from bookbuild.pages.outcomes import Entry, Outcome, claims_with_outcomes, missed, shown_verdict
from mtlbook_lib.notebook._entry import NOT_JUDGED, PAPERS, said

NUMBERS = ("measured", "expected", "standard_error", "n_cases", "printed", "outside")
HOW = "How it was checked"
_CARD = re.compile(r'id="claim-([^"]+)"')
_SUPPORTS = re.compile(r'data-supports="([^"]+)"')
_MARK = re.compile(r"<code>([^<]+)</code></a>")  # of the link from a card to its claim
CHECKED = ("check", "tolerance", "allowance", "resolves", "why")
WORDS = ("holds", "weight", "scope", "conditions", "supports", "quantity", "judged_on", "outcome", "reason")
FIELDS = ("status", "proof", *CHECKED, *WORDS)


def claim_data(entry: Entry, outcome: Outcome | None) -> dict[str, Any]:
    """One claim as plain data; links are seen from the root of the site."""
    numbers = {key: outcome.get(key) if outcome else None for key in NUMBERS}
    links = {"scoreboard": f"book/reference/scoreboard.html#claim-row-{entry['id']}"}
    if outcome:
        links["check"] = f"book/{entry['chapter']}.html#claim-{entry['id']}"
    if found := missed(entry):
        links["erratum"] = f"book/{found[0]}.html#erratum-{entry['id']}"
    described = {key: entry[key] for key in ("id", "paper", "place", "chapter", "verdict")} | {"statement": said(entry)}
    judged = shown_verdict(entry, outcome) != NOT_JUDGED
    fields = {key: entry.get(key) for key in FIELDS}
    again = second_reading.readings().get(entry["id"], ())
    return {**described, "judged": judged, **fields, "second_reading": again, **numbers, "links": links}


def write_data(app: Sphinx, exception: Exception | None) -> None:
    """Write the claims beside the pages."""
    if exception is None and app.builder.format == "html":
        data = {"papers": PAPERS, "claims": [claim_data(*pair) for pair in claims_with_outcomes()]}
        text = json.dumps(data, indent=1, ensure_ascii=False, default=str)
        Path(app.outdir, DATA).write_text(text, encoding="utf8")


def complete_cards(app: Sphinx, doctree: nodes.document) -> None:
    """Behind a card's link to the scoreboard: a link to its erratum, and who read the claim a second time.

    A check that only supports a claim moves into the fold of that claim's card, wherever on the page it was made.
    """
    cards = [raw for raw in doctree.findall(nodes.raw) if "mtl-claim" in raw.astext()]
    entries = {entry["id"]: entry for entry in registered_claims()} if cards else {}

    def completed(mark: re.Match[str]) -> str:
        return " · ".join([mark[0], *_remarks(app, entries[mark[1]])]) if mark[1] in entries else mark[0]

    for card in cards:
        card.children = [nodes.Text(_MARK.sub(completed, card.astext()))]
    fold_checks(cards)


def fold_checks(cards: list[nodes.raw]) -> None:
    """Put what supports a claim at the end of its fold, in the order of the page, and say there how much it is."""
    supporting = {card: found[1] for card in cards if (found := _SUPPORTS.search(card.astext()))}
    for card in cards:
        found = _CARD.search(card.astext())
        mine = [check for check, claim in supporting.items() if found and claim == found[1]]
        if not mine or card in supporting:
            continue
        start, end = card.astext().rpartition("</details>")[::2]
        more = f"{len(mine)} supporting check{'s' if len(mine) > 1 else ''}"
        start = start.replace(f"<summary>{HOW}", f"<summary>{HOW}, with {more}", 1)
        card.children = [nodes.Text(f"{start}{''.join(check.astext() for check in mine)}</details>{end}")]
        for check in mine:
            _remove(check)


def _remove(node: nodes.Node) -> None:
    """Take an output out, in all its forms, and what held nothing else."""
    forms = node.parent.parent if node.parent is not None else None
    if isinstance(forms, nodes.Element) and forms.get("nb_element") == "mime_bundle":
        node = forms
    while node.parent is not None:
        holder = node.parent
        holder.remove(node)
        if holder.children or isinstance(holder, nodes.document | nodes.section):
            return
        node = holder


def _remarks(app: Sphinx, entry: Entry) -> list[str]:
    remarks = []
    if found := missed(entry):
        uri = relative_uri(f"{app.env.docname}.html", f"book/{found[0]}.html")
        remarks.append(f'<a href="{uri}#erratum-{entry["id"]}">{found[1]}</a>')
    if again := second_reading.said(entry["id"]):
        remarks.append(escape(again))
    return remarks
