"""Scoreboard and errata: lists of claims that a reader can filter; without scripts all of it can be read."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from docutils import nodes

from bookbuild.chapters import chapters, parts
from bookbuild.pages.directive import PLURALS, BookDirective, badge, look_of
from bookbuild.pages.outcomes import (
    ERRATA,
    FAILED_FORECASTS,
    OWN,
    Entry,
    Outcome,
    claims_with_outcomes,
    columns,
    evidence,
    is_card,
    measured_text,
    missed,
    number,
    place_text,
    scope_text,
    shown_verdict,
    tolerance_text,
    unchecked_text,
    verdict_text,
    weights_text,
)
from bookbuild.pages.tags import Tag, tag
from bookbuild.second_reading import said as read_again
from mtlbook_lib.notebook._entry import PAPERS, STATUSES, said

Pair = tuple[Entry, Outcome | None]
ASSETS = {"scripts": ["board.js"], "styles": ["board.css"]}
DATA = "claims.json"
ROLES = {"card": "a card", "check": "a check in another's fold"}


def titled(names: set[str]) -> dict[str, str]:
    """The titles of these chapters, in the order of the table of contents; what is not listed there comes last."""
    known = {chapter.name: chapter.title for chapter in chapters() if chapter.name in names}
    return known | {name: name for name in sorted(names - set(known))}


def occurring(names: dict[str, str], values: Collection[str | None]) -> dict[str, str]:
    """Those that some claim has, with their names."""
    return {value: name for value, name in names.items() if value in values}


def role_of(entry: Entry) -> str:
    """How a page shows it, a key of ROLES."""
    return "card" if is_card(entry) else "check"


class Board(BookDirective):
    """What scoreboard and errata share."""

    def board(self, pairs: Sequence[Pair], *parts: nodes.Node) -> list[nodes.Node]:
        """The list, with its totals among the parts, and what its filters may ask: values with their names."""
        verdicts = {shown_verdict(*pair) for pair in pairs}
        asked = {
            "verdict": occurring({verdict: verdict for verdict in columns(verdicts)}, verdicts),
            "paper": occurring(PAPERS, {entry["paper"] for entry, _ in pairs}),
            "status": occurring({status: status for status in STATUSES}, {entry.get("status") for entry, _ in pairs}),
            "role": occurring(ROLES, {role_of(entry) for entry, _ in pairs}),
            "chapter": titled({entry["chapter"] for entry, _ in pairs}),
        }
        board = {"class": "mtl-board", "data-filters": json.dumps(asked, ensure_ascii=False)}
        return [tag("div", board, tag("div", {"class": "mtl-asked"}), *parts, **ASSETS)]

    def by_paper(self, pairs: Sequence[Pair]) -> list[tuple[str, list[Pair]]]:
        """The claims of each paper that has any."""
        groups = ((paper, [pair for pair in pairs if pair[0]["paper"] == paper]) for paper in PAPERS)
        return [(paper, mine) for paper, mine in groups if mine]

    def folds(self, pairs: Sequence[Pair], listed: Callable[[Sequence[Pair]], Iterable[nodes.Node]]) -> Iterator[Tag]:
        """What a paper has in each part of the book, with the part's name, its number of claims and their list."""
        names = parts()
        folders = dict.fromkeys(entry["chapter"].partition("/")[0] for entry, _ in pairs)
        for folder in sorted(folders, key=[*names, *folders].index):
            mine = [pair for pair in pairs if pair[0]["chapter"].startswith(f"{folder}/")]
            counted = tag("span", {"data-part-count": ""}, str(len(mine)))
            title = tag("summary", {}, tag("strong", {}, names.get(folder, folder)), " (", counted, ")")
            # Where scripts run, board.js makes a list of it when it is wanted: few are, and all are many elements.
            yield tag("details", {"class": "mtl-part"}, title, tag("noscript", {}, *listed(mine)))

    def attributes(self, entry: Entry, outcome: Outcome | None, prefix: str) -> dict[str, str]:
        """Attributes of a claim's element: its id, and what the filters ask."""
        asked = {key: entry[key] for key in ("paper", "status", "chapter") if key in entry} | {
            "verdict": shown_verdict(entry, outcome),
            "role": role_of(entry),
        }
        return {"id": f"{prefix}-{entry['id']}", **{f"data-{key}": value for key, value in asked.items()}}

    def shared(self, entry: Entry) -> list[nodes.Node]:
        """A link to the conditions that the chapter states once for all its claims."""
        if "conditions" not in entry:
            return []
        return [nodes.Text(" "), reference(self.uri(entry["chapter"], "conditions"), "Conditions of the chapter.")]

    def links(self, entry: Entry, outcome: Outcome | None, own: str, other: str) -> Tag:
        """The id, a link to this very place; the check; the same claim on the other page; who read it again."""
        places = []
        if outcome and other == "claim-row":  # on the scoreboard, the statement itself leads to its check
            places.append(("The check", self.uri(entry["chapter"], f"claim-{entry['id']}")))
        page_and_name = ("reference/scoreboard", "Scoreboard") if other == "claim-row" else missed(entry)
        if page_and_name:
            page, name = page_and_name
            places.append((name, self.uri(page, f"{other}-{entry['id']}")))
        words: list[nodes.Node | str] = [reference(f"#{own}-{entry['id']}", tag("code", {}, entry["id"]))]
        for text, uri in places:
            words += [" · ", reference(uri, text)]
        if not is_card(entry):
            name = entry["supports"]
            words += [" · supports ", reference(f"#{own}-{name}", tag("code", {}, name))]
        if again := read_again(entry["id"]):
            words += [" · ", again]
        return tag("p", {"class": "mtl-places"}, *words)


