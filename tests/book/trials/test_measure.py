"""The texts state what is on record, which one command measures in a clone."""

import subprocess
import sys

import pytest

from bookbuild.trials import measure

RUN = {
    "seconds": {"install": 80, "book": 400, "again": 45},
    "tests": 12345,
    "chapter_seconds": [2.0, 10.0],
    "judged": {"paper": 700, "quick": 200},
    "gigabytes": 1.9,
    "processor": "A processor",
    "cores": 2,
    "date": "2026-01-01",
}


def test_a_marked_paragraph_is_made_from_the_record_and_the_rest_stays():
    text = "before\n<!-- measured: times -->\nold\nlines\n<!-- end -->\nafter 7 minutes\n"
    made = measure.with_numbers(text, RUN)
    assert made.startswith("before\n<!-- measured: times -->\n| `make install` | `make book` | `make book once more`")
    assert "\n| 80 seconds | 7 minutes | 45 seconds |\n\nMeasured on 2026-01-01 with 2 cores" in made
    assert "judge all 700 claims; at the small size" in made
    assert made.endswith("\n<!-- end -->\nafter 7 minutes\n")
    assert measure.with_numbers(made, RUN) == made
    assert "12,345 tests" in measure.costs(RUN)
    assert "6 seconds of a processor on average and 10 at most" in measure.costs(RUN)


@pytest.mark.parametrize("path", measure.TEXTS, ids=lambda path: path.name)
def test_the_texts_state_what_is_on_record(path):
    text = path.read_text(encoding="utf8")
    assert measure.MARKED.search(text)
    assert measure.with_numbers(text, measure.read_record()) == text, "edit no measured paragraph: run `make measure`"


def test_a_measurement_is_of_a_clone(tmp_path, monkeypatch):
    record = "{'cpu_seconds': s, 'claims': [{'judged': s > 2}]}"
    stored = "import json, pathlib; folder = pathlib.Path('_build/records'); folder.mkdir(parents=True)\n"
    stored += f"[(folder / f'{{s}}.json').write_text(json.dumps({record})) for s in (9, 2)]\n"
    stored += "pathlib.Path('.venv').mkdir(); pathlib.Path('.venv/x').write_bytes(bytes(2 * 10**8))"
    commands = {"book": [sys.executable, "-c", stored], "test": [sys.executable, "-c", "print('= 12 passed in 4 s =')"]}
    monkeypatch.setattr(measure, "ROOT", repository(tmp_path))
    monkeypatch.setattr(measure, "COMMANDS", commands)
    found = measure.measure()
    assert found["seconds"].keys() == {"book", "test"}
    assert (found["tests"], found["chapter_seconds"], found["gigabytes"]) == (12, [2, 9], 0.2)
    assert found["judged"] == {"paper": 1, "quick": 0}
    assert not (tmp_path / "_build").exists()


def test_a_command_that_fails_leaves_no_record(tmp_path):
    with pytest.raises(SystemExit, match=r"false failed; nothing was recorded"):
        measure.timed(["false"], tmp_path)


def repository(folder):
    """A repository with one commit."""
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    (folder / "file").write_text("x", encoding="utf8")
    for command in (["init", "-q"], ["add", "file"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    return folder
