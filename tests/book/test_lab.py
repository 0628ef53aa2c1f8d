"""Chapters as notebooks in JupyterLab: what is installed, that saving keeps them, and copies of a reader's own."""

import json
import re
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from jupytext import myst
from nbformat.sign import NotebookNotary

from bookbuild import lab
from bookbuild.chapters import ROOT, Chapter, chapters
from bookbuild.front.labels import NAMES_FILE

LAB = ROOT / "lab"


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch):
    """What JupyterLab writes when a chapter is saved."""
    monkeypatch.setattr(myst, "CompactDumper", myst.CompactDumper)  # put back after the test
    runpy.run_path(str(LAB / "jupyter_server_config.py"))
    return lambda text: jupytext.writes(jupytext.reads(text, fmt="md:myst"), fmt="md:myst")


def cells_and_settings(text: str) -> list[str]:
    """Lines without the header, empty lines, and numbers that YAML writes in another way."""
    body = text.split("---\n", 2)[2]
    return [line for line in body.splitlines() if line and not re.match(r":?(tolerance|tags)|  [ra]tol|---", line)]


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.name)
def test_saving_keeps_text_code_and_captions(chapter: Chapter, saved) -> None:
    text = chapter.path.read_text(encoding="utf8")
    once = saved(text)
    assert cells_and_settings(once) == cells_and_settings(text)
    assert saved(once) == once


def test_chapters_open_as_notebooks() -> None:
    overrides = json.loads((LAB / "overrides.json").read_text(encoding="utf8"))
    viewers = overrides["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"]
    assert viewers == {"markdown": "Jupytext Notebook", "myst": "Jupytext Notebook"}


def test_every_file_of_the_lab_is_installed() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    named = set(re.findall(r"cp (?:-r )?lab/(\S+)", makefile))
    assert named == {"jupyter_server_config.py", "overrides.json", "extension/."}
    package = json.loads((LAB / "extension/package.json").read_text(encoding="utf8"))
    script = (LAB / "extension" / package["jupyterlab"]["_build"]["load"]).read_text(encoding="utf8")
    assert f'_JUPYTERLAB["{package["name"]}"]' in script
    # The numbers of the pages lie where the script asks for them.
    assert f"-m bookbuild.front.labels_in_texts $(LAB_EXTENSION)/static/{NAMES_FILE}\n" in makefile
    assert f'new URL("{NAMES_FILE}", here)' in script
    assert package["version"] == yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))["version"]


# ---- copies of the executed chapters


CHAPTER = Chapter("part1/noise-spectrum", ROOT / "book/part1/noise-spectrum.md")


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Brings a chapter of one cell into a folder, as a build that made this text of it; what it says."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "signatures"))

    def brought(text: str) -> list[str]:
        cell = nbformat.v4.new_markdown_cell(text, id="cell-0")
        made = nbformat.v4.new_notebook(cells=[cell])
        return list(lab.Copies(tmp_path / "lab").bring(CHAPTER, made))

    return brought


def copies(tmp_path: Path) -> dict[str, str]:
    """The texts of the copies, by what their names add to the chapter's."""
    found = sorted((tmp_path / "lab").rglob("*.ipynb"))
    return {path.stem.removeprefix("noise-spectrum"): nbformat.read(path, 4).cells[0].source for path in found}


def edit(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "lab/part1" / f"{name}.ipynb"
    path.write_text(path.read_text(encoding="utf8").replace("build", text), encoding="utf8")


def test_a_copy_that_nobody_changed_follows_the_book(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    assert bring("build 1") == bring("build 2") == bring("build 2") == []
    assert copies(tmp_path) == {"": "build 2"}


def test_a_copy_that_its_reader_changed_stays(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    bring("build 1")
    edit(tmp_path, "noise-spectrum", "my")
    assert bring("build 1") == []  # the chapter is what it was: there is nothing new
    assert copies(tmp_path) == {"": "my 1"}
    (line,) = bring("build 2")
    assert "you have changed your copy" in line
    assert "part1/noise-spectrum-rebuilt.ipynb" in line
    assert bring("build 2") == []
    assert copies(tmp_path) == {"": "my 1", "-rebuilt": "build 2"}
    edit(tmp_path, "noise-spectrum-rebuilt", "my other")
    bring("build 3")
    bring("build 4")
    assert copies(tmp_path) == {"": "my 1", "-rebuilt": "my other 2", "-rebuilt-2": "build 4"}


def test_to_open_run_and_save_a_copy_is_no_change(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    bring("build 1")
    path = tmp_path / "lab/part1/noise-spectrum.ipynb"
    saved = nbformat.read(path, 4)
    saved.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(saved, path)
    assert bring("build 2") == []
    assert copies(tmp_path) == {"": "build 2"}
    path.write_text("no notebook", encoding="utf8")
    assert len(bring("build 3")) == 1


def test_a_copy_that_its_reader_removed_comes_back(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    bring("build 1")
    (tmp_path / "lab/part1/noise-spectrum.ipynb").unlink()
    bring("build 1")
    assert copies(tmp_path) == {"": "build 1"}


def test_a_chapter_is_written_again_only_when_what_it_is_made_from_has_changed(tmp_path: Path) -> None:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("text", id="cell-0")])
    now, other = lab.inputs_of(CHAPTER, "outputs", ""), lab.inputs_of(CHAPTER, "other outputs", "")
    assert lab.inputs_of(CHAPTER, "outputs", "https://example.org") not in (now, other)
    assert not lab.Copies(tmp_path).has(CHAPTER, now)
    assert list(lab.Copies(tmp_path).bring(CHAPTER, made, now)) == []
    assert lab.Copies(tmp_path).has(CHAPTER, now)
    assert not lab.Copies(tmp_path).has(CHAPTER, other)
    (tmp_path / "part1/noise-spectrum.ipynb").unlink()
    assert not lab.Copies(tmp_path).has(CHAPTER, now)


def test_the_copy_of_a_build_is_trusted_and_that_of_a_reader_is_not_signed_anew(
    tmp_path: Path, bring: Callable[[str], list[str]]
) -> None:
    bring("build 1")
    made = nbformat.read(tmp_path / "lab/part1/noise-spectrum.ipynb", 4)
    assert NotebookNotary().check_signature(made)
    made.cells[0].source = "mine"
    assert not NotebookNotary().check_signature(made)


def test_the_lab_opens_copies_and_authors_open_the_sources() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    recipes = dict(re.findall(r"^([a-z-]+):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE))
    assert "-m bookbuild.lab" in recipes["lab"]
    assert f"--notebook-dir={lab.OWN.relative_to(ROOT)}\n" in recipes["lab"]
    assert "--notebook-dir=book\n" in recipes["lab-sources"]


def test_cleaning_keeps_what_readers_changed(tmp_path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    recipe = re.search(r"^clean:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe
    for name in ("_build/lab/part1/mine.ipynb", "_build/html/index.html", "_build/fingerprint", ".mypy_cache/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for line in recipe[1].splitlines():
        subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["mine.ipynb"]


def test_the_extension_leaves_the_numbers_of_a_copy_as_the_pages_have_them() -> None:
    script = (LAB / "extension/static/chapters.js").read_text(encoding="utf8")
    assert 'endsWith(".ipynb")) panel.addClass("mtlbook-copy")' in script
    assert ".mtlbook-copy .myst div:has(> .katex-display" in script
