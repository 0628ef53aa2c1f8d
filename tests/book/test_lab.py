"""Chapters as notebooks in JupyterLab: what is installed, and copies of a reader's own."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
import yaml
from nbformat.sign import NotebookNotary

from bookbuild import lab
from bookbuild.chapters import ROOT

LAB = ROOT / "lab"


def test_every_file_of_the_lab_is_installed() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    assert set(re.findall(r"cp (?:-r )?lab/(\S+)", makefile)) == {path.name for path in LAB.glob("*.*")} | {
        "extension/."
    }
    package = json.loads((LAB / "extension/package.json").read_text(encoding="utf8"))
    script = (LAB / "extension" / package["jupyterlab"]["_build"]["load"]).read_text(encoding="utf8")
    assert f'_JUPYTERLAB["{package["name"]}"]' in script
    assert package["version"] == yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))["version"]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Brings a chapter of one cell into a folder, as a build that made this text of it; what it says."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "signatures"))
    monkeypatch.setattr(lab, "FOLDER", tmp_path / "lab")

    def brought(text: str) -> list[str]:
        cell = nbformat.v4.new_markdown_cell(text, id="cell-0")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "made.ipynb")
        return list(lab.bring(tmp_path / "made.ipynb", Path("part1/noise.ipynb")))

    return brought


def copies(tmp_path: Path) -> dict[str, str]:
    """The texts of the copies, by what their names add to the chapter's."""
    found = sorted((tmp_path / "lab/part1").glob("*.ipynb"))
    return {path.stem.removeprefix("noise"): nbformat.read(path, 4).cells[0].source for path in found}


def edit(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "lab/part1" / f"{name}.ipynb"
    path.write_text(path.read_text(encoding="utf8").replace("build", text), encoding="utf8")


def test_a_copy_that_nobody_changed_follows_the_book(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    assert bring("build 1") == bring("build 2") == bring("build 2") == []
    assert copies(tmp_path) == {"": "build 2"}
    (tmp_path / "lab/part1/noise.ipynb").unlink()
    bring("build 2")
    assert copies(tmp_path) == {"": "build 2"}


def test_a_copy_that_its_reader_changed_stays(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    bring("build 1")
    edit(tmp_path, "noise", "my")
    assert bring("build 1") == []  # the chapter is what it was: there is nothing new
    assert copies(tmp_path) == {"": "my 1"}
    (line,) = bring("build 2")
    assert "you have changed your copy" in line
    assert "part1/noise-rebuilt.ipynb" in line
    bring("build 2")
    assert copies(tmp_path) == {"": "my 1", "-rebuilt": "build 2"}
    edit(tmp_path, "noise-rebuilt", "my other")
    bring("build 3")
    bring("build 4")
    assert copies(tmp_path) == {"": "my 1", "-rebuilt": "my other 2", "-rebuilt-rebuilt": "build 4"}


def test_to_open_run_and_save_a_copy_is_no_change(tmp_path: Path, bring: Callable[[str], list[str]]) -> None:
    bring("build 1")
    path = tmp_path / "lab/part1/noise.ipynb"
    saved = nbformat.read(path, 4)
    saved.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(saved, path)
    assert bring("build 2") == []
    assert copies(tmp_path) == {"": "build 2"}
    path.write_text("no notebook", encoding="utf8")
    assert len(bring("build 3")) == 1


def test_the_copy_of_a_build_is_trusted_and_that_of_a_reader_is_not(
    tmp_path: Path, bring: Callable[[str], list[str]]
) -> None:
    bring("build 1")
    made = nbformat.read(tmp_path / "lab/part1/noise.ipynb", 4)
    assert NotebookNotary().check_signature(made)
    made.cells[0].source = "mine"
    assert not NotebookNotary().check_signature(made)


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
