"""The chapters' test plugin turns red when it must: run on a small book of its own."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from bookbuild import pytest_plugin
from bookbuild.chapters import ROOT, Chapter, as_chapter
from bookbuild.execute import run
from bookbuild.reference_outputs import path_of, write

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


# Each case: what its page and its reference, which are otherwise sound, say instead; and which of the two cells fail.
CASES = {
    "sound": (("", ""), ("", ""), []),
    "edited_reference": (("", ""), ("2.0", "2.5"), [0]),
    "without_reference": (("", ""), None, [0]),
    "changed_result": (("x = 2.0\n", "x = 2.5\n"), ("", ""), [0, 1]),
}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book with a chapter for each case: its page and its reference, the latter from a run of the sound page."""
    root = tmp_path_factory.mktemp("book")
    (root / "conftest.py").write_text('pytest_plugins = ["bookbuild.pytest_plugin"]')
    (root / "pytest.ini").write_text("[pytest]")
    listed = "".join(f"- file: book/{name}\n" for name in [*CASES][1:])
    (root / "_toc.yml").write_text(f"root: book/sound\nchapters:\n{listed}")
    (root / "book").mkdir()
    for name, (changed, _, _) in CASES.items():
        (root / "book" / f"{name}.md").write_text(PAGE.replace(*changed))
    write("sound", run(as_chapter(root / "book" / "sound.md", root)).notebook, root)
    sound = path_of("sound", root).read_text()
    assert json.loads(sound)[0]["outputs"] == ["x = 2.0"]
    for name, (_, changed, _) in CASES.items():
        path_of(name, root).parent.mkdir(exist_ok=True)
        path_of(name, root).write_text(sound.replace(*changed) if changed else "[]")
    return root


@pytest.mark.parametrize("profile", ["paper", "quick"])
def test_each_cell_passes_or_fails_as_it_must(book, profile):
    """At the small size every cell runs, and its checks decide; nothing is compared."""
    settings = {"PYTHONPATH": str(ROOT), "MTLBOOK_PROFILE": "paper", "MTLBOOK_DEVICE": "cpu"}
    command = [sys.executable, "-m", "pytest", "book", "-rA", "--book-profile", profile]
    done = subprocess.run(command, cwd=book, env=os.environ | settings, capture_output=True, text=True, check=False)
    found = re.findall(r"^(PASSED|FAILED) book/(\w+).md::cell (\d)", done.stdout, flags=re.MULTILINE)
    assert len(found) == 2 * len(CASES)
    failed = {(name, int(cell)) for outcome, name, cell in found if outcome == "FAILED"}
    compared = {(name, cell) for name, (_, _, cells) in CASES.items() for cell in cells}
    assert failed == {"paper": compared, "quick": {("changed_result", 1)}}[profile]


def test_the_table_of_contents_is_read_once(tmp_path, monkeypatch):
    """Pytest asks for every file, also for pages that are not in the book."""
    reads = []
    monkeypatch.setattr(pytest_plugin, "chapters", lambda root: reads.append(root) or [])
    parent = SimpleNamespace(config=SimpleNamespace(rootpath=tmp_path))
    for name in ("one.md", "two.md", "three.py"):
        assert pytest_plugin.pytest_collect_file(tmp_path / name, parent) is None
    assert reads == [tmp_path]


def test_the_longest_chapter_is_first_and_other_tests_keep_their_order(monkeypatch):
    monkeypatch.setattr(pytest_plugin, "expected_seconds", lambda book: {"short": 1.0, "long": 9.0})
    names = ["a", "short", "b", "long", "long"]
    items = [Item(number, name) for number, name in enumerate(names)]
    pytest_plugin.pytest_collection_modifyitems(items)
    assert [(item.name, item.number) for item in items] == [("long", 3), ("long", 4), ("short", 1), ("a", 0), ("b", 2)]


class Item:
    """A collected test, as far as its place in the order matters."""

    def __init__(self, number, name):
        self.number, self.name = number, name
        if len(name) > 1:
            self.chapter = Chapter(name, Path(f"{name}.md"))


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("book/part1/page.md::cell 3", "book/part1/page.md"),
        ("tests/theory/test_x.py::test_y[a/b-1]", "tests/theory/test_x.py"),
        ("tests/site/test_site_pages.py::test_page_has_no_problem[book/part1/page.html]", "book/part1/page.html"),
        ("tests/site/test_site_pages.py::test_search_finds_a_word_of_the_book[http]", "tests/site/test_site_pages.py"),
    ],
)
def test_what_belongs_together_stays_on_one_worker(nodeid, scope):
    assert pytest_plugin.Scheduler._split_scope(None, nodeid) == scope


def test_every_test_starts_from_the_same_draw() -> None:
    pytest_plugin.pytest_runtest_setup()
    first = torch.rand(3)
    pytest_plugin.pytest_runtest_setup()
    assert torch.equal(torch.rand(3), first)
