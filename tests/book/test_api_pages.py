"""The API pages document every public module of the library, and nothing that is gone."""

import importlib
import inspect
import re
from dataclasses import dataclass, field

import pytest

from bookbuild.chapters import BOOK, ROOT
from bookbuild.pages import returns

PARTS = ["theory", "simulation", "data", "methods", "chapters", "notebook"]
# Drawing code of cards and pictures; the modules of single chapters are described where they are used.
INTERNAL = {"notebook": {"card", "svg"}, "chapters": {"keys", "workers", "classifier_settings", "sparse_settings"}}


def documented(part):
    text = "".join(path.read_text(encoding="utf8") for path in sorted((BOOK / "reference").glob(f"api-{part}*.md")))
    return set(re.findall(rf"automodule:: mtlbook_lib\.{part}\.([\w.]+)", text))


def public(folder, name=""):
    """Public modules: a package that lists its names counts as one, a folder of public modules as those."""
    found = set()
    for path in folder.iterdir():
        if path.name.startswith(("_", "part")):
            continue
        if path.suffix == ".py":
            found.add(name + path.stem)
        elif (path / "__init__.py").exists():
            closed = "__all__" in (path / "__init__.py").read_text(encoding="utf8")
            found |= {name + path.name} if closed else public(path, f"{name}{path.name}.")
    return found


@pytest.mark.parametrize("part", PARTS)
def test_every_public_module_is_documented(part):
    found = {name for name in documented(part) if not name.startswith("part")}
    assert found == public(ROOT / "mtlbook_lib" / part) - INTERNAL.get(part, set())


def test_every_part_of_the_library_has_a_page():
    parts = {path.parent.name for path in (ROOT / "mtlbook_lib").glob("*/__init__.py")}
    assert parts == {*PARTS, "forecast", "command_line"}  # the last is called from a shell
    page = (BOOK / "reference" / "api-forecast.md").read_text(encoding="utf8")  # the part is one package
    assert "automodule:: mtlbook_lib.forecast\n" in page
    assert (BOOK / "reference" / "api-statistics.md").exists()


def test_every_chapter_lies_in_three_places_of_one_name():
    names = {path.relative_to(BOOK).with_suffix("").as_posix().replace("-", "_") for path in BOOK.glob("part*/*.md")}
    names = {name for name in names if not name.endswith(("/explorer", "/paper"))}  # pages without code
    for tree in (ROOT / "mtlbook_lib" / "chapters", ROOT / "tests" / "chapters"):
        found = {path.relative_to(tree).as_posix() for path in tree.glob("part*/*") if path.is_dir()}
        assert {name for name in found if "__pycache__" not in name} == names


def test_forty_functions_are_on_one_page_and_exist():
    page = (BOOK / "reference" / "functions.md").read_text(encoding="utf8")
    names = re.findall(r"^\|.*\{py:(?:func|class)\}`([\w.]+)` \|$", page, re.MULTILINE)
    assert len(names) == len(set(names)) == 40
    for name in names:
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function))


def test_docstrings_name_chapters_by_their_titles():
    sources = [path.read_text(encoding="utf8") for path in (ROOT / "mtlbook_lib").rglob("*.py")]
    named = {title for source in sources for title in re.findall('the chapter "([^"]*)"', " ".join(source.split()))}
    chapters = [path.read_text(encoding="utf8") for path in BOOK.glob("part*/*.md")]
    titles = {re.search("^# (.*)$", text, re.MULTILINE).group(1) for text in chapters}
    assert "Learning one mode at a time" in named
    assert named <= titles


def test_a_signature_shows_what_a_factory_makes():
    @dataclass
    class Given:
        size: int
        bounds: dict[str, float] = field(default_factory=dict)
        pair: list[int] = field(default_factory=lambda: [1, 2])

    signature = str(inspect.signature(Given)).partition(" -> ")[0]
    assert signature.count("<factory>") == 2
    shown, returned = returns.show_default(
        None, "class", "Given", Given, None, "(size, bounds=<factory>, pair=<factory>)", "None"
    )
    assert (shown, returned) == ("(size, bounds={}, pair=[1, 2])", "None")
    assert returns.show_default(None, "function", "f", len, None, "(obj)", None) == ("(obj)", None)
