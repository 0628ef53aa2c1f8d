"""Chapters as notebooks in JupyterLab: what is installed for it, and that saving keeps them."""

import json
import re
import runpy

import jupytext
import pytest
import yaml
from jupytext import myst

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
    # The numbers of the pages lie where the build writes them, and where the script asks for them.
    assert f"cp _build/{NAMES_FILE} $(LAB_EXTENSION)/static/" in makefile
    assert f'new URL("{NAMES_FILE}", here)' in script
    assert package["version"] == yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))["version"]
