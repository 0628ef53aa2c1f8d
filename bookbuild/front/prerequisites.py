"""Which chapter needs which, as the chapters say it in their line "Needs": a list with an arc for each need."""

import posixpath
import re
from collections.abc import Iterator
from math import sqrt

from docutils import nodes

from bookbuild.chapters import BOOK, chapters, page_title, parts
from bookbuild.front.contents import ContentsDirective
from bookbuild.pages.tags import Tag, tag

_NEEDS = re.compile(r"^\*\*Needs:\*\*(.*?)\n\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([\w./-]+)\.md\)")
WIDTH, ROW = 60, 10  # of the drawing, in units that it is stretched by


def needs(name: str) -> dict[str, bool]:
    """What a chapter names in its line: True for what it needs, False for what helps, or is for one section alone."""
    said = _NEEDS.search((BOOK / f"{name}.md").read_text(encoding="utf8"))
    clauses = said[1].split(";") if said else []
    return {
        posixpath.normpath(posixpath.join(posixpath.dirname(name), link)): number == 0
        for number, clause in enumerate(clauses)
        for link in _LINK.findall(clause)
    }


class Prerequisites(ContentsDirective):
    """Each chapter in the order of the book, and arcs to the chapters that it needs."""

    def content_nodes(self) -> list[nodes.Node]:
        """A list of links, and beside it the arcs: a reader who does not see them hears what each chapter needs."""
        names = [chapter.name for chapter in chapters() if not chapter.name.startswith("part0/")]
        captions, rows = {}, {}
        for row, name in enumerate(names):
            captions.setdefault(name.partition("/")[0], name)
            rows[name] = row + len(captions)  # a part's caption takes a row
        height = ROW * (len(names) + len(captions))
        drawing = tag("svg", {"viewBox": f"0 0 {WIDTH} {height}", "preserveAspectRatio": "none", "aria-hidden": "true"})
        drawing += list(arcs(rows))
        lines: list[nodes.Node] = []
        for name in names:
            part = name.partition("/")[0]
            lines += [tag("li", {"class": "mtl-needs-part"}, parts()[part])] if captions[part] == name else []
            line = self.chapter(name)
            line += self._said(name)
            lines.append(tag("li", {}, line))
        return [tag("div", {"class": "mtl-needs"}, drawing, tag("ol", {}, *lines), styles=["needs.css"])]

    def _said(self, name: str) -> nodes.Node:
        titles = {True: [], False: []}
        for needed, wholly in needs(name).items():
            titles[wholly].append(page_title(BOOK / f"{needed}.md"))
        words = [f"{lead} {', '.join(titles[key])}" for key, lead in ((True, "needs"), (False, "goes further with"))
                 if titles[key]]  # fmt: skip
        return tag("span", {"class": "visually-hidden"}, f": {'; '.join(words) or 'needs no other chapter'}")


def arcs(rows: dict[str, int]) -> Iterator[Tag]:
    """A curve from each chapter to each one that it needs: broken where that only helps, strong into another part."""
    for name, row in rows.items():
        for needed, wholly in needs(name).items():
            if needed in rows:
                start, end = ((place + 0.5) * ROW for place in (row, rows[needed]))
                reach = WIDTH - 4 / 3 * (WIDTH - 4) * sqrt(abs(row - rows[needed]) / max(rows.values()))
                kinds = ["mtl-helps"] * (not wholly) + ["mtl-across"] * (name[:5] != needed[:5])
                path = f"M{WIDTH} {start:g}C{reach:.1f} {start:g} {reach:.1f} {end:g} {WIDTH} {end:g}"
                yield tag("path", {"d": path, "class": " ".join(kinds)})
