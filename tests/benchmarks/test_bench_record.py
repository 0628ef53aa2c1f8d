"""The page *How far to trust it* states what is on record, and growth is what its seconds say."""

import json

import pytest

from benchmarks import __main__, growth, record
from benchmarks.growth import Growth
from benchmarks.timing import Row
from bookbuild.trials.measure import MARKED

ROW = Row("a", "b", "item", ours=2e-3, theirs=5e-3, our_error=1e-7, their_error=2e-6)


def test_the_page_states_what_is_on_record():
    text = record.PAGE.read_text(encoding="utf8")
    assert {found[2] for found in MARKED.finditer(text)} == {"where", "routes", "growth"}
    assert record.with_tables(text) == text, "run `python -m benchmarks --record`"


def test_the_record_has_every_benchmark_and_only_explained_rows_below_one():
    kept = json.loads(record.RECORD.read_text(encoding="utf8"))
    runs = [row for row in kept["rows"] if row["unit"] == "open run"]
    assert all(row["ours"] <= 1.2 * row["theirs"] for row in runs)
    slower = {row["what"].split(",")[0] for row in kept["rows"] if row["theirs"] < 0.95 * row["ours"]} - {"run"}
    assert slower <= {"density", "tail_quantile", "spectra", "engine"}, "the page explains these alone"
    assert len(kept["growth"]) == 5
    assert all(len(one["sizes"]) == len(one["seconds"]) >= 3 for one in kept["growth"])


def test_what_is_measured_reaches_record_and_page(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(record, "PAGE", tmp_path / "page.md")
    marks = "".join(f"<!-- measured: {name} -->\nold\n<!-- end -->\n" for name in ("where", "routes", "growth"))
    record.PAGE.write_text(f"before\n{marks}after\n", encoding="utf8")
    record.write([ROW], [Growth("flow", "inputs", [1, 2, 4], [1.0, 3.0, 12.0])], 5e10, 1.23)
    text = record.PAGE.read_text(encoding="utf8")
    assert "| a | b | **2.5** | 2 | 5 | item | 1e-07 | 2e-06 |" in text
    assert "| flow | inputs | 1: 1, 2: 3, 4: 12 | 2.0 |" in text
    assert "50 GFlop/s" in text
    assert "1.2 GB" in text
    assert text.startswith("before")
    assert text.endswith("after\n")


def test_every_growth_runs_and_does_its_work(monkeypatch):
    seen = {}

    def timed(run, items, repeats):
        seen.setdefault(id(run), run())
        return None, 1.0

    monkeypatch.setattr(growth, "timed", timed)
    grown = list(growth.rows(small=True))
    assert [one.axis for one in grown] == ["inputs", "seeds, of 8 networks each", "layers", "settings", "tasks"]
    heads = [len(run.layers) - 1 for run in seen.values() if hasattr(run, "layers") and hasattr(run, "heads")]
    assert heads == sorted(heads)


def test_only_all_of_them_are_recorded(capsys):
    with pytest.raises(SystemExit):
        __main__.main(["--record", "deep"])
    assert "--record takes all of them" in capsys.readouterr().err
