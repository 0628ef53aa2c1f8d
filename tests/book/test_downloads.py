"""What a page offers: its notebook, which runs away from the book, and how to cite it."""

import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from sphinx.config import Config

from bookbuild.chapters import chapters
from bookbuild.execute import KERNEL_ENV, QUIET
from bookbuild.pages import cite, downloads

BOOK = {chapter.name: chapter for chapter in chapters()}


@pytest.mark.parametrize("name", BOOK)
def test_notebook_has_the_code_of_the_chapter_folded_as_on_the_page(name: str) -> None:
    found = downloads.notebook(BOOK[name])
    nbformat.validate(found)
    code = [cell for cell in found.cells if cell.cell_type == "code"]
    assert [cell.source for cell in code] == BOOK[name].code()
    text = "\n".join(cell.source for cell in found.cells if cell.cell_type == "markdown")
    figures = [cell for cell in BOOK[name].notebook().cells if "mystnb" in cell.metadata]
    captions = [cell.metadata["mystnb"]["figure"]["caption"] for cell in figures]
    assert all(caption in text for caption in captions)
    assert "{verdicts}" not in text
    closed = [cell for cell in code if cell.metadata.get("jupyter", {}).get("outputs_hidden")]
    assert closed
    folded = [cell for cell in code if "hide-input" in cell.metadata.get("tags", [])]
    assert all(cell.metadata["jupyter"]["source_hidden"] for cell in folded)


def test_the_same_chapter_gives_the_same_file() -> None:
    chapter = BOOK["part1/noise-spectrum"]
    assert nbformat.writes(downloads.notebook(chapter)) == nbformat.writes(downloads.notebook(chapter))


def test_a_notebook_runs_in_an_empty_folder(tmp_path: Path) -> None:
    notebook = downloads.notebook(BOOK["part1/noise-spectrum"])
    where = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=600, resources=where, extra_arguments=QUIET)
    client.execute(env=os.environ | KERNEL_ENV | {"MTLBOOK_PROFILE": "quick"})
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("mtl-claim " in output.get("data", {}).get("text/html", "") for output in outputs) >= 5


def test_how_references_read_is_looked_up_once_for_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    monkeypatch.setattr(downloads, "resolver", lambda env: looked.append(env) or str.upper)
    offered, app = downloads.Notebooks(), SimpleNamespace(outdir=str(tmp_path), env=object())
    for page in ("book/part1/noise-spectrum", "book/part2/one-mode", "book/notation", "search"):
        context: dict[str, Any] = {}
        offered.offer(app, page, "", context, None)
        path = tmp_path / "_sources" / f"{page}.ipynb"
        assert path.exists() == ("part" in page) == (context.get("ipynb_source") == f"{page}.ipynb")
        assert not path.exists() or re.search("# (THE SPECTRUM OF NOISE|LEARNING ONE MODE)", path.read_text())
    assert looked == [app.env]
    offered.forget(app, app.env)
    offered.offer(app, "book/part2/one-mode", "", {}, None)
    assert len(looked) == 2


def test_entry_names_the_repository_where_there_is_one() -> None:
    citation = cite.citation()
    config = Config({}, {"copyright": "2026"})
    config.add(cite.SETTING, "", "env", str)
    entry = cite.bibtex(citation, config)
    assert entry.startswith("@software{mtlbook,\n  title   = {{The audited theory of multi-task learning")
    assert "url" not in entry
    config[cite.SETTING] = "https://example.org/book"
    assert "  url     = {https://example.org/book},\n}" in cite.bibtex(citation, config)
