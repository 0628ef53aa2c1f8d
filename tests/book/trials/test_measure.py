"""Every time and size that README and CONTRIBUTING state is the one on record, and the record is of this book."""

import json
import platform
import subprocess
import sys

import pytest

from bookbuild.chapters import chapters, registered_claims
from bookbuild.trials import measure

RUN = {
    "seconds": {"install": 80, "book": 400, "again": 1, "quick": 110, "test": 500},
    "stages": {"chapters": 200, "library": 500, "site": 300},
    "tests": 12345,
    "chapter_seconds": [2.0, 10.0],
    "judged": {"paper": 700, "quick": 200},
    "gigabytes": 1.9,
    "processor": "A processor",
    "cores": 2,
    "date": "2026-01-01",
    "failed": 0,
}
RECORD = [RUN]


def test_a_marked_paragraph_is_made_from_the_record_and_the_rest_stays():
    text = "before\n<!-- measured: times -->\nold\nlines\n<!-- end -->\nafter 7 minutes\n"
    made = measure.with_numbers(text, RECORD)
    assert made.startswith("before\n<!-- measured: times -->\nMeasured on 2026-01-01 with 2 cores")
    assert "`make book` after it 7 minutes, `make test` 8 minutes" in made
    assert made.endswith("\n<!-- end -->\nafter 7 minutes\n")
    assert measure.with_numbers(made, RECORD) == made
    assert "12,345 tests" in measure.costs(RECORD)
    assert "judge all 700 claims" in measure.claims(RECORD)
    assert "6 seconds of a processor on average and 10 at most" in measure.costs(RECORD)


def test_several_runs_give_a_range():
    slow = RUN | {"seconds": RUN["seconds"] | {"book": 490, "install": 83}, "stages": RUN["stages"] | {"site": 310}}
    said = measure.times([RUN, slow])
    assert said.startswith("Measured in 2 runs on 2026-01-01")
    assert "`make install` takes 80 to 83 seconds, `make book` after it 7 to 8 minutes, `make test` 8 minutes" in said
    assert "library 500 s, site 300 to 310 s" in measure.costs([RUN, slow])


@pytest.mark.parametrize("path", measure.TEXTS, ids=lambda path: path.name)
def test_the_texts_state_what_is_on_record(path):
    text = path.read_text(encoding="utf8")
    assert measure.MARKED.search(text)
    assert measure.with_numbers(text, measure.read_record()) == text, "run `python -m bookbuild.trials.measure --texts`"


def test_the_record_is_of_a_book_of_this_size():
    again = "the book has grown since its times were measured: run `make measure`"
    for run in measure.read_record():
        assert run["chapters"] == pytest.approx(len(chapters()), rel=0.05), again
        assert run["claims"] == pytest.approx(len(registered_claims()), rel=0.05), again


def test_a_measurement_is_of_a_clone_and_says_what_each_command_took(tmp_path, monkeypatch, capsys):
    told = "library: 12 passed; 34 s, summed over workers\nFAILED tests/x.py::a - no\n= 1 failed, 12 passed in 4 s =\n"
    stored = "import json, pathlib; folder = pathlib.Path('_build/records'); folder.mkdir(parents=True)\n"
    record = "{'cpu_seconds': s, 'claims': [{'judged': s > 2}]}"
    stored += f"[(folder / f'{{s}}.json').write_text(json.dumps({record})) for s in (9, 2)]\n"
    stored += "pathlib.Path('.venv').mkdir(); pathlib.Path('.venv/x').write_bytes(bytes(2 * 10**8))"
    monkeypatch.setattr(measure, "ROOT", repository(tmp_path))
    commands = {"book": [sys.executable, "-c", stored], "test": [sys.executable, "-c", f"print({told!r}); exit(2)"]}
    monkeypatch.setattr(measure, "COMMANDS", commands)
    found = measure.measure()
    assert found["seconds"].keys() == {"book", "test"}
    assert (found["stages"], found["tests"], found["failed"]) == ({"library": 34}, 12, 1)
    assert (found["chapter_seconds"], found["gigabytes"]) == ([2, 9], 0.2)
    assert found["judged"] == {"paper": 1, "quick": 0}
    assert found["processor"] == measure.machine()["processor"]
    assert not (tmp_path / "_build").exists()
    printed = capsys.readouterr().out
    assert printed.count(" s\n") == 2
    assert "FAILED tests/x.py::a - no" in printed


@pytest.mark.parametrize("texts", [True, False])
def test_only_without_texts_is_anything_measured(texts, tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(measure, "TEXTS", [tmp_path / "text.md"])
    (tmp_path / "text.md").write_text("<!-- measured: costs -->\nold\n<!-- end -->\n", encoding="utf8")
    measure.RECORD.write_text(json.dumps(RECORD), encoding="utf8")
    monkeypatch.setattr(measure, "LAST", tmp_path / "new" / "last.json")
    monkeypatch.setattr(measure, "measure", lambda: RUN | {"tests": 99999})
    monkeypatch.setattr(sys, "argv", ["measure", *["--texts"] * texts])
    assert measure.main() == 0
    assert ("12,345 tests" if texts else "99,999 tests") in (tmp_path / "text.md").read_text(encoding="utf8")
    monkeypatch.setattr(sys, "argv", ["measure", "--again"])
    assert measure.main() == 0
    assert len(measure.read_record()) == 2


def test_a_run_with_failed_tests_is_kept_aside(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(measure, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(measure, "LAST", tmp_path / "last.json")
    monkeypatch.setattr(measure, "TEXTS", [])
    monkeypatch.setattr(measure, "measure", lambda: RUN | {"failed": 2})
    monkeypatch.setattr(sys, "argv", ["measure"])
    assert measure.main() == 1
    assert "2 tests failed, so nothing was recorded" in capsys.readouterr().out
    assert not measure.RECORD.exists()
    monkeypatch.setattr(sys, "argv", ["measure", "--keep"])
    assert measure.main() == 0
    assert measure.read_record() == [RUN | {"failed": 2}]


def test_the_processor_is_the_first_that_is_listed(monkeypatch):
    monkeypatch.setattr(measure, "_read", lambda path: "model name\t: One X \nother: 3\nmodel name\t: Two\n")
    assert measure.machine()["processor"] == "One X"
    monkeypatch.setattr(measure, "_read", lambda path: "")
    assert measure.machine()["processor"] == platform.machine()


def repository(folder):
    """A repository with one commit."""
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    (folder / "file").write_text("x", encoding="utf8")
    for command in (["init", "-q"], ["add", "file"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    return folder


def test_a_command_that_fails_leaves_no_record(tmp_path):
    with pytest.raises(SystemExit, match=r"false failed; nothing was recorded"):
        measure.timed(["false"], tmp_path)
    assert json.loads(json.dumps(measure.machine()))["cores"] >= 1
