"""What is committed beside a chapter: how it is written, and what is refused when it is read again."""

import json
from datetime import date
from importlib.metadata import version

import pytest

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.sizes import load_all
from mtlbook_lib.chapters.sweep import CorruptResult
from mtlbook_lib.simulation import engine


def test_a_result_is_written_beside_its_chapter_with_what_it_ran_with(tmp_path, monkeypatch):
    folders = []

    def run(folder):
        folders.append(folder)
        return {"losses": [[1.0, 2.0], [3.0, 4.0]]}

    monkeypatch.setattr(stored_results, "CHAPTERS", tmp_path)
    (tmp_path / "part4" / "chapter").mkdir(parents=True)
    entry = stored_results.Committed("part4/chapter/some-name.json", run, 1)
    stored_results.make(entry)
    written = (tmp_path / "part4/chapter/some-name.json").read_text(encoding="utf8")
    found = json.loads(written)
    assert list(found) == ["command", "date", "versions", "device", "losses"]
    assert found["command"] == "python -m mtlbook_lib results part4/some-name --force"
    assert date.fromisoformat(found["date"]) <= date.today()
    assert found["versions"]["numpy"] == version("numpy")
    assert found["device"] == str(engine.device())
    assert "[1.0,2.0],\n[3.0,4.0]" in written
    assert folders == [stored_results.PARTS / "part4/some-name"]


def test_every_file_beside_a_chapter_has_what_computes_it():
    load_all()
    files = {entry.path for entry in stored_results.COMMITTED.values()}
    assert files == set(CHAPTERS.glob("part*/*/*.json"))


@pytest.mark.parametrize("content", ["{", "[1]", '{"other": 1}'], ids=["cut", "no object", "other name"])
def test_a_file_that_does_not_fit_is_named(tmp_path, monkeypatch, content):
    path = tmp_path / "kept.json"
    path.write_text(content)
    monkeypatch.setattr(stored_results, "chapter_file", lambda _: path)
    with pytest.raises(CorruptResult, match=r"kept\.json is corrupt"), stored_results.reading("kept.json") as found:
        found["losses"]


def test_numbers_keep_significant_digits_in_the_shape_they_have():
    assert stored_results.significant([[123456.0, -0.00123456], [1.0, 0.0]]) == [[123460.0, -0.0012346], [1.0, 0.0]]
    assert stored_results.significant(2.0 / 3, 3) == 0.667
