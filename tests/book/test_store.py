"""What is stored of an executed chapter, and when it still holds: all without a kernel."""

import json
import sqlite3
from contextlib import closing, nullcontext

import pytest
from jupyter_cache import get_cache
from nbformat.v4 import new_output

from bookbuild import execute, expected, keys
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


def test_a_stored_chapter_is_fresh_and_its_last_outputs_are_in_the_cache(chapter):
    assert not is_fresh(chapter)
    store(chapter, execution(chapter))
    assert is_fresh(chapter)
    _, notebook = get_cache(str(execute.CACHE)).merge_match_into_notebook(chapter.notebook())
    assert [cell.outputs[0]["text"] for cell in notebook.cells if cell.cell_type == "code"] == ["ab\n"]
    again = execution(chapter)
    next(cell for cell in again.notebook.cells if cell.cell_type == "code").outputs[0]["text"] = "new\n"
    store(chapter, again)
    _, notebook = get_cache(str(execute.CACHE)).merge_match_into_notebook(chapter.notebook())
    assert [cell.outputs[0]["text"] for cell in notebook.cells if cell.cell_type == "code"] == ["new\n"]


def test_the_record_says_what_was_found_and_where(chapter):
    store(chapter, execution(chapter))
    record = read_record("page")
    assert record["key"] == keys.chapter_key(chapter)
    assert (record["seconds"], record["claims"]) == (2.3, COMPLETE)
    assert (record["profile"], record["device"]) == ("paper", "CPU")
    assert {"python", "numpy", "torch"} <= record["versions"].keys()
    assert (record["results"], record["results_read"]) == (["a", "b"], 1)
    assert [path.name for path in execute.RECORDS.iterdir()] == ["page.json"]


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


@pytest.mark.parametrize(("name", "value"), [("MTLBOOK_PROFILE", "quick"), ("MTLBOOK_DTYPE", "float32")])
def test_another_profile_or_precision_is_never_served_from_the_cache(chapter, monkeypatch, name, value):
    store(chapter, execution(chapter))
    monkeypatch.setenv(name, value)
    assert not is_fresh(chapter)
    monkeypatch.delenv(name)
    assert is_fresh(chapter)


@pytest.mark.parametrize(
    "change",
    [
        lambda chapter, patch: chapter.path.write_text(PAGE.replace('"b"', '"c"')),
        lambda chapter, patch: execute.write_record("page", read_record("page") | {"key": "another"}),
        lambda chapter, patch: patch.setattr(execute, "CACHE", chapter.path.parent / "an empty cache"),
    ],
)
def test_a_changed_chapter_and_a_record_of_another_key_or_without_outputs_are_not_fresh(chapter, monkeypatch, change):
    store(chapter, execution(chapter))
    change(chapter, monkeypatch)
    assert not is_fresh(chapter)


def cached(chapter):
    """The file that the cache holds of the chapter."""
    (path,) = execute.CACHE.glob("executed/*/base.ipynb")
    return path


def recorded(chapter):
    return execute.record_path("page")


def made(path_of, change):
    """What writes a changed content to a file of the chapter."""
    return lambda chapter: path_of(chapter).write_bytes(change(path_of(chapter).read_bytes()))


def record(content):
    return made(recorded, lambda before: content)


def made_up_record(chapter):
    made = {"key": keys.chapter_key(chapter), "seconds": 1.0, "claims": COMPLETE, "misses": []}
    execute.record_path("page").write_text(json.dumps(made))


def folder_for(path):
    path.unlink()
    path.mkdir()


