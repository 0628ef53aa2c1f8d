"""The API pages document every public module of the library, and nothing that is gone."""

import re

import pytest

from bookbuild.chapters import BOOK, ROOT

PARTS = ["theory", "simulation", "data", "methods", "notebook"]
# Reached through the modules that re-export them, or drawing code of single chapters.
INTERNAL = {"theory": {"shrinkage", "finite_size"}, "notebook": {"card", "drawing", "palette", "svg"}}


def documented(part):
    text = (BOOK / "reference" / f"api-{part}.md").read_text(encoding="utf8")
    return set(re.findall(rf"automodule:: mtlbook_lib\.{part}\.(\w+)", text))


def public(part):
    folder = ROOT / "mtlbook_lib" / part
    names = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return {name for name in names if not name.startswith(("_", "plots_"))} - INTERNAL.get(part, set())


@pytest.mark.parametrize("part", PARTS)
def test_every_public_module_is_documented(part):
    assert documented(part) == public(part)


def test_every_part_of_the_library_has_a_page():
    parts = {path.parent.name for path in (ROOT / "mtlbook_lib").glob("*/__init__.py")}
    assert parts == set(PARTS)


def test_docstrings_name_chapters_by_their_titles():
    sources = [path.read_text(encoding="utf8") for path in (ROOT / "mtlbook_lib").rglob("*.py")]
    named = {title for source in sources for title in re.findall('the chapter "([^"]*)"', " ".join(source.split()))}
    chapters = [path.read_text(encoding="utf8") for path in BOOK.glob("part*/*.md")]
    titles = {re.search("^# (.*)$", text, re.MULTILINE).group(1) for text in chapters}
    assert "Learning one mode at a time" in named
    assert named <= titles
