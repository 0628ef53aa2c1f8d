"""What is stored of an executed chapter, and when it still holds: all without a kernel."""

import pytest
from jupyter_cache import get_cache
from nbformat.v4 import new_output

from bookbuild import execute, keys, reference_outputs
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
    return Execution(notebook, keys.chapter_key(chapter), 2.34)


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
    assert [path.name for path in execute.RECORDS.iterdir()] == ["page.json"]


def test_nothing_is_stored_of_a_chapter_whose_checks_are_incomplete(chapter):
    with pytest.raises(ChapterError, match="claims and checks differ"):
        store(chapter, execution(chapter, COMPLETE[:1]))
    assert read_record("page") is None
    assert not is_fresh(chapter)


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
        lambda chapter, patch: patch.setattr(keys, "versions", lambda: {"numpy": "another"}),
        lambda chapter, patch: patch.setattr(execute, "CACHE", chapter.path.parent / "an empty cache"),
    ],
)
def test_a_changed_chapter_and_one_of_another_key_or_without_outputs_are_not_fresh(chapter, monkeypatch, change):
    store(chapter, execution(chapter))
    change(chapter, monkeypatch)
    assert not is_fresh(chapter)


@pytest.fixture
def build(chapter, monkeypatch):
    """The build's first step with this chapter alone and without kernels; its status."""
    monkeypatch.setattr(execute, "chapters", lambda: [chapter])
    monkeypatch.setattr(execute, "use_forks", lambda: None)
    monkeypatch.setattr(execute, "run", execution)
    monkeypatch.setattr(reference_outputs, "load", lambda *rest: {})
    return execute.main


DAMAGES = {
    "outputs": {"cut": lambda text: text[:100], "empty": lambda text: b""},
    "record": {"cut": lambda text: text[:100], "empty": lambda text: b"", "gone": None},
}


@pytest.mark.parametrize(("file", "damage"), [(file, damage) for file in DAMAGES for damage in DAMAGES[file]])
def test_a_chapter_whose_outputs_or_record_are_damaged_is_executed_again(chapter, build, capsys, file, damage):
    assert build() == 0
    (outputs,) = execute.CACHE.glob("executed/*/base.ipynb")
    path = outputs if file == "outputs" else execute.record_path("page")
    spoil = DAMAGES[file][damage]
    path.write_bytes(spoil(path.read_bytes())) if spoil else path.unlink()
    assert not is_fresh(chapter)
    assert build() == 0
    assert "1 to execute" in capsys.readouterr().out
    assert is_fresh(chapter)


def test_a_build_that_cannot_read_its_cache_says_what_to_do(chapter, build, capsys):
    assert build() == 0
    (execute.CACHE / "global.db").write_bytes(b"not a database at all" * 1000)
    assert build() == 1
    assert "cannot be read (DatabaseError" in (said := capsys.readouterr().err)
    assert "`make clean`, and build again" in said


def test_a_module_that_is_no_python_fails_its_chapters_alone(chapter, build, monkeypatch, capsys):
    def failing(*rest):
        raise SyntaxError("invalid syntax")

    monkeypatch.setattr(execute, "chapter_key", failing)
    monkeypatch.setattr(execute, "run", failing)
    assert build() == 1
    assert "SyntaxError: invalid syntax" in capsys.readouterr().err


@pytest.mark.parametrize("field", [{"verdict": "fails"}, {"tolerance": 0.5}, {"kind": "at-most"}])
def test_claims_that_another_register_judged_are_not_stored(chapter, field):
    with pytest.raises(ChapterError, match=r"\['first'\] were judged by another register"):
        store(chapter, execution(chapter, [COMPLETE[0], COMPLETE[1] | field]))
    assert read_record("page") is None
