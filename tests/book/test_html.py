"""The pages are built with warnings as errors, by a process for each core, each time anew."""

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
    monkeypatch.setattr(html, "workers", lambda: 7)
    monkeypatch.setattr(jupyter_book.sphinx, "build_sphinx", lambda *_, **options: asked.update(options) or result)
    assert html.build() == status
    assert asked["warningiserror"]
    assert asked["keep_going"]
    assert asked["confoverrides"]["nitpicky"]
    assert not asked["confoverrides"]["book_executes"]
    assert asked["jobs"] == 8
    assert "html_theme_options.announcement" not in asked["confoverrides"]
    monkeypatch.setattr(html, "PROFILE", "quick")
    html.build()
    assert asked["confoverrides"]["html_theme_options.announcement"] == html.SMALL


@pytest.mark.parametrize("status", [0, 1])
def test_pages_and_what_sphinx_remembers_are_made_anew_and_outputs_stay(monkeypatch, tmp_path, status):
    for name in (".doctrees", "html", ".jupyter_cache"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(html, "BUILD", tmp_path)
    monkeypatch.setattr(html, "COMMAND", [sys.executable, "-c", f"import sys; sys.exit({status})"])
    assert html.main() == status
    assert [path.name for path in tmp_path.iterdir()] == [".jupyter_cache"]


def test_the_step_that_makes_pages_ends_quietly_when_it_is_interrupted():
    code = html.CODE.replace("from bookbuild import html", "import os; os.kill(os.getpid(), signal.SIGINT)")
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, b"")
