"""The papers in their own order: each section, equation, figure and theorem with the chapters that check it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from docutils import nodes

from bookbuild.chapters import BOOK, claim_files, page_title, registered_claims
from bookbuild.front.contents import ContentsDirective
from bookbuild.pages.outcomes import Entry, missed
from mtlbook_lib.notebook._entry import PAPERS

# Kinds of places in the order in which a reader looks for them; the first word of a place says its kind.
KINDS = {
    "Sections": ("Sec.",),
    "Theorems, propositions, algorithms": ("Thm.", "Theorem", "Prop.", "Lemma", "Fact", "Alg."),
    "Equations": ("Eq.", "Eqs."),
    "Figures": ("Fig.",),
    "Tables": ("Table",),
    "Appendices": ("App.",),
}


class Papers(ContentsDirective):
    """For each paper its places in order, each with links to the first check of it in each chapter."""

    def content_nodes(self) -> list[nodes.Node]:
        """A section for each paper, with a table for each kind of place."""
        for path in claim_files():
            self.env.note_dependency(str(path))
        return [self._paper(paper, name) for paper, name in PAPERS.items() if paper != "beyond"]

    def _paper(self, paper: str, name: str) -> nodes.Node:
        found = places(entry for entry in registered_claims() if entry["paper"] == paper)
        rows = []
        for kind, words in KINDS.items():
            mine = sorted((place for place in found if place.split()[0] in words), key=natural)
            rows += [[kind if i == 0 else "", place, self._links(found[place])] for i, place in enumerate(mine)]
        return self.section(name, self.table(["Kind", "In the paper", "Where it is checked"], rows))

    def _links(self, entries: list[Entry]) -> nodes.Node:
        """The chapters that speak of a place; each link leads to the first card there. A star: it has an erratum."""
        line = nodes.paragraph()
        for i, (chapter, mine) in enumerate(by_chapter(entries).items()):
            line += [nodes.Text(", ")] if i else []
            uri = self.uri(chapter, f"claim-{mine[0]['id']}" if mine[0]["verdict"] != "not checked" else "")
            line += nodes.reference("", page_title(BOOK / f"{chapter}.md"), refuri=uri, internal=True)
            line += [nodes.Text("*")] if any(map(missed, mine)) else []
        return line


def places(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The claims of each place; what follows a comma says more about the place and does not make another."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for place in dict.fromkeys(re.split(r",| \(", str(place))[0] for place in entry["place"]):
            found[place].append(entry)
    return found


def by_chapter(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Claims by the chapter that checks them, in the order of the register."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry["chapter"]].append(entry)
    return found


def natural(place: str) -> list[tuple[int, str]]:
    """Sort key: numbers by size and letters by the alphabet, so that Eq. 9 stands before Eq. 10."""
    pieces = re.findall(r"\d+|[A-Za-z]+", place.split(" ", 1)[1])
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces]
