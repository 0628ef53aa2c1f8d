"""Chapters are run two at a time, and one that fails stops neither the others nor goes unnoticed."""

import threading
from pathlib import Path

import pytest

from bookbuild import execute, references
from bookbuild.chapters import Chapter
from bookbuild.execute import ChapterError, run_each

BOOK = [Chapter(name, Path(f"{name}.md")) for name in ("one", "two", "three", "four")]


@pytest.fixture
def finished(monkeypatch):
    """Chapters run without kernels, and the second one fails; the list of what was finished."""

    def run(chapter):
        if chapter.name == "two":
            raise ChapterError("two: a cell failed")
        return f"outputs of {chapter.name}", 1.5

    monkeypatch.setattr(execute, "run", run)
    return []


def test_chapters_are_finished_in_order_and_a_failure_is_reported(finished, capsys):
    status = run_each(BOOK, lambda chapter, *outcome: finished.append((chapter.name, *outcome)))
    assert status == 1
    assert finished == [(name, f"outputs of {name}", 1.5) for name in ("one", "three", "four")]
    printed = capsys.readouterr()
    assert printed.out.split() == ["one:", "1.5", "s", "three:", "1.5", "s", "four:", "1.5", "s"]
    assert printed.err.strip() == "FAILED two: a cell failed"


def test_what_is_found_at_the_end_of_a_chapter_fails_it_too(finished, capsys):
    def finish(chapter, *_):
        finished.append(chapter.name)
        raise ChapterError(f"{chapter.name}: claims and checks differ")

    assert run_each(BOOK[2:], finish) == 1
    assert finished == ["three", "four"]
    assert capsys.readouterr().err.count("claims and checks differ") == 2


def test_two_run_at_a_time(monkeypatch):
    """Each waits for another one to run beside it."""
    meeting = threading.Barrier(2, timeout=20)

    def run(chapter):
        meeting.wait()
        return chapter.name, 0.0

    monkeypatch.setattr(execute, "run", run)
    assert run_each(BOOK, lambda *_: None) == 0


@pytest.mark.parametrize(("names", "written", "status"), [([], ["one", "three", "four"], 1), (["three"], ["three"], 0)])
def test_references_are_rewritten_and_stale_ones_removed(finished, names, written, status, monkeypatch, tmp_path):
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    monkeypatch.setattr(references, "chapters", lambda: BOOK)
    monkeypatch.setattr(references, "FOLDER", tmp_path)
    monkeypatch.setattr(references, "write", lambda name, notebook: finished.append(name))
    (tmp_path / "gone.json").write_text("[]")
    assert references.main(names) == status
    assert finished == written
    assert not list(tmp_path.iterdir())


def test_unknown_chapters_have_no_references(finished, monkeypatch):
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    monkeypatch.setattr(references, "chapters", lambda: BOOK)
    with pytest.raises(SystemExit, match="no such chapter: five"):
        references.main(["one", "five"])
