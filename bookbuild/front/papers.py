"""The papers in their own order: each section, equation, figure and theorem with what became of it in each chapter."""

import re
from collections import defaultdict
from collections.abc import Iterable

from docutils import nodes

from bookbuild.chapters import BOOK, page_title, registered_claims
from bookbuild.front.contents import ContentsDirective
from bookbuild.pages.directive import badge
from bookbuild.pages.outcomes import Entry, missed, unchecked_text, verdict_text
from bookbuild.pages.tags import tag
from mtlbook_lib.notebook._entry import JUDGED_ON, MISSED, PAPERS, asserted, said

# Kinds of places in the order in which a reader looks for them; the first word of a place says its kind.
KINDS = {
    "Sections": ("Sec.",),
    "Theorems, propositions, algorithms": ("Thm.", "Theorem", "Prop.", "Lemma", "Fact", "Alg."),
    "Equations": ("Eq.", "Eqs."),
    "Figures": ("Fig.",),
    "Tables": ("Table",),
    "Appendices": ("App.",),
}
# A full stop ends a sentence, unless it belongs to the name of a place.
_END = re.compile(r"(?<!\bApp)(?<!\bSec)(?<!\bFig)(?<!\bEq)(?<!\bThm)\.\s+(?=[A-Z$])")


class Papers(ContentsDirective):
    """For each paper its places in order, each with verdict, link and one sentence for each chapter that checks it."""

    def content_nodes(self) -> list[nodes.Node]:
        """A section for each paper, with a folded table for each kind of place."""
        of_papers = [entry for entry in registered_claims() if entry["paper"] != "beyond"]
        unchecked = self.text(unchecked_text(of_papers))
        return [unchecked, *(self._paper(paper, name) for paper, name in PAPERS.items() if paper != "beyond")]

    def _paper(self, paper: str, name: str) -> nodes.Node:
        by_place = places(entry for entry in registered_claims() if entry["paper"] == paper)
        folds = []
        for kind, words in KINDS.items():
            mine = sorted((place for place in by_place if place.split()[0] in words), key=natural)
            if mine:
                title = tag("summary", {}, tag("strong", {}, kind), f" ({len(mine)})")
                rows = [[place, self._outcomes(by_place[place])] for place in mine]
                table = self.table(["In the paper", "What the book finds"], rows)
                folds.append(tag("details", {"class": "mtl-part mtl-by-paper"}, title, table, styles=["board.css"]))
        return self.section(name, *folds)

    def _outcomes(self, entries: list[Entry]) -> nodes.Node:
        """For each chapter that speaks of a place the card that says most of it, with its verdict in words."""
        lines = nodes.container()
        for chapter, mine in by_chapter(entries).items():
            entry = telling(mine)
            uri = self.uri(chapter, f"claim-{entry['id']}" if asserted(entry) != "not checked" else "")
            link = nodes.reference("", page_title(BOOK / f"{chapter}.md"), refuri=uri, internal=True)
            star = "*" if missed(entry) else ""
            words = self.text(outcome(entry)).children
            lines += nodes.paragraph("", "", badge(entry["verdict"], words=verdict_text(entry, entry["verdict"])),
                                     nodes.Text(" "), link, nodes.Text(f"{star}: "), *words)  # fmt: skip
        return lines


def telling(entries: list[Entry]) -> Entry:
    """The first claim that does not hold as printed, or else in the setting in which it was run, or else the first."""
    return next(filter(missed, entries), next((entry for entry in entries if asserted(entry) in MISSED), entries[0]))


def outcome(entry: Entry) -> str:
    """What is stated, and where it does not hold as printed the first sentence of what does."""
    holds = entry.get("holds", "").strip()
    lead = JUDGED_ON[entry["judged_on"]].capitalize() if "outcome" in entry else "Instead"
    return f"{said(entry)} {lead}: {_END.split(holds)[0].removesuffix('.')}." if holds else said(entry)


def places(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The claims of each place; what follows a comma says more about the place and does not make another."""
    by_place: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for place in dict.fromkeys(re.split(r",| \(", str(place))[0] for place in entry["place"]):
            by_place[place].append(entry)
    return by_place


def by_chapter(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Claims by the chapter that checks them, in the order of the register."""
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_name[entry["chapter"]].append(entry)
    return by_name


def natural(place: str) -> list[tuple[int, str]]:
    """Sort key: numbers by size and letters by the alphabet, so that Eq. 9 stands before Eq. 10."""
    pieces = re.findall(r"\d+|[A-Za-z]+", place.split(" ", 1)[1])
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces]
