"""The pages are built with warnings as errors, by a process for each core; a failed build leaves nothing behind."""

import signal
import subprocess
import sys

import jupyter_book.sphinx
import pytest

from bookbuild import html


@pytest.mark.parametrize(("result", "status"), [(0, 0), (1, 1), (ValueError("broken"), 1)])
def test_a_warning_fails_the_build(monkeypatch, result, status):
    asked = {}
    monkeypatch.setattr(html, "PROFILE", "paper")
    monkeypatch.setattr(html.gc, "disable", lambda: None)
    monkeypatch.setattr(html, "workers", lambda: 7)
    monkeypatch.setattr(jupyter_book.sphinx, "build_sphinx", lambda *_, **options: asked.update(options) or result)
    assert html.build() == status
    assert asked["warningiserror"]
    assert asked["keep_going"]
    assert asked["confoverrides"]["nitpicky"]
    assert asked["jobs"] == 8
    assert "html_theme_options.announcement" not in asked["confoverrides"]
    monkeypatch.setattr(html, "PROFILE", "quick")
    html.build()
    assert asked["confoverrides"]["html_theme_options.announcement"] == html.SMALL


@pytest.mark.parametrize(("ending", "left"), [("0", True), ("1", False), ("'a signal'", False)])
def test_after_a_failure_nothing_is_left(monkeypatch, tmp_path, ending, left):
    for name in (".doctrees", "html", ".jupyter_cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(html, "BUILD", tmp_path)
    monkeypatch.setattr(html, "COMMAND", [sys.executable, "-c", f"import sys; sys.exit({ending})"])
    assert html.main() == (0 if left else 1)
    assert [(tmp_path / name).exists() for name in (".doctrees", "html", ".jupyter_cache")] == [left, left, True]


KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def test_a_step_that_is_killed_says_so_and_leaves_nothing(monkeypatch, tmp_path, capsys):
    (tmp_path / "html").mkdir()
    monkeypatch.setattr(html, "BUILD", tmp_path)
    monkeypatch.setattr(html, "COMMAND", [sys.executable, "-c", KILLED])
    assert html.main() == 1
    assert "ended by SIGKILL" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_pages_that_a_killed_build_left_are_made_again(monkeypatch, tmp_path, capsys):
    """Sphinx would take a page that was cut in the middle for made."""
    monkeypatch.setattr(html, "BUILD", tmp_path)
    page = tmp_path / "html/page.html"
    page.parent.mkdir()

    def killed(*rest, **options):
        page.write_text("<html")
        raise KeyboardInterrupt  # what comes after it does not run, as after a kill

    monkeypatch.setattr(html.subprocess, "run", killed)
    with pytest.raises(KeyboardInterrupt):
        html.main()
    monkeypatch.undo()
    monkeypatch.setattr(html, "BUILD", tmp_path)
    made = f"import pathlib; path = pathlib.Path({str(page)!r}); assert not path.parent.exists(); path.parent.mkdir()"
    monkeypatch.setattr(html, "COMMAND", [sys.executable, "-c", made])
    assert html.main() == 0
    assert "cut off: all pages are made again" in capsys.readouterr().out
    assert html.main() == 1  # this time the page is left alone
    assert "cut off" not in capsys.readouterr().out


def test_the_step_that_makes_pages_ends_quietly_when_it_is_interrupted():
    code = html.CODE.replace("from bookbuild import html", "import os; os.kill(os.getpid(), signal.SIGINT)")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, b"")
