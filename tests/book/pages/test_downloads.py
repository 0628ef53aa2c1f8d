"""What a page offers: its notebook, which runs away from the book, and how to cite it."""

import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from sphinx.config import Config

from bookbuild.chapters import Chapter, chapters
from bookbuild.execute import KERNEL_ENV, QUIET
from bookbuild.front import outputs
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
    labels = [cell.metadata["mystnb"]["figure"]["name"] for cell in figures]
    assert all(f"**{{numref}}`{label}`.** " in text for label in labels)  # a number, once the book is known
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
    monkeypatch.setattr(downloads, "resolver", lambda env: looked.append(env) or (lambda text, page: text.upper()))
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


VIEW, STATE = outputs.VIEW, outputs.STATE


@pytest.fixture
def run() -> NotebookNode:
    """A chapter that was executed: its third code cell has a slider, its fourth a card and words."""
    found = BOOK["part1/noise-spectrum"].notebook()
    cells = [cell for cell in found.cells if cell.cell_type == "code"]
    show = nbformat.v4.new_output
    cells[2].outputs = [show("display_data", {VIEW: {"model_id": "box"}, "text/plain": "size: 2 frames"})]
    card = '<p>It holds. <a href="../reference/scoreboard.html#row">row</a> <a href="#here">here</a></p>'
    data = {"text/html": card, "text/plain": "It holds.", "application/vnd.mtlbook.claim+json": {"id": "x"}}
    cells[3].outputs = [show("display_data", data), show("stream", text="0 of 400\n")]
    cells[4].outputs = [show("stream", text="x" * (outputs.HEAVIEST + 1))]
    models = {
        "box": {"state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_stack"]}},
        "stack": {"state": {"children": ["IPY_MODEL_one", "IPY_MODEL_two"], "selected_index": 1}},
        "one": {"state": {"value": "<svg>1</svg>"}},
        "two": {"state": {"value": "<svg>2</svg>"}},
    }
    found.metadata["widgets"] = {STATE: {"state": models}}
    return found


def test_a_notebook_has_the_outputs_of_the_build(run: NotebookNode) -> None:
    found = downloads.notebook(BOOK["part1/noise-spectrum"], run=run)
    nbformat.validate(found)
    shown = [cell.outputs for cell in found.cells if cell.cell_type == "code"]
    assert shown[2][0].data == {"text/plain": "size: 2 frames", "text/html": "<svg>2</svg>"}
    # A card is read outside the book: its links to other pages are words.
    assert shown[3][0].data["text/html"] == '<p>It holds. row <a href="#here">here</a></p>'
    assert set(shown[3][0].data) == {"text/html", "text/plain"}
    assert shown[3][1].text == "0 of 400\n"
    assert shown[4] == []


def test_a_widget_without_frames_leaves_its_words() -> None:
    assert outputs.first_frame("gone", {}) == ""
    assert outputs.first_frame("box", {"box": {"state": {"children": ["IPY_MODEL_slider"]}}}) == ""


def test_a_chapter_that_was_not_executed_has_no_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(chapter: Chapter) -> NotebookNode:
        raise KeyError(chapter.name)

    monkeypatch.setattr(downloads, "executed", nothing)
    assert downloads.as_executed(BOOK["part1/noise-spectrum"]) is None


def test_entry_names_the_repository_where_there_is_one() -> None:
    citation = cite.citation()
    config = Config({}, {"copyright": "2026"})
    config.add(cite.SETTING, "", "env", str)
    entry = cite.bibtex(citation, config)
    assert entry.startswith("@software{mtlbook,\n  title   = {{The audited theory of multi-task learning")
    assert "url" not in entry
    config[cite.SETTING] = "https://example.org/book"
    assert "  url     = {https://example.org/book},\n}" in cite.bibtex(citation, config)
