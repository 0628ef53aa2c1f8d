"""What a page offers: its notebook, which runs away from the book, and how to cite it."""

import base64
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image
from sphinx.config import Config

from bookbuild import execute
from bookbuild.chapters import ROOT, chapters
from bookbuild.execute import KERNEL_ENV, QUIET
from bookbuild.first_cell import install_cell
from bookbuild.front import outputs
from bookbuild.pages import cite, downloads
from bookbuild.pages.answer import SOLUTIONS

BOOK = {chapter.name: chapter for chapter in chapters()}


@pytest.mark.parametrize("name", BOOK)
def test_notebook_has_the_code_of_the_chapter_folded_as_on_the_page(name: str) -> None:
    found = downloads.notebook(BOOK[name])
    nbformat.validate(found)
    code = [
        cell for cell in found.cells if cell.cell_type == "code" and cell.metadata.get("tags") != [downloads.ANSWER]
    ]
    assert [cell.source for cell in code[1:]] == BOOK[name].code()  # after the cell that installs the library
    assert found.metadata.kernelspec.name == "python3"
    text = "\n".join(cell.source for cell in found.cells if cell.cell_type == "markdown")
    figures = [cell for cell in BOOK[name].notebook().cells if "mystnb" in cell.metadata]
    captions = [cell.metadata["mystnb"]["figure"]["caption"] for cell in figures]
    assert all(caption in text for caption in captions)
    # No block of the book's own is left, nor its options.
    assert not re.search(r"^(?:> )?(?::{3,}|`{3,})\{|^(?:> )?:(?:label|class):", text, re.MULTILINE)
    texts = [cell.source for cell in found.cells if cell.cell_type == "markdown"]
    assert [one for one in texts if one.count("<details>") != one.count("</details>")] == []
    assert f"<summary>{'Answer' if name.startswith('part0/') else 'Solution of'}" in text
    labels = [cell.metadata["mystnb"]["figure"]["name"] for cell in figures]
    assert all(f"**{{numref}}`{label}`.** " in text for label in labels)  # a number, once the book is known
    closed = [cell for cell in code if cell.metadata.get("jupyter", {}).get("outputs_hidden")]
    assert closed or name.startswith("part0/")  # whose answers hold no code
    folded = [cell for cell in code if "hide-input" in cell.metadata.get("tags", [])]
    assert all(cell.metadata["jupyter"]["source_hidden"] for cell in folded)


@pytest.mark.parametrize("name", [name for name in BOOK if not name.startswith("part0/")])
def test_below_each_exercise_is_a_place_to_answer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    cells = downloads.notebook(BOOK[name]).cells
    asked = [place for place, cell in enumerate(cells) if re.search(r"^> \*\*.*Exercise", cell.source, re.MULTILINE)]
    assert len(asked) >= 3
    for place in asked:
        number, below = "in the cell below, in place of `None`" in cells[place].source, cells[place + 1]
        assert below.cell_type == ("code" if number else "markdown")
        assert number or below.source == downloads.OWN_WORDS
        if number:
            exec(below.source, {})
            exec(below.source.replace("None", "1e9"), {})
            assert capsys.readouterr().out == "✗ Not yet.\n"


def test_without_a_public_address_it_installs_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = installed_with(install_cell(), ROOT / "book" / "part1", monkeypatch)
    assert asked[-2:] == [f"{ROOT}[simulation,data,notebook]", "sympy"]
    with pytest.raises(FileNotFoundError, match="set BOOK to its folder"):
        installed_with(install_cell(), tmp_path, monkeypatch)


def test_with_a_public_address_it_installs_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = installed_with(install_cell("https://example.org/book/"), tmp_path, monkeypatch)
    # The name alone would be looked up in an index, where anybody could have registered it.
    assert asked[-2:] == ["mtlbook-lib[simulation,data,notebook] @ git+https://example.org/book", "sympy"]


