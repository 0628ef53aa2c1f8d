"""A build of which nothing changed is skipped; any change to what goes in or comes out makes another."""

import runpy
import subprocess
import sys

import pytest

from bookbuild import __main__ as build
from bookbuild import execute, html, lint

FILES = ("_toc.yml", "book/page.md", "bookbuild/html.py", "mtlbook_lib/theory/spiked.py", "results/run.json")
WHOLE_BUILD = build.build  # which the fixture replaces
BUILT = "_build/html/page.html"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose build writes one page; `builds` counts."""
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1")
    monkeypatch.setattr(build, "build", lambda: made(tmp_path))
    made.count = 0
    return tmp_path


def made(root):
    made.count += 1
    (root / BUILT).parent.mkdir(parents=True, exist_ok=True)
    (root / BUILT).write_text("page")
    return 0


def builds(project):
    """How many builds a call makes."""
    before = made.count
    assert build.main(project) == 0
    return made.count - before


def test_nothing_changed(project, capsys):
    assert builds(project) == 1
    (project / "book/__pycache__").mkdir()
    (project / "book/__pycache__/x.pyc").touch()
    assert builds(project) == 0
    assert "Nothing changed" in capsys.readouterr().out


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["edited", "removed", "renamed"])
def test_an_input_changed(project, name, change):
    builds(project)
    path = project / name
    if change == "edited":
        path.write_text("2")
    elif change == "renamed":
        path.rename(path.with_suffix(".new"))
    else:
        path.unlink()
    assert (builds(project), builds(project)) == (1, 0)


@pytest.mark.parametrize("change", [lambda root: (root / "book/new.md").touch(), lambda root: (root / BUILT).unlink()])
def test_a_new_input_or_a_page_that_is_gone(project, change):
    builds(project)
    change(project)
    assert (builds(project), builds(project)) == (1, 0)


@pytest.mark.parametrize("name", ["MTLBOOK_PROFILE", "MTLBOOK_DEVICE", "MTLBOOK_DTYPE", "OPENBLAS_CORETYPE"])
def test_a_setting_changed(project, monkeypatch, name):
    monkeypatch.delenv(name, raising=False)
    builds(project)
    monkeypatch.setenv(name, "other")
    assert (builds(project), builds(project)) == (1, 0)


def test_an_edit_during_the_build_is_built_next_time(project, monkeypatch):
    monkeypatch.setattr(build, "build", lambda: (project / FILES[1]).write_text("edited") and made(project))
    build.main(project)
    monkeypatch.setattr(build, "build", lambda: made(project))
    assert (builds(project), builds(project)) == (1, 0)


def test_a_failed_build_is_tried_again(project, monkeypatch):
    builds(project)
    (project / FILES[1]).write_text("wrong")
    monkeypatch.setattr(build, "build", lambda: 1)
    assert build.main(project) == 1
    (project / FILES[1]).write_text("1")  # as it was before: the pages may be gone all the same
    monkeypatch.setattr(build, "build", lambda: made(project))
    assert builds(project) == 1


@pytest.mark.parametrize("damage", ["cut", "no text", "a folder"])
def test_a_damaged_note_of_the_last_build_makes_another(project, damage):
    builds(project)
    note = project / build.FINGERPRINT
    if damage == "a folder":
        note.unlink()
        note.mkdir()
    else:
        note.write_bytes(note.read_bytes()[:9] if damage == "cut" else b"\xff\xfe")
    assert (builds(project), builds(project)) == (1, 0)


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_executed(project, capsys, monkeypatch):
    (project / "_build").write_text("a file")
    assert build.main(project) == 1
    assert "_build: see that it may" in capsys.readouterr().err

    def read_only(dir):
        raise PermissionError(13, "Permission denied", str(dir))

    (project / "_build").unlink()
    monkeypatch.setattr(build, "TemporaryFile", read_only)
    assert build.main(project) == 1
    assert "Permission denied" in capsys.readouterr().err
    assert made.count == 0


def test_an_interrupt_is_said_in_a_line_and_the_next_build_goes_on(project, monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "build", interrupted)
    assert build.main(project) == 130
    assert capsys.readouterr().out.startswith("Interrupted.")
    monkeypatch.setattr(build, "build", lambda: made(project))
    assert builds(project) == 1


@pytest.mark.parametrize(("option", "status"), [("--help", 0), ("--profile=quick", 2)])
def test_asking_for_help_or_mistyping_an_option_starts_no_build(monkeypatch, capsys, option, status):
    monkeypatch.setattr(sys, "argv", ["bookbuild", option])
    monkeypatch.delitem(sys.modules, "bookbuild.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("bookbuild", run_name="__main__")
    assert ended.value.code == status
    shown = capsys.readouterr()
    assert "usage: python -m bookbuild [-h]" in shown.out + shown.err


def test_a_register_that_is_not_there_ends_a_build_in_a_line(monkeypatch, capsys):
    monkeypatch.setenv("MTLBOOK_CLAIMS", "nowhere.yml")
    assert build.build() == 1
    assert capsys.readouterr() == (
        "",
        "error: MTLBOOK_CLAIMS names 'nowhere.yml', which is neither a file nor a folder.\n",
    )


def test_a_long_summary_ends_a_build_before_anything_is_executed(monkeypatch, capsys):
    ran = []
    monkeypatch.setattr(execute, "main", lambda: ran.append("executed") or 0)
    monkeypatch.setattr(html, "main", lambda: ran.append("built") or 0)
    monkeypatch.setattr(lint, "counted", lambda: ["part1/x: too long"])
    assert WHOLE_BUILD() == 1
    assert (ran, capsys.readouterr().out) == ([], "part1/x: too long\n")
    monkeypatch.setattr(lint, "counted", list)
    assert WHOLE_BUILD() == 0
    assert ran == ["executed", "built"]


def test_a_build_loads_no_grammar_of_addresses():
    """It would take a second before the first chapter, and another before the first page."""
    code = "import sys\nfrom bookbuild import execute, html\nprint('nbformat' in sys.modules, 'lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=build.ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
