"""The notebook that each chapter offers: folded as on the page, captions as text, with the outputs of the build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookbuild.chapters import Chapter, chapter_of
from bookbuild.front.labels import resolver
from bookbuild.front.outputs import outputs
from bookbuild.notebooks import executed

NEEDS = (
    '*Run it with the library of the book:* `pip install "mtlbook-lib[simulation,data,notebook]" sympy` *from the '
    "repository's folder.*"
)
VERDICTS = re.compile(r"```\{verdicts\}\n```\n")  # only the book's own build can count them
SOLUTION = re.compile(r"\{solution-(start|end)\}")


class Notebooks:
    """The notebooks of one build; how references read is looked up once, when all pages are read."""

    def __init__(self) -> None:
        self._written: Callable[[str, str], str] | None = None

    def forget(self, app: Sphinx, env: BuildEnvironment) -> None:
        """Look again: pages were read."""
        self._written = None

    def offer(self, app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object) -> None:
        """Write the notebook beside the source of the page, where the theme's button looks for it."""
        chapter = chapter_of(pagename)
        if chapter is None:
            return
        self._written = self._written or resolver(app.env)
        context["ipynb_source"] = f"{pagename}.ipynb"
        path = Path(app.outdir, "_sources", context["ipynb_source"])
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(chapter, partial(self._written, page=pagename), as_executed(chapter)), path)


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    offered = Notebooks()
    app.connect("env-updated", offered.forget)
    app.connect("html-page-context", offered.offer)


def as_executed(chapter: Chapter) -> NotebookNode | None:
    """The chapter with the outputs of its last execution; none where a page was never executed."""
    try:
        return executed(chapter)
    except KeyError:
        return None


def notebook(chapter: Chapter, written: Callable[[str], str] = str, run: NotebookNode | None = None) -> NotebookNode:
    """The notebook of a chapter; `written` resolves the references of its text, `run` is the executed one."""
    found = chapter.notebook()
    for cell, done in zip(found.cells, run.cells if run else found.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs = outputs(done, run or found)
    found.cells = [nbformat.v4.new_markdown_cell(NEEDS), *_cells(found.cells)]
    for number, cell in enumerate(found.cells):
        cell.id = f"cell-{number}"  # not by chance: the same chapter gives the same file
        if cell.cell_type == "markdown":
            cell.source = written(cell.source)
    found.nbformat, found.nbformat_minor = 4, 5
    return found


def _cells(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    inside = False  # a solution, which is closed together with its outputs
    for cell in cells:
        if cell.cell_type != "code":
            marks = SOLUTION.findall(cell.source)
            inside = marks[-1] == "start" if marks else inside
            cell.source = VERDICTS.sub("", cell.source)
            yield cell
            continue
        figure = cell.metadata.pop("mystnb", {}).get("figure", {})
        if inside or "hide-input" in cell.metadata.get("tags", []):
            cell.metadata["jupyter"] = {"source_hidden": True} | ({"outputs_hidden": True} if inside else {})
        yield cell
        if "caption" in figure:
            yield nbformat.v4.new_markdown_cell(f"**{{numref}}`{figure['name']}`.** {figure['caption']}")