def test_before_torch_is_brought_a_reader_is_told_what_is_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = install_cell("https://example.org/book")
    for missing, told in (("torch", True), ("sympy", False)):
        assert installed_with(cell, tmp_path, monkeypatch, missing)
        assert ("install torch as its own page says for a CPU" in capsys.readouterr().out) == told


def test_nothing_is_installed_where_all_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_with(install_cell(), tmp_path, monkeypatch, missing="") == []


def installed_with(cell: str, folder: Path, monkeypatch: pytest.MonkeyPatch, missing: str = "mtlbook_lib") -> list[str]:
    """What the first cell asks pip for, in a folder, where a package is missing."""
    asked: list[str] = []
    monkeypatch.chdir(folder)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name != missing)
    monkeypatch.setattr("subprocess.run", lambda command, check: asked.extend(command))
    exec(cell, {})
    monkeypatch.undo()
    return asked


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


def test_a_chapter_offers_its_notebook_and_a_page_without_code_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "names_of", lambda env: env)
    monkeypatch.setattr(downloads, "resolver", lambda env: lambda text, page: text.upper())
    app: Any = SimpleNamespace(outdir=str(tmp_path), env=object(), config={cite.SETTING: "", SOLUTIONS: True})
    for page in ("book/part1/noise-spectrum", "book/notation", "search"):
        context: dict[str, Any] = {}
        downloads.offer(app, page, "", context, None)
        path = tmp_path / "_sources" / f"{page}.ipynb"
        assert path.exists() == ("part" in page) == (context.get("ipynb_source") == f"{page}.ipynb")
        assert not path.exists() or "# THE SPECTRUM OF NOISE" in path.read_text()


VIEW, STATE = outputs.VIEW, outputs.STATE
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="{n}" aria-label="panel {n}">'
    '<path d="M0 0H4V{n}H0Z" style="fill:color-mix(in srgb,#c80000 50%,currentColor)"/></svg>'
)


@pytest.fixture
def run() -> NotebookNode:
    """A chapter that was executed: its third code cell has a slider, its fourth a card and words."""
    found = BOOK["part1/noise-spectrum"].notebook()
    cells = [cell for cell in found.cells if cell.cell_type == "code"]
    show = nbformat.v4.new_output
    cells[1].outputs = [show("stream", text="counted: 3\n")]
    cells[2].outputs = [show("display_data", {VIEW: {"model_id": "box"}, "text/plain": "size: 2 frames"})]
    card = '<p>It holds. <a href="../reference/scoreboard.html#row">row</a> <a href="#here">here</a></p>'
    data = {"text/html": card, "text/plain": "It holds.", "application/vnd.mtlbook.claim+json": {"id": "x"}}
    cells[3].outputs = [show("display_data", data), show("stream", text="0 of 400\n")]
    cells[4].outputs = [show("stream", text="x" * (outputs.HEAVIEST + 1))]
    models = {
        "box": {"state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_stack"]}},
        "stack": {"state": {"children": ["IPY_MODEL_one", "IPY_MODEL_two"], "selected_index": 1}},
        "one": {"state": {"value": SVG.format(n=1)}},
        "two": {"state": {"value": SVG.format(n=2)}},
    }
    found.metadata["widgets"] = {STATE: {"state": models}}
    return found


def test_a_notebook_has_the_outputs_of_the_build(run: NotebookNode) -> None:
    found = downloads.notebook(BOOK["part1/noise-spectrum"], run=run)
    nbformat.validate(found)
    cells = [cell for cell in found.cells if cell.cell_type == "code"][1:]
    shown = [cell.outputs for cell in cells]
    assert shown[2][0].data["text/plain"] == "panel 2"
    # A card is read outside the book: its links to other pages are words.
    assert shown[3][0].data["text/html"] == '<p>It holds. row <a href="#here">here</a></p>'
    assert set(shown[3][0].data) == {"text/html", "text/plain"}
    assert shown[3][1].text == "0 of 400\n"
    assert shown[4] == []
    # As a run from top to bottom numbers them; what differs from such a run is not compared with it.
    assert [cell.execution_count for cell in cells] == list(range(2, 2 + len(cells)))
    assert [downloads.UNCOMPARED in cell.metadata.get("tags", []) for cell in cells[1:5]] == [False, True, True, False]


