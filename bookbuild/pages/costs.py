"""The table of what the large profile takes, chapter by chapter, from what the experiments declare."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from docutils import nodes

from bookbuild.chapters import chapters
from bookbuild.pages.directive import BookDirective, Row

if TYPE_CHECKING:
    from mtlbook_lib.chapters.part7.past_one_machine.experiment import Cost

PLACES = ("one core", "16 cores", "one GPU")


class LargeCosts(BookDirective):
    """Experiments of each chapter, the largest memory of one, and minutes on one core, 16 cores and one GPU."""

    def content_nodes(self) -> list[nodes.Node]:
        """The table, with a last row for all."""
        declared = by_chapter()
        titles = {chapter.name: chapter.title for chapter in chapters()}
        rows = [[self.link(titles[name], name), *_cells(declared[name])] for name in _ordered(declared)]
        rows.append(["All", *_cells([one for costs in declared.values() for one in costs])])
        head = ["Chapter", "Number", "GB at most", *(f"est. min, {place}" for place in PLACES)]
        return [self.table(head, rows)]


def by_chapter() -> dict[str, list[Cost]]:
    """Declared costs of the experiments of each chapter of the book."""
    # Imported here: it loads torch and all experiments, which other pages do without.
    from mtlbook_lib.chapters.part7.past_one_machine.experiment import cost, load_all

    found: dict[str, list[Cost]] = defaultdict(list)
    listed = {chapter.name for chapter in chapters()}
    for name, entry in load_all().items():
        _, _, part, module, *_ = name.split(".")
        chapter = f"{part}/{module.replace('_', '-')}"
        if chapter in listed:
            found[chapter].append(cost(entry.large_cost))
    return found


def _ordered(declared: dict[str, list[Cost]]) -> list[str]:
    return [chapter.name for chapter in chapters() if chapter.name in declared]


def _cells(costs: list[Cost]) -> Row:
    minutes = [sum(one.seconds for one in costs if one.place == place) / 60 for place in PLACES]
    times = [f"{total:.0f}" if total >= 1 else "< 1" if total else "–" for total in minutes]
    return [str(len(costs)), f"{max((one.gigabytes for one in costs), default=0):g}", *times]
