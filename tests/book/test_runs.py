"""The run that stands open on each chapter's page: short, complete, and in agreement with the claim that it ends in."""

import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from bookbuild.chapters import Chapter, chapters
from mtlbook_lib.notebook import register

LEAST, MOST = 8, 32  # lines, imports among them
SECONDS = 5  # of one core


@cache
def code_of(chapter: Chapter) -> list[Any]:
    """The code cells of a chapter."""
    return [cell for cell in chapter.notebook().cells if cell.cell_type == "code"]


def runs_of(chapter: Chapter) -> list[Any]:
    """The cells with a chapter's run."""
    return [cell for cell in code_of(chapter) if "run" in cell.metadata.get("tags", [])]


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
    assert lines[-1].startswith(f'claims.compare("{cell.metadata["mtlbook"]["claim"]}", measured, predicted')


@pytest.mark.parametrize(("chapter", "cell"), RUNS, ids=NAMES)
def test_it_agrees_with_its_claim(
    chapter: Chapter, cell: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mpl.use("agg")
    monkeypatch.chdir(Path(chapter.path).parent)
    entry = register.load()[cell.metadata["mtlbook"]["claim"]]
    assert entry.chapter == chapter.name
    names: dict[str, Any] = {"__name__": "run"}
    start = time.process_time()
    exec(compile(cell.source, chapter.name, "exec"), names)
    assert time.process_time() - start < 2 * SECONDS  # twice: tests share the machine
    *_, said = capsys.readouterr().out.splitlines()
    few = entry.check == "exceeds"  # what so few seeds hint at need not be significant
    assert re.match("Your run agrees|Too few seeds" if few else "Your run agrees", said), said
    assert said.endswith(f"the claim {entry.id}, on record as: {entry.asserted}.")
