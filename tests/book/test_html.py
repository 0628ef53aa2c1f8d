"""The pages are built with warnings as errors, by a process for each core; a failed build leaves nothing behind."""

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
    assert asked["jobs"] == 7
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
