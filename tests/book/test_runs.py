"""The run that stands open on each chapter's page: short, complete, and true to the claim that it shows in small."""

from __future__ import annotations

import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from bookbuild.chapters import Chapter, chapters
from mtlbook_lib.notebook import register

LEAST, MOST = 8, 30  # lines, imports among them
SECONDS = 5  # of one core
STATISTICAL = ("z-score", "exceeds")


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
    assert not re.search(r"\bexperiments?\b|plots\.|pictures\.|claims\.", cell.source)


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
    assert capsys.readouterr().out.strip()
    measured, predicted = (np.asarray(names[name], float) for name in ("measured", "predicted"))
    error = np.asarray(names.get("standard_error", 0.0), float)
    assert np.isfinite([measured.sum(), predicted.sum(), error.sum()]).all()
    assert_met(entry, measured, predicted, error)


def assert_met(entry: Any, measured: Any, predicted: Any, error: Any) -> None:
    """What the claim says, as far as so small a run can see: its own error takes the place of the record's."""
    miss = measured - predicted
    if entry.check == "exceeds":
        assert np.all(error > 0)
        assert (miss >= -4 * error).all()
    elif entry.check == "relative":
        assert (np.abs(miss) <= entry.tolerance * np.abs(predicted) + 4 * error).all()
    elif entry.check in ("close", "z-score"):
        width = entry.tolerance if entry.check == "close" else entry.tolerance * error + entry.allowance
        assert (np.abs(miss) <= width + (4 * error if entry.check == "close" else 0)).all()
    elif entry.check == "at-most":
        assert (measured <= entry.tolerance + 4 * error).all()
    elif entry.check == "at-least":
        assert (measured >= entry.tolerance - 4 * error).all()
    else:
        low, high = entry.tolerance
        assert ((low - 4 * error <= measured) & (measured <= high + 4 * error)).all()
