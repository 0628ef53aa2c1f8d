"""The register, the chapters and the references speak of the same things."""

import ast

import pytest
import yaml

from bookbuild.chapters import BOOK, chapters
from bookbuild.references import FOLDER, keyed_cells, load, reference_path

BOOK_CHAPTERS = chapters()
REGISTER = yaml.safe_load((BOOK / "claims.yml").read_text(encoding="utf8")) or []


def checked_ids(code):
    """The ids that the cells of a chapter check, as literals."""
    calls = [node for cell in code for node in ast.walk(ast.parse(cell)) if isinstance(node, ast.Call)]
    checks = [call for call in calls if ast.unparse(call.func) == "claims.check"]
    return [ast.literal_eval(call.args[0]) for call in checks]


@pytest.mark.parametrize("chapter", BOOK_CHAPTERS, ids=lambda chapter: chapter.name)
def test_chapter_checks_exactly_its_registered_claims(chapter):
    registered = [entry["id"] for entry in REGISTER if entry["chapter"] == chapter.name]
    unchecked = [entry["id"] for entry in REGISTER if entry["verdict"] == "not checked"]
    assert sorted(checked_ids(chapter.code())) == sorted(set(registered) - set(unchecked))


def test_every_claim_names_a_chapter_of_the_book():
    assert {entry["chapter"] for entry in REGISTER} <= {chapter.name for chapter in BOOK_CHAPTERS}


@pytest.mark.parametrize("chapter", BOOK_CHAPTERS, ids=lambda chapter: chapter.name)
def test_references_belong_to_cells_of_the_chapter(chapter):
    keys = {key for key, _ in keyed_cells(chapter.notebook().cells)}
    assert set(load(chapter.name)) <= keys, "cells changed: look at them, then `make references`"


def test_no_reference_without_a_chapter():
    assert set(FOLDER.glob("*.json")) <= {reference_path(chapter.name) for chapter in BOOK_CHAPTERS}


@pytest.mark.parametrize("chapter", BOOK_CHAPTERS, ids=lambda chapter: chapter.name)
def test_chapter_has_three_exercises_with_solutions(chapter):
    text = chapter.path.read_text(encoding="utf8")
    assert text.count("{exercise}") >= 3
    assert text.count("{exercise}") == text.count("{solution-start}") == text.count("{solution-end}")
