"""What the directives of the generated pages share: records to depend on, links to cells, tables, badges."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from mtlbook_lib.notebook._entry import SYMBOLS

PLURALS = {
    "holds": "hold",
    "holds as corrected": "hold as corrected",
    "holds in part": "hold in part",
    "fails": "fail",
}
Row = list[str | nodes.Node]


class BookDirective(SphinxDirective):
    """What the generated pages share: records, links to cells, tables."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Make the page's nodes; a page that shows what lies elsewhere is read again by each build."""
        self.env.note_reread()
        return self.content_nodes()

    def content_nodes(self) -> list[nodes.Node]:
        """The nodes of the page."""
        raise NotImplementedError

    def text(self, markdown: str) -> nodes.Node:
        """A paragraph of inline Markdown."""
        children, messages = self.state.inline_text(markdown, self.lineno)
        return nodes.paragraph("", "", *children, *messages)

    def uri(self, chapter: str, anchor: str = "") -> str:
        """The address, seen from this page, of (an anchor in) a page below book/."""
        here, there = (f"{name}.html" for name in (self.env.docname, f"book/{chapter}"))
        return ("" if here == there else relative_uri(here, there)) + (f"#{anchor}" if anchor else "")

    def site_uri(self, name: str) -> str:
        """The address, seen from this page, of a file at the root of the site."""
        return relative_uri(f"{self.env.docname}.html", name)

    def link(self, text: str, chapter: str, anchor: str = "") -> nodes.Node:
        """A link from this page to (an anchor in) a chapter."""
        return nodes.paragraph("", "", nodes.reference("", text, refuri=self.uri(chapter, anchor), internal=True))

    def table(self, head: Row, rows: list[Row]) -> nodes.Node:
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


def badge(verdict: str, count: int | None = None, words: str = "") -> nodes.Node:
    """The verdict in words, with its symbol and the number of claims; what has no symbol of its own was not judged."""
    symbol, classes = look_of(verdict)
    words = words or verdict
    if count is not None:
        words = f"{count} {verdict if count == 1 else PLURALS.get(verdict, verdict)}"
    return nodes.inline("", f"{symbol} {words}", classes=classes)


def look_of(verdict: str) -> tuple[str, list[str]]:
    """The symbol of a verdict, and the classes that give it its colour."""
    return SYMBOLS.get(verdict, SYMBOLS["not checked"]), ["mtl-verdict", f"mtl-verdict-{verdict.replace(' ', '-')}"]
