"""The map of the chapters and ways through them: order from _toc.yml, titles from the pages, the rest contents.yml."""

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from bookbuild.chapters import BOOK, page_title, pages, parts, read_yaml
from bookbuild.pages.directive import BookDirective, Row
from bookbuild.pages.tags import tag

CONTENTS = BOOK / "contents.yml"
MARK = "●"


def contents() -> dict[str, Any]:
    """Each chapter's question, the core chapters and the named ways through the book."""
    return read_yaml(CONTENTS)


def listed() -> list[str]:
    """The pages of the book's parts in the order of the table of contents, as contents.yml names them."""
    names, folders = (path.relative_to(BOOK).with_suffix("").as_posix() for path in pages()), parts()
    return [name for name in names if name.partition("/")[0] in folders]


class ContentsDirective(BookDirective):
    """What is made from the table of contents, the titles and the questions."""

    def chapter(self, name: str) -> nodes.Node:
        """A link with the chapter's own title."""
        return self.link(page_title(BOOK / f"{name}.md"), name)


class Map(ContentsDirective):
    """Each part with its chapters and their questions; core chapters carry a mark."""

    def content_nodes(self) -> list[nodes.Node]:
        """One table."""
        known = contents()
        seen: set[tuple[str, bool]] = set()
        rows: list[Row] = []
        captions = parts()
        for name in listed():
            folder = name.partition("/")[0]
            group = folder, name in known["beyond"]
            title = "Beyond the papers" if group[1] else captions[folder].removeprefix("Part ")
            part = "" if group in seen else title
            seen.add(group)
            rows.append([part, MARK if name in known["core"] else "", self.chapter(name), known["questions"][name]])
        return [tag("div", {"class": "mtl-map"}, self.table(["Part", "Core", "Chapter", "Question"], rows))]


class Way(ContentsDirective):
    """A named way through the book: its chapters in order, each with its question."""

    required_arguments = 1
    option_spec: ClassVar = {"short": directives.flag}

    def content_nodes(self) -> list[nodes.Node]:
        """A numbered list, or with `:short:` one line of titles."""
        known = contents()
        ways = known["ways"]
        (name,) = self.arguments
        if name not in ways:
            raise self.error(f"contents.yml has no way {name!r}; it has {', '.join(ways)}.")
        links = [self.chapter(chapter) for chapter in ways[name]]
        if "short" in self.options:
            line = nodes.paragraph()
            for i, link in enumerate(links):
                line += [nodes.Text(" → ")] if i else []
                line += link.children
            return [line]
        questions = [known["questions"][chapter] for chapter in ways[name]]
        for link, question in zip(links, questions, strict=True):
            link += nodes.Text(f": {question[0].lower()}{question[1:]}")
        return [nodes.enumerated_list("", *(nodes.list_item("", link) for link in links), enumtype="arabic")]
