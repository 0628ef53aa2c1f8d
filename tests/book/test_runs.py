"""The run that stands open on each chapter's page: short, complete, and in agreement with the claim that it ends in."""

import re
from functools import cache
from typing import Any

import pytest
from example_claim import example_claim
from nbformat.v4 import new_code_cell

from bookbuild.chapters import Chapter, chapters
from bookbuild.compare import Shown
from bookbuild.pytest_plugin import is_run, other_findings
from mtlbook_lib.notebook import register

LEAST, MOST = 8, 32  # lines, imports among them


@cache
def code_of(chapter: Chapter) -> list[Any]:
    """The code cells of a chapter."""
    return [cell for cell in chapter.notebook().cells if cell.cell_type == "code"]


def runs_of(chapter: Chapter) -> list[Any]:
    """The cells with a chapter's run."""
    return [cell for cell in code_of(chapter) if is_run(cell)]


BOOK = [chapter for chapter in chapters() if re.match(r"part[1-9]", chapter.name) and code_of(chapter)]
RUNS = [(chapter, cell) for chapter in BOOK for cell in runs_of(chapter)]
NAMES = [f"{chapter.name}-{cell.metadata.get('mtlbook', {}).get('claim')}" for chapter, cell in RUNS]


@pytest.mark.parametrize("chapter", BOOK, ids=lambda chapter: chapter.name)
def test_every_chapter_shows_its_run(chapter: Chapter) -> None:
    assert 1 <= len(runs_of(chapter)) <= 2


@pytest.mark.parametrize(("chapter", "cell"), RUNS, ids=NAMES)
def test_it_is_short_and_in_the_words_of_the_library(chapter: Chapter, cell: Any) -> None:
    lines = [line for line in cell.source.splitlines() if line.strip()]
    assert LEAST <= len(lines) <= MOST
    assert max(map(len, lines)) <= 96  # of a page at 1280 px
    assert not re.search(r"\bexperiments?\b|plots\.|pictures\.|claims\.check", cell.source)
    claim = cell.metadata["mtlbook"]["claim"]
    assert lines[-1].startswith(f'claims.compare("{claim}", measured, predicted')
    assert register.load()[claim].chapter == chapter.name


@pytest.mark.parametrize(("kind", "said", "red"), [
    ("close", "Your run agrees with the claim an-id, on record as: holds.", False),
    ("close", "Your run says otherwise than the claim an-id, on record as: holds.", True),
    ("close", "Your run agrees with the claim another, on record as: holds.", True),
    ("close", "Too few seeds to judge the claim an-id, on record as: holds.", True),
    ("exceeds", "Too few seeds to judge the claim an-id, on record as: holds.", False),
])  # fmt: skip
def test_its_cell_fails_where_it_does_not_agree(
    kind: str, said: str, red: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register, "load", lambda: {"an-id": example_claim(kind, 4.0, id="an-id")})
    cell = new_code_cell("", metadata={"mtlbook": {"claim": "an-id"}, "tags": ["run"]})
    assert other_findings(cell, [Shown(f"measured 2\n{said}")]) == [said] * red
    assert other_findings(cell, []) == ["the run prints nothing"]
