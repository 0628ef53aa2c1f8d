"""One chapter's cells run on each core, the longest first; each is finished as it ends, though others fail."""

import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from bookbuild import execute, reference_outputs, references
from bookbuild.chapters import ROOT, Chapter
from bookbuild.execute import ChapterError, Execution, expected_seconds, run_each

NAMES = ("one", "two", "three", "four")


@pytest.fixture
def book(tmp_path, monkeypatch):
    """Four chapters of equal size, of which the last one took longest."""
    monkeypatch.setattr(execute, "RECORDS", tmp_path / "records")
    monkeypatch.setattr(execute, "workers", lambda: 1)
    (tmp_path / "records").mkdir()
    for number, name in enumerate(NAMES, start=1):
        (tmp_path / f"{name}.md").write_text("text")
        execute.record_path(name).write_text(f'{{"seconds": {number}}}')
    return [Chapter(name, tmp_path / f"{name}.md") for name in NAMES]


@pytest.fixture
def finished(monkeypatch):
    """Chapters run without kernels, and the second one fails; the list of what was finished."""

    def run(chapter):
        if chapter.name == "two":
            raise ChapterError("two: a cell failed")
        return Execution(f"outputs of {chapter.name}", "key", 1.5)

    monkeypatch.setattr(execute, "run", run)
    return []


def test_the_longest_is_first_and_a_failure_is_reported(book, finished, capsys):
    assert run_each(book, lambda chapter, done: finished.append((chapter.name, done.notebook))) == 1
    assert finished == [(name, f"outputs of {name}") for name in ("four", "three", "one")]
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "  [1/4] four: 1.5 s",
        "  [2/4] three: 1.5 s",
        "  [3/4] two: FAILED",
        "  [4/4] one: 1.5 s",
    ]
    assert printed.err.strip() == "FAILED two: a cell failed"


def test_a_chapter_without_a_time_is_judged_by_its_size(book, tmp_path):
    (tmp_path / "records" / "two.json").unlink()
    book[1].path.write_text("three times.")
    assert expected_seconds(book) == {"one": 1, "two": pytest.approx(12 * 8 / 12), "three": 3, "four": 4}
    for name in NAMES:
        (tmp_path / "records" / f"{name}.json").unlink(missing_ok=True)
    seconds = expected_seconds(book)
    assert seconds["two"] == pytest.approx(3 * seconds["one"])
    assert seconds["one"] > 0


def test_what_differs_from_a_reference_is_told_by_the_reference_of_now(book, monkeypatch, capsys):
    """Chapters whose outputs are kept are compared again: their reference may have been renewed since."""
    references = {"one": "of one", "two": "another", "three": "of three"}
    monkeypatch.setattr(execute, "outputs", lambda chapter: f"of {chapter.name}" if chapter.name != "four" else None)
    monkeypatch.setattr(
        reference_outputs, "misses", lambda name, shown: [] if references[name] == shown else [f"{shown}"]
    )
    execute.report_misses(book)
    assert capsys.readouterr().err == "OTHER NUMBERS in two: of two\n"
    references["two"] = "of two"
    execute.report_misses(book)
    assert capsys.readouterr().err == ""


def test_what_is_found_at_the_end_of_a_chapter_fails_it_too(book, finished, capsys):
    def finish(chapter, _):
        finished.append(chapter.name)
        raise ChapterError(f"{chapter.name}: claims and checks differ")

    assert run_each(book[2:], finish) == 1
    assert finished == ["four", "three"]
    assert capsys.readouterr().err.count("claims and checks differ") == 2


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError(), SystemExit("the device")])
@pytest.mark.parametrize("where", ["run", "finish"])
def test_any_error_is_the_failure_of_its_chapter_alone_and_told_with_its_cause(
    book, finished, monkeypatch, capsys, error, where
):
    def failing(chapter, *rest):
        if chapter.name == "three":
            raise error from OSError("disk is full")
        return inner(chapter, *rest)

    inner = execute.run if where == "run" else lambda chapter, _: finished.append(chapter.name)
    if where == "run":
        monkeypatch.setattr(execute, "run", failing)
    finish = failing if where == "finish" else lambda chapter, _: finished.append(chapter.name)
    assert run_each(book, finish) == 1
    assert finished == ["four", "one"]
    said = capsys.readouterr().err
    assert said.count("FAILED ") == 2
    assert "FAILED three: " in said
    assert "disk is full" in said
    assert type(error).__name__ in said


def test_as_many_run_at_a_time_as_there_are_cores(book, monkeypatch):
    """Each waits for two others to run beside it."""
    meeting = threading.Barrier(3, timeout=20)

    def run(chapter):
        meeting.wait()
        return Execution(chapter.name, "key", 0.0)

    monkeypatch.setattr(execute, "workers", lambda: 3)
    monkeypatch.setattr(execute, "run", run)
    assert run_each(book[:3], lambda *_: None) == 0


def test_cores_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 5, 6}, raising=False)
    assert execute.workers() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert execute.workers() == 1


INTERRUPTED = """
import sys, time
from pathlib import Path
from bookbuild import execute
from bookbuild.chapters import Chapter

def run(chapter):
    time.sleep(60 * (chapter.name == "slow"))
    return execute.Execution(None, "key", 0.0)

execute.run, execute.RECORDS = run, Path(sys.argv[1])
execute.workers = lambda: 2
book = [Chapter(name, Path(__file__)) for name in ("slow", "fast")]
execute.run_each(book, lambda chapter, _: Path(sys.argv[1], chapter.name).touch())
"""


def test_an_interrupt_ends_at_once_and_loses_no_finished_chapter(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    where = {"env": os.environ | {"PYTHONPATH": str(ROOT)}, "stdout": subprocess.PIPE, "text": True}
    # A shell that runs the tests in the background lets them ignore interrupts.
    where["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen([sys.executable, script, tmp_path], **where) as process:
        assert process.stdout.readline() == "  [1/2] fast: 0.0 s\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert "Interrupted" in process.stdout.read()
    assert (tmp_path / "fast").exists()
    assert not (tmp_path / "slow").exists()


@pytest.mark.parametrize(("names", "written", "status"), [([], ["four", "three", "one"], 1), (["three"], ["three"], 0)])
def test_references_are_rewritten_and_stale_ones_removed(book, finished, names, written, status, monkeypatch, tmp_path):
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    monkeypatch.setattr(references, "chapters", lambda: book)
    monkeypatch.setattr(references, "write", lambda name, notebook, folder: finished.append(name))
    gone = reference_outputs.path_of("part1/gone", tmp_path)
    gone.parent.mkdir(parents=True)
    gone.write_text("[]")
    assert references.main(names, root=tmp_path) == status
    assert finished == written
    assert not gone.exists()


def test_unknown_chapters_have_no_references(monkeypatch):
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    monkeypatch.setattr(references, "chapters", lambda: [Chapter("one", Path("one.md"))])
    with pytest.raises(SystemExit, match="no such chapter: five"):
        references.main(["one", "five"])