def reference(uri: str, *children: nodes.Node | str) -> Tag:
    """A link inside the book; the node of docutils may only stand in text."""
    return tag("a", {"href": uri}, *children)


def verdict_badge(entry: Entry, outcome: Outcome | None) -> nodes.Node:
    """The verdict with its symbol, in the words of the entry."""
    verdict = shown_verdict(entry, outcome)
    return badge(verdict, words=verdict_text(entry, verdict))


def totals(pairs: Iterable[Pair]) -> Tag:
    """How many claims have which verdict; the numbers follow the filters."""
    verdicts = Counter(shown_verdict(*pair) for pair in pairs)
    items = [tag("li", {}, _total(verdict, verdicts[verdict])) for verdict in columns(verdicts) if verdicts[verdict]]
    return tag("ul", {"class": "mtl-totals", "aria-label": "Totals"}, *items)


def of_papers(pairs: Sequence[Pair]) -> tuple[list[Pair], str]:
    """What the papers state, and a sentence on the other entries: our predictions, and what only supports others."""
    papers = [pair for pair in pairs if pair[0]["paper"] != OWN]
    support = sum(not is_card(entry) for entry, _ in pairs)
    own = len(pairs) - len(papers) - support
    return papers, (
        f"Below them stand {own} predictions of our own, and {support} checks that only support one of these "
        f"statements: {len(pairs)} entries in all, which the filters count together."
    )


def _total(verdict: str, count: int) -> Tag:
    symbol, classes = look_of(verdict)
    counted = tag("span", {"data-count": verdict}, str(count))
    words = verdict if count == 1 else PLURALS.get(verdict, verdict)
    return tag("span", {"class": " ".join(classes)}, f"{symbol} ", counted, f" {words}")


