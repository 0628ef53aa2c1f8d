"""The command that builds the book: its steps in their order, and how it ends when it cannot go on."""

import runpy
import subprocess
import sys
from threading import Thread

import pytest

from bookbuild import __main__ as build
from bookbuild import chapters, execute, html, lint


@pytest.fixture
def steps(monkeypatch, tmp_path):
    """The steps that a build takes, which do nothing else."""
    taken = []
    monkeypatch.setattr(chapters, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(execute, "main", lambda: taken.append("executed") or 0)
    monkeypatch.setattr(html, "main", lambda: taken.append("built") or 0)
    monkeypatch.setattr(lint, "counted", list)
    return taken


def test_chapters_are_executed_and_pages_built_each_time(steps):
    assert (build.main(), build.main()) == (0, 0)
    assert steps == ["executed", "built"] * 2


def test_without_all_chapters_no_page_is_built(steps, monkeypatch):
    monkeypatch.setattr(execute, "main", lambda: 1)
    assert build.main() == 1
    assert steps == []


def test_a_long_summary_ends_a_build_before_anything_is_executed(steps, monkeypatch, capsys):
    monkeypatch.setattr(lint, "counted", lambda: ["part1/x: too long"])
    assert build.main() == 1
    assert (steps, capsys.readouterr().out) == ([], "part1/x: too long\n")


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_executed(steps, tmp_path, capsys):
    (tmp_path / "_build").write_text("a file")
    assert build.main() == 1
    assert "_build: see that it may" in capsys.readouterr().err
    assert steps == []


def test_the_second_of_two_builds_waits_and_says_so(steps, tmp_path, capsys):
    (tmp_path / "_build").mkdir()
    with build.alone(tmp_path / "_build"):
        second = Thread(target=build.main, daemon=True)
        second.start()
        second.join(0.5)
        assert (second.is_alive(), steps) == (True, [])
        assert capsys.readouterr().out.startswith("Another build writes into ")
    second.join()
    assert (steps, capsys.readouterr().out) == (["executed", "built"], "")


def test_an_interrupt_is_said_in_a_line(steps, monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(html, "main", interrupted)
    assert build.main() == 130
    assert capsys.readouterr().out.startswith("Interrupted.")


def test_a_register_that_is_not_there_ends_a_build_in_a_line(monkeypatch, capsys):
    monkeypatch.setenv("MTLBOOK_CLAIMS", "nowhere.yml")
    assert build.main() == 1
    assert capsys.readouterr() == (
        "",
        "error: MTLBOOK_CLAIMS names 'nowhere.yml', which is neither a file nor a folder.\n",
    )


@pytest.mark.parametrize(("option", "status"), [("--help", 0), ("--profile=quick", 2)])
def test_asking_for_help_or_mistyping_an_option_starts_no_build(monkeypatch, capsys, option, status):
    monkeypatch.setattr(sys, "argv", ["bookbuild", option])
    monkeypatch.delitem(sys.modules, "bookbuild.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("bookbuild", run_name="__main__")
    assert ended.value.code == status
    shown = capsys.readouterr()
    assert "usage: python -m bookbuild [-h]" in shown.out + shown.err


def test_a_build_loads_no_grammar_of_addresses():
    """It would take a second before the first chapter, and another before the first page."""
    code = "import sys\nfrom bookbuild import execute, html\nprint('nbformat' in sys.modules, 'lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=chapters.ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
