"""The chapters' test plugin turns red when it must: run on a small book of its own."""

import json
from types import SimpleNamespace

import pytest

from bookbuild import pytest_plugin
from bookbuild.chapters import ROOT, as_chapter
from bookbuild.execute import run
from bookbuild.references import write

pytest_plugins = ["pytester"]

PAGE = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  display_name: Python 3
  name: python3
---
# A page

```{code-cell} ipython3
x = 2.0
print(f"x = {x}")
```

```{code-cell} ipython3
assert x == 2.0
```
"""


@pytest.fixture
def book(pytester, monkeypatch):
    """A book of one chapter with its reference."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    pytester.makeconftest('pytest_plugins = ["bookbuild.pytest_plugin"]')
    (pytester.path / "_toc.yml").write_text("format: jb-book\nroot: book/page\n")
    pytester.mkdir("book").joinpath("page.md").write_text(PAGE)
    chapter = as_chapter(pytester.path / "book" / "page.md", pytester.path)
    write(chapter.name, run(chapter)[0], pytester.path / "tests" / "reference")
    return pytester


def outcome(book):
    return book.runpytest_subprocess("book", "-p", "no:cacheprovider").parseoutcomes()


def test_a_chapter_that_prints_its_reference_passes(book):
    assert outcome(book) == {"passed": 2}


def test_an_edited_reference_number_fails(book):
    path = book.path / "tests" / "reference" / "page.json"
    path.write_text(path.read_text().replace("2.0", "2.1"))
    assert json.loads(path.read_text())[0]["outputs"] == ["x = 2.1"]
    assert outcome(book) == {"passed": 1, "failed": 1}


def test_a_printing_cell_without_reference_fails(book):
    (book.path / "tests" / "reference" / "page.json").write_text("[]")
    assert outcome(book) == {"passed": 1, "failed": 1}


def test_a_changed_result_fails_in_every_cell_that_depends_on_it(book):
    page = book.path / "book" / "page.md"
    page.write_text(page.read_text().replace("x = 2.0\n", "x = 2.5\n"))
    assert outcome(book) == {"failed": 2}


def test_the_table_of_contents_is_read_once(tmp_path, monkeypatch):
    """Pytest asks for every file, also for pages that are not in the book."""
    reads = []
    monkeypatch.setattr(pytest_plugin, "chapters", lambda root: reads.append(root) or [])
    parent = SimpleNamespace(config=SimpleNamespace(rootpath=tmp_path))
    for name in ("one.md", "two.md", "three.py"):
        assert pytest_plugin.pytest_collect_file(tmp_path / name, parent) is None
    assert reads == [tmp_path]