class Scoreboard(Board):
    """Every claim with its verdict and numbers, by paper and part of the book."""

    HEAD = ("Verdict", "Rests on", "Statement", "Measured", "Expected", "Check and tolerance")

    def content_nodes(self) -> list[nodes.Node]:
        """Totals, then for each paper a table in each part of the book that has claims of it, folded."""
        pairs = claims_with_outcomes()
        data = tag("p", {}, "All of it, for programs: ", reference(self.site_uri(DATA), DATA), ".")
        unchecked = self.text(unchecked_text(entry for entry, _ in pairs))
        sections = [self.section(PAPERS[paper], *self.folds(mine, self._table)) for paper, mine in self.by_paper(pairs)]
        papers, ours = of_papers(pairs)
        counted = [tag("p", {}, f"The {len(papers)} statements of the four papers:"), totals(papers)]
        return self.board(pairs, *counted, self.text(ours), unchecked, data, *sections)

    def _table(self, pairs: Sequence[Pair]) -> list[Tag]:
        head = tag("tr", {}, *(tag("th", {}, name) for name in self.HEAD))
        rows = (self._row(*pair) for pair in pairs)
        return [tag("table", {"class": "mtl-claims"}, tag("thead", {}, head), tag("tbody", {}, *rows))]

    def _row(self, entry: Entry, outcome: Outcome | None) -> Tag:
        quantity = f"{entry['quantity']}: " if outcome and "quantity" in entry else ""
        cells = [
            verdict_badge(entry, outcome),
            entry.get("status", "–"),
            self._statement(entry, outcome),
            self.text(quantity + measured_text(outcome)),
            number(outcome["expected"]) if outcome else "–",
            tolerance_text(entry),
        ]
        made = (tag("td", {}, cell) for cell in cells)
        return tag("tr", self.attributes(entry, outcome, "claim-row"), *made)

    def _statement(self, entry: Entry, outcome: Outcome | None) -> nodes.Node:
        """Place, statement and scope; the statement links to its card where there is one."""
        said_of = "Not checked in the paper's setting" if "outcome" in entry else "Not checked"
        reason = f" *{said_of}: {entry['reason']}*" if "reason" in entry else ""
        place, statement = self.text(f"**{place_text(entry)}.**"), self.text(said(entry)).children
        if outcome:
            statement = [reference(self.uri(entry["chapter"], f"claim-{entry['id']}"), *statement)]
        scope = self.text(scope_text(entry) + reason).children
        words = nodes.paragraph("", "", *place.children, nodes.Text(" "), *statement, *scope, *self.shared(entry))
        return tag("div", {}, words, self.links(entry, outcome, "claim-row", "erratum"))


class Errata(Board):
    """The papers' statements that do not hold as printed, each with its correction and the numbers."""

    LISTED = ERRATA

    def content_nodes(self) -> list[nodes.Node]:
        """One section for each paper, folded by parts of the book, one entry for each statement."""
        odd = [pair for pair in claims_with_outcomes() if missed(pair[0]) == self.LISTED]
        sections = [self.section(PAPERS[paper], *self.folds(mine, self._entries)) for paper, mine in self.by_paper(odd)]
        weights = weights_text(entry for entry, _ in odd)
        return self.board(odd, totals(odd), *([self.text(weights)] if weights else []), *sections)

    def _entries(self, pairs: Sequence[Pair]) -> list[Tag]:
        return [self._entry(*pair) for pair in pairs]

    def _entry(self, entry: Entry, outcome: Outcome | None) -> Tag:
        lead = "As printed" if "printed" in entry else "Expected"
        statement = self.text(f"{lead}: {said(entry)}{scope_text(entry)}").children
        lines = [
            tag("p", {}, verdict_badge(entry, outcome), " ", tag("strong", {}, place_text(entry))),
            nodes.paragraph("", "", *statement, *self.shared(entry)),
        ]
        if "holds" in entry:
            lines.append(self.text(f"What holds: {entry['holds']}"))
        if outcome is not None:
            lines += [nodes.paragraph("", line) for line in evidence(outcome)]
        lines.append(self.links(entry, outcome, "erratum", "claim-row"))
        return tag("div", {"class": "mtl-erratum", **self.attributes(entry, outcome, "erratum")}, *lines)


class FailedForecasts(Errata):
    """What the book itself expected and did not find."""

    LISTED = FAILED_FORECASTS
