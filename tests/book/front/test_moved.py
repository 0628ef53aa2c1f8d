"""Old addresses lead to pages that exist."""

from types import SimpleNamespace

import pytest

from bookbuild.chapters import ROOT
from bookbuild.front import moved


def test_an_old_address_leads_to_the_new_page(tmp_path):
    for old, new in moved.MOVED.items():
        (tmp_path / old).parent.mkdir(parents=True, exist_ok=True)
        ((tmp_path / old).parent / new).write_text("the page")
    moved.redirect(tmp_path)
    for old, new in moved.MOVED.items():
        assert f'content="0; url={new}"' in (tmp_path / old).read_text()
        assert ((tmp_path / old).parent / new).read_text() == "the page"


def test_an_address_that_leads_nowhere_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="correct MOVED"):
        moved.redirect(tmp_path)


@pytest.mark.parametrize(("failed", "name", "written"), [
    (None, "html", True), (None, "latex", False), (ValueError("stopped"), "html", False),
])  # fmt: skip
def test_pages_are_written_for_a_book_of_web_pages_that_was_built(tmp_path, monkeypatch, failed, name, written):
    folders = []
    monkeypatch.setattr(moved, "redirect", folders.append)
    moved.write(SimpleNamespace(outdir=str(tmp_path), builder=SimpleNamespace(format=name)), failed)
    assert folders == [tmp_path] * written


def test_no_page_of_now_has_an_old_address():
    for old, new in moved.MOVED.items():
        source = (ROOT / old).with_suffix(".md")
        assert not source.exists()
        assert (source.parent / new).with_suffix(".md").exists()