def test_stock_nbval_accepts_a_notebook(tmp_path: Path, run: NotebookNode) -> None:
    offered = downloads.notebook(BOOK["part1/noise-spectrum"], run=run)
    install, *code = [cell for cell in offered.cells if cell.cell_type == "code"]
    code[1].source, code[2].source, code[3].source = "print('counted: 3')", "0", "0"
    offered.cells = [install, *code[1:4]]
    nbformat.write(offered, tmp_path / "offered.ipynb")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "offered.ipynb"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "4 passed" in done.stdout, done.stdout


def test_a_figure_is_both_pictures_panel_by_panel() -> None:
    html = f'<div class="mtl-figure" role="img" aria-label="two">{SVG.format(n=1)}{SVG.format(n=3)}</div>'
    output = nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "two"})
    found = outputs.outputs_kept(output, {})
    assert [sorted(one.data) for one in found] == [["image/png", "image/svg+xml", "text/plain"]] * 2
    assert [one.data["text/plain"] for one in found] == ["panel 1", "panel 3"]
    sizes, colours = [], set()
    for one in found:
        assert "currentColor" not in one.data["image/svg+xml"]  # no page gives it a colour
        picture = Image.open(io.BytesIO(base64.b64decode(one.data["image/png"]))).convert("RGB")
        sizes.append(picture.size)
        colours.add(picture.getpixel((2, 0)))
    assert (sizes, colours) == ([(4, 1), (4, 3)], {(100, 0, 0)})


def test_one_text_for_several_panels_stands_with_the_first() -> None:
    nameless = re.sub(r' aria-label="[^"]*"', ' aria-hidden="true"', SVG.format(n=1))
    html = f'<div class="mtl-figure" role="img" aria-label="A &lt; B">{nameless * 2}</div>'
    output = nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "A < B"})
    assert [one.data["text/plain"] for one in outputs.outputs_kept(output, {})] == ["A < B", ""]


def test_a_widget_without_frames_leaves_its_words() -> None:
    assert outputs.first_frame("gone", {}) == ""
    assert outputs.first_frame("box", {"box": {"state": {"children": ["IPY_MODEL_slider"]}}}) == ""


def test_a_chapter_that_was_not_executed_has_no_outputs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(execute, "CACHE", tmp_path)
    assert execute.outputs(BOOK["part1/noise-spectrum"]) is None


def test_entry_names_the_repository_where_there_is_one() -> None:
    citation = cite.citation()
    config = Config({}, {"copyright": "2026"})
    config.add(cite.SETTING, "", "env", str)
    entry = cite.bibtex(citation, config)
    assert entry.startswith("@software{mtlbook,\n  title   = {{The audited theory of multi-task learning")
    assert "url" not in entry
    config[cite.SETTING] = "https://example.org/book"
    assert "  url     = {https://example.org/book},\n}" in cite.bibtex(citation, config)


def test_a_place_to_answer_takes_no_name_from_the_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    """It stands between cells of a chapter, some of which call their own variables `answers`."""
    (cell,) = (c for c in downloads._texts("before\n<!-- answer:0.25 0.01 -->\nafter") if c.cell_type == "code")
    names: dict[str, Any] = {}
    exec(cell.source.replace("None", "0.25"), names)
    assert capsys.readouterr().out == "✓ Right.\n"
    assert [name for name in names if not name.startswith("_")] == []


def test_a_cell_that_may_show_a_bar_is_run_and_not_compared() -> None:
    slow = "for x in progress.bar(range(3)):\n    print(x)"
    found = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (slow, "print(1)")])
    found.metadata["kernelspec"] = {"name": "python3"}
    chapter: Any = SimpleNamespace(notebook=lambda: found)
    made = downloads.notebook(chapter)
    tags = [cell.metadata.get("tags", []) for cell in made.cells if cell.source.startswith(("for", "print"))]
    assert [downloads.UNCOMPARED in found for found in tags] == [True, False]