RECORD, GONE, CHANGED = "its record is damaged", "its outputs are gone", "its outputs in the cache were changed"
DAMAGES = {
    "the outputs were edited": (made(cached, lambda content: content.replace(b"ab", b"xy")), CHANGED),
    "the outputs were cut": (made(cached, lambda content: content[:100]), CHANGED),
    "the outputs are empty": (lambda chapter: cached(chapter).write_bytes(b""), CHANGED),
    "the outputs were deleted": (lambda chapter: cached(chapter).unlink(), GONE),
    "their folder was deleted": (lambda chapter: execute.kept.remove(cached(chapter).parent), GONE),
    "the record was edited": (made(recorded, lambda content: content.replace(b'"holds"', b'"fails"')), RECORD),
    "the record was cut": (made(recorded, lambda content: content[:100]), RECORD),
    "the record was made up": (made_up_record, RECORD),
    "the record is empty": (record(b""), RECORD),
    "the record is no text": (record(b"\xff\xfe\x00"), RECORD),
    "the record is null": (record(b"null"), RECORD),
    "the record is a list": (record(b"[1, 2]"), RECORD),
    "the record is an empty object": (record(b"{}"), RECORD),
    "the record is nested without end": (record(b"[" * 100_000), RECORD),
    "the record is a folder": (lambda chapter: folder_for(recorded(chapter)), RECORD),
}


@pytest.fixture
def build(chapter, monkeypatch):
    """The build's first step with this chapter alone and without kernels; its status."""
    monkeypatch.setattr(execute, "chapters", lambda: [chapter])
    monkeypatch.setattr(execute, "warm", lambda environment: nullcontext())
    monkeypatch.setattr(execute, "run", lambda chapter, *rest: execution(chapter))
    monkeypatch.setattr(expected, "load", lambda *rest: {})
    return execute.main


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_was_done_to_outputs_or_record_is_said_and_healed(chapter, build, capsys, damage):
    spoil, told = DAMAGES[damage]
    assert build() == 0
    spoil(chapter)
    assert not is_fresh(chapter)
    capsys.readouterr()
    assert build() == 0
    said = capsys.readouterr().out
    assert f"DAMAGED: page: {told}" in said
    assert "1 to execute" in said
    assert is_fresh(chapter)
    assert build() == 0
    said = capsys.readouterr().out
    assert "DAMAGED" not in said
    assert "0 to execute" in said


def index(content):
    return lambda path: path.write_bytes(content(path.read_bytes()))


def without_table(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE settings")
        database.commit()


INDEXES = {
    "cut": index(lambda content: content[: len(content) // 2]),
    "empty": index(lambda content: b""),
    "something else": index(lambda content: b"not a database at all" * 1000),
    "spoiled inside": index(lambda content: content[:4096] + b"\x07" * (len(content) - 4096)),
    "without a table": without_table,
    "a folder": folder_for,
}


@pytest.mark.parametrize("damage", INDEXES)
def test_a_damaged_index_of_the_cache_is_said_and_made_again(chapter, build, capsys, damage):
    assert build() == 0
    INDEXES[damage](execute.CACHE / "global.db")
    capsys.readouterr()
    assert build() == 0
    assert "DAMAGED: the index of the outputs" in capsys.readouterr().out
    assert is_fresh(chapter)
    assert build() == 0
    assert "DAMAGED" not in capsys.readouterr().out


def test_a_sound_cache_is_left_alone(chapter, build, capsys):
    execute.heal_cache()
    assert build() == 0
    before = cached(chapter).stat().st_ino
    execute.heal_cache()
    assert cached(chapter).stat().st_ino == before
    assert "DAMAGED" not in capsys.readouterr().out


def test_a_module_that_is_no_python_fails_its_chapters_alone(chapter, build, monkeypatch, capsys):
    def failing(*rest):
        raise SyntaxError("invalid syntax")

    monkeypatch.setattr(execute, "chapter_key", failing)
    monkeypatch.setattr(execute, "run", failing)
    assert build() == 1
    assert "FAILED page: SyntaxError: invalid syntax" in capsys.readouterr().err


@pytest.mark.parametrize("field", [{"verdict": "fails"}, {"tolerance": 0.5}, {"kind": "at-most"}])
def test_claims_that_another_register_judged_are_not_stored(chapter, field):
    with pytest.raises(ChapterError, match=r"\['first'\] were judged by another register"):
        store(chapter, execution(chapter, [COMPLETE[0], COMPLETE[1] | field]))
    assert read_record("page") is None
