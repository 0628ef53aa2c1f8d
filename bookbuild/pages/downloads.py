"""The notebook of each chapter, for any Jupyter: folded as on the page, captions as text, outputs of the build.

The site offers it for download, and `make lab` opens a copy of it.
"""

import base64
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from sphinx.application import Sphinx

from bookbuild.chapters import Chapter, chapter_of
from bookbuild.execute import outputs as outputs_of
from bookbuild.first_cell import install_cell
from bookbuild.front.labels import names_of, resolver
from bookbuild.front.outputs import outputs
from bookbuild.front.quotes import PLACE, Quotes
from bookbuild.pages.answer import SOLUTIONS, without_solutions
from bookbuild.pages.cite import SETTING

LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}
# What nbval does not compare: a figure, a card or a slider, which the run shows in a richer form than a notebook keeps.
UNCOMPARED = "nbval-ignore-output"
ANSWER = "answer"  # the tag of a cell that waits for a reader's number
OWN_WORDS = "*Your answer* (a double click opens this cell): "


def offer(app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Write the notebook of a chapter beside the source of its page, where the theme's button looks for it."""
    chapter = chapter_of(pagename)
    if chapter is None:
        return
    context["ipynb_source"] = f"{pagename}.ipynb"
    path = Path(app.outdir, "_sources", context["ipynb_source"])
    path.parent.mkdir(parents=True, exist_ok=True)
    written = partial(resolver(names_of(app.env)), page=pagename)
    kept = list if app.config[SOLUTIONS] else without_solutions
    nbformat.write(notebook(chapter, written, outputs_of(chapter), app.config[SETTING], kept), path)


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("html-page-context", offer)


def notebook(
    chapter: Chapter,
    written: Callable[[str], str] = str,
    run: NotebookNode | None = None,
    address: str = "",
    kept: Callable[[list[NotebookNode]], Iterable[NotebookNode]] = list,
) -> NotebookNode:
    """The notebook of a chapter.

    `written` resolves the references of its text, `run` is the executed one, `address` that of the book's repository,
    `kept` says which of its cells are kept.
    """
    found = chapter.notebook()
    for cell, done in zip(found.cells, run.cells if run else found.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs = outputs(done, run or found)
            shown = any(output.output_type != "stream" for output in done.get("outputs", []))
            if shown or "progress." in cell.source:  # a bar shows where the machine is slow
                cell.metadata["tags"] = [*cell.metadata.get("tags", []), UNCOMPARED]
    install = nbformat.v4.new_code_cell(install_cell(address), metadata={"jupyter": {"source_hidden": True}})
    found.cells = [install, *_cells(kept(found.cells), written)]
    if run:
        _count([cell for cell in found.cells if cell.cell_type == "code"])
    for number, cell in enumerate(found.cells):
        cell.id = f"cell-{number}"  # not by chance: the same chapter gives the same file
    found.metadata = {"kernelspec": found.metadata["kernelspec"], "language_info": LANGUAGE}
    found.nbformat, found.nbformat_minor = 4, 5
    return found


def _count(cells: list[NotebookNode]) -> None:
    """Number the cells as a run from top to bottom does; stock nbval takes what has no number as never run."""
    for number, cell in enumerate(cells, start=1):
        cell.execution_count = number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number


def _cells(cells: Iterable[NotebookNode], written: Callable[[str], str]) -> Iterator[NotebookNode]:
    quoted = Quotes(written)
    for cell in cells:
        if cell.cell_type != "code":
            yield from _texts(quoted(cell.source))
            continue
        figure = cell.metadata.pop("mystnb", {}).get("figure", {})
        if quoted.inside or "hide-input" in cell.metadata.get("tags", []):
            # A solution is closed together with its outputs.
            cell.metadata["jupyter"] = {"source_hidden": True} | ({"outputs_hidden": True} if quoted.inside else {})
        yield cell
        if "caption" in figure:
            caption = f"**{{numref}}`{figure['name']}`.** {figure['caption']}"
            yield nbformat.v4.new_markdown_cell(written(caption))


def _texts(text: str) -> Iterator[NotebookNode]:
    """The cells of a text: below each exercise a place to answer, which checks where the answer is a number."""
    for place, part in enumerate(PLACE.split(text)):
        if place % 2 and part:
            sealed = base64.b64encode(part.encode()).decode()
            # A name that no chapter has: cells after it use theirs.
            source = f'from mtlbook_lib.notebook import answers as _answers\n\n_answers.check(None, "{sealed}")'
            yield nbformat.v4.new_code_cell(source, metadata={"tags": [ANSWER]})
        elif place % 2 or part:
            yield nbformat.v4.new_markdown_cell(OWN_WORDS if place % 2 else part)
