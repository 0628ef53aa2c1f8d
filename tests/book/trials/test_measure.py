"""Every time and size that README and CONTRIBUTING state is the one on record, and the record is of this book."""

import json

import pytest

from bookbuild.chapters import chapters, registered_claims
from bookbuild.trials import measure

RECORD = {
    "seconds": {"install": 80, "book": 400, "again": 1, "quick": 110, "test": 500},
    "stages": {"chapters": 200, "library": 500, "site": 300},
    "tests": 12345,
    "chapter_seconds": [2.0, 10.0],
    "gigabytes": 1.9,
    "processor": "A processor",
    "cores": 2,
    "date": "2026-01-01",
}


def test_a_marked_paragraph_is_made_from_the_record_and_the_rest_stays():
    text = "before\n<!-- measured: times -->\nold\nlines\n<!-- end -->\nafter 7 minutes\n"
    made = measure.with_numbers(text, RECORD)
    assert made.startswith("before\n<!-- measured: times -->\nMeasured on 2026-01-01")
    assert "`make book` after it 7 minutes, `make test` 8 minutes" in made
    assert made.endswith("\n<!-- end -->\nafter 7 minutes\n")
    assert measure.with_numbers(made, RECORD) == made
    assert "12,345 tests" in measure.costs(RECORD)
    assert "6 seconds of a processor on average and 10 at most" in measure.costs(RECORD)


@pytest.mark.parametrize("path", measure.TEXTS, ids=lambda path: path.name)
def test_the_texts_state_what_is_on_record(path):
    text = path.read_text(encoding="utf8")
    assert measure.MARKED.search(text)
    assert measure.with_numbers(text, measure.read_record()) == text, "run `python -m bookbuild.trials.measure --texts`"


def test_the_record_is_of_a_book_of_this_size():
    record = measure.read_record()
    again = "the book has grown since its times were measured: run `make measure`"
    assert record["chapters"] == pytest.approx(len(chapters()), rel=0.05), again
    assert record["claims"] == pytest.approx(len(registered_claims()), rel=0.05), again


def test_a_command_that_fails_leaves_no_record(tmp_path):
    with pytest.raises(SystemExit, match=r"false failed; nothing was recorded"):
        measure.timed(["false"], tmp_path)
    assert json.loads(json.dumps(measure.machine()))["cores"] >= 1
