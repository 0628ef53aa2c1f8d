"""The counts on the front page: the papers' statements by verdict, and apart from them the book's own predictions."""

from collections import Counter
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from bookbuild.pages.directive import BookDirective, Row, badge
from bookbuild.pages.outcomes import (
    ELSEWHERE_RUN,
    OWN,
    claims_with_outcomes,
    columns,
    is_card,
    shown_verdict,
    weights_text,
)
from bookbuild.pages.tags import tag
from mtlbook_lib.notebook._entry import PAPERS

OWN_NAME = "our own predictions"
Counts = dict[str, Counter[str]]


class Coverage(BookDirective):
    """Papers by verdicts in a small table; the book's own predictions in a line below. `:short:` is one line."""

    option_spec: ClassVar = {"short": directives.flag}

    def content_nodes(self) -> list[nodes.Node]:
        """The table and the line."""
        counts = verdicts_by_source()
        if "short" in self.options:
            return [self.text(short_text(by_row(counts)["All four"]))]
        rows = by_row(counts)
        shown = columns(verdict for found in rows.values() for verdict in found)
        head: Row = ["Statements of", *map(badge, shown)]
        body: list[Row] = [[name, *(str(found[verdict] or "–") for verdict in shown)] for name, found in rows.items()]
        table = tag("div", {"class": "mtl-coverage"}, self.table(head, body), styles=["board.css", "front.css"])
        weights = weights_text(entry for entry, _ in claims_with_outcomes())
        own = own_text(counts.get(OWN, Counter()), supporting())
        return [table, *(self.text(words) for words in (weights, own) if words)]


def supporting() -> int:
    """How many checks only support a claim, and have no card."""
    return sum(not is_card(entry) for entry, _ in claims_with_outcomes())


def verdicts_by_source() -> Counts:
    """How many cards of each paper have which verdict."""
    counts: Counts = {}
    for entry, outcome in claims_with_outcomes():
        if is_card(entry):
            counts.setdefault(entry["paper"], Counter())[shown_verdict(entry, outcome)] += 1
    return {source: counts[source] for source in PAPERS if source in counts}


def by_row(counts: Counts) -> Counts:
    """The papers by name, and their sum."""
    papers = {PAPERS[source]: found for source, found in counts.items() if source != OWN}
    return papers | {"All four": sum(papers.values(), Counter())}


def short_text(found: Counter[str]) -> str:
    """What the audit of the papers found, for the first screen."""
    words = {"holds": "hold", "holds as corrected": "as corrected", "holds in part": "in part"}
    words |= {"fails": "fail", ELSEWHERE_RUN: "were run in another setting only", "not checked": "are unchecked"}
    parts = [f"{found[verdict]} {said}" for verdict, said in words.items()]
    rest = found.total() - sum(found[verdict] for verdict in words)
    parts += [f"{rest} were not judged at this size"] if rest else []
    readers = "The derivations use the singular value decomposition, the answers do not"
    return f"{readers}. Of {found.total()} statements of four papers, {', '.join(parts)}."


def own_text(found: Counter[str], supporting: int = 0) -> str:
    """The book's own predictions, counted apart, and from them the checks that only support a statement."""
    held = found["holds"] + found["holds as corrected"]
    parts = [f"{held} held", f"{found['holds in part']} held in part", f"{found['fails']} failed"]
    rest = found.total() - held - found["holds in part"] - found["fails"]
    parts += [f"{rest} were not judged at this size"] if rest else []
    text = f"Beside them stand {found.total()} of {OWN_NAME}: {', '.join(parts)}."
    more = f" Checks that only support one of all these statements: {supporting}; the scoreboard lists them, too."
    return text + more if supporting else text
