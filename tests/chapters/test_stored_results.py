"""What a script writes beside itself, and what is refused when it is read again."""

import json
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest

from mtlbook_lib.chapters import stored_results
from mtlbook_lib.chapters.sweep import CorruptResult


def test_a_script_writes_beside_itself_what_it_ran_with(tmp_path):
    folders = []

    def run(folder):
        folders.append(folder)
        return {"losses": [[1.0, 2.0], [3.0, 4.0]]}

    (tmp_path / "part4").mkdir()
    stored_results.make(tmp_path / "part4/some_name.py", run, ("numpy",), "a device")
    written = (tmp_path / "part4/some-name.json").read_text(encoding="utf8")
    found = json.loads(written)
    assert list(found) == ["command", "date", "versions", "device", "losses"]
    assert found["command"] == "python results/part4/some_name.py"
    assert date.fromisoformat(found["date"]) <= date.today()
    assert found["versions"]["numpy"] == version("numpy")
    assert found["device"] == "a device"
    assert "[1.0,2.0],\n[3.0,4.0]" in written
    assert folders == [Path("_build/results/part4/some-name")]


@pytest.mark.parametrize("content", ["{", "[1]", '{"other": 1}'], ids=["cut", "no object", "other name"])
def test_a_file_that_does_not_fit_is_named(tmp_path, monkeypatch, content):
    path = tmp_path / "kept.json"
    path.write_text(content)
    monkeypatch.setattr(stored_results, "book_file", lambda _: path)
    with pytest.raises(CorruptResult, match=r"kept\.json is corrupt"), stored_results.reading("kept.json") as found:
        found["losses"]


def test_numbers_keep_significant_digits_in_the_shape_they_have():
    assert stored_results.significant([[123456.0, -0.00123456], [1.0, 0.0]]) == [[123460.0, -0.0012346], [1.0, 0.0]]
    assert stored_results.significant(2.0 / 3, 3) == 0.667
