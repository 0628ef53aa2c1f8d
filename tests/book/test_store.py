"""What is stored of an executed chapter, and when it still holds: all without a kernel."""

import json

import pytest
from jupyter_cache import get_cache
from nbformat.v4 import new_output

from bookbuild import execute, keys
from bookbuild.chapters import as_chapter
from bookbuild.execute import CLAIM_MIME, ChapterError, Execution, check_coverage, is_fresh, read_record, store

PAGE = """---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  name: python3
---
# A page

```{code-cell} ipython3
print("a" + "b")
```
"""
REGISTER = [
    {"id": "first", "chapter": "page", "verdict": "holds"},
    {"id": "second", "chapter": "page", "verdict": "fails"},
    {"id": "unchecked", "chapter": "page", "verdict": "not checked"},
    {"id": "foreign", "chapter": "other", "verdict": "holds"},
]
COMPLETE = [{"id": "second", "verdict": "fails"}, {"id": "first", "verdict": "holds"}]


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter with its own cache, records, and register."""
    monkeypatch.setattr(execute, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(execute, "RECORDS", tmp_path / "records")
    monkeypatch.setattr(keys, "registered_claims", lambda root: REGISTER)
    monkeypatch.setenv("MTLBOOK_DEVICE", "cpu")
    monkeypatch.setenv("MTLBOOK_PROFILE", "paper")
    (tmp_path / "book").mkdir()
    path = tmp_path / "book" / "page.md"
    path.write_text(PAGE)
    return as_chapter(path, tmp_path)


def execution(chapter, claims=COMPLETE):
    """What running the chapter would give, when it publishes these claims."""
    notebook = chapter.notebook()
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    cell.outputs = [new_output("stream", text="ab\n")]
    cell.outputs += [new_output("display_data", data={CLAIM_MIME: claim}) for claim in claims]
    return Execution(notebook, 2.34, keys.chapter_key(chapter), n_read=1, entries=["a", "b"])


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (["first"], r"registered but not checked \['second'\]"),
        (["first", "second", "foreign"], r"not registered for this chapter \['foreign'\]"),
        (["first", "second", "unknown"], r"not registered for this chapter \['unknown'\]"),
        (["first", "second", "unchecked"], r"not registered for this chapter \['unchecked'\]"),
        (["first", "second", "first"], r"checked twice \['first'\]"),
    ],
)
def test_checks_that_do_not_cover_the_claims_fail_the_chapter(chapter, found, message):
    with pytest.raises(ChapterError, match=f"page: claims and checks differ.*{message}"):
        check_coverage("page", [{"id": name} for name in found])


def test_each_claim_checked_once_is_right(chapter):
    check_coverage("page", COMPLETE)
    check_coverage("a page without claims", [])


def test_a_stored_chapter_is_fresh_and_its_outputs_are_in_the_cache(chapter):
    assert not is_fresh(chapter)
    store(chapter, execution(chapter))
    assert is_fresh(chapter)
    _, notebook = get_cache(str(execute.CACHE)).merge_match_into_notebook(chapter.notebook())
    assert [cell.outputs[0]["text"] for cell in notebook.cells if cell.cell_type == "code"] == ["ab\n"]


def test_the_record_says_what_was_found_and_where(chapter):
    store(chapter, execution(chapter))
    record = read_record("page")
    assert record["key"] == keys.chapter_key(chapter)
    assert (record["seconds"], record["claims"]) == (2.3, COMPLETE)
    assert (record["profile"], record["device"]) == ("paper", "CPU")
    assert {"python", "numpy", "torch"} <= record["versions"].keys()
    assert (record["results"], record["results_read"]) == (["a", "b"], 1)
    assert [path.name for path in execute.RECORDS.iterdir()] == ["page.json"]


def test_a_later_execution_replaces_the_stored_one(chapter):
    store(chapter, execution(chapter))
    again = execution(chapter)
    next(cell for cell in again.notebook.cells if cell.cell_type == "code").outputs[0]["text"] = "new\n"
    store(chapter, again)
    _, notebook = get_cache(str(execute.CACHE)).merge_match_into_notebook(chapter.notebook())
    assert [cell.outputs[0]["text"] for cell in notebook.cells if cell.cell_type == "code"] == ["new\n"]


def test_nothing_is_stored_of_a_chapter_whose_checks_are_incomplete(chapter):
    with pytest.raises(ChapterError, match="claims and checks differ"):
        store(chapter, execution(chapter, COMPLETE[:1]))
    assert read_record("page") is None
    assert not is_fresh(chapter)


def test_nothing_is_stored_of_a_chapter_that_changed_while_it_ran(chapter):
    done = execution(chapter)
    chapter.path.write_text(PAGE.replace('"b"', '"c"'))
    with pytest.raises(ChapterError, match="changed while it ran"):
        store(chapter, done)
    assert read_record("page") is None


def test_a_changed_chapter_is_not_fresh(chapter):
    store(chapter, execution(chapter))
    chapter.path.write_text(PAGE.replace('"b"', '"c"'))
    assert not is_fresh(chapter)


@pytest.mark.parametrize(("name", "value"), [("MTLBOOK_PROFILE", "quick"), ("MTLBOOK_DTYPE", "float32")])
def test_another_profile_or_precision_is_never_served_from_the_cache(chapter, monkeypatch, name, value):
    store(chapter, execution(chapter))
    monkeypatch.setenv(name, value)
    assert not is_fresh(chapter)
    monkeypatch.delenv(name)
    assert is_fresh(chapter)


def test_a_record_of_another_key_does_not_count(chapter):
    store(chapter, execution(chapter))
    execute.write_record("page", read_record("page") | {"key": "another"})
    assert not is_fresh(chapter)


def test_a_record_without_outputs_in_the_cache_does_not_count(chapter, monkeypatch, tmp_path):
    store(chapter, execution(chapter))
    monkeypatch.setattr(execute, "CACHE", tmp_path / "an empty cache")
    assert not is_fresh(chapter)
