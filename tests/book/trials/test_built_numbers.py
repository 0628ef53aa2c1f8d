"""What `make book` printed at the paper's sizes agrees with the references: no chapter runs for it a second time.

The chapters themselves run again in `make test`, cell by cell, at the quick sizes; `make test-paper` runs them in full.
"""

import os
import subprocess
import sys
from functools import cache

import pytest
import torch

from bookbuild.chapters import ROOT, chapters
from bookbuild.execute import found_claims, read_record, state
from bookbuild.expected import comparable, load, misses
from bookbuild.notebooks import executed

BOOK = chapters()
state_of = cache(state)  # two tests ask it of each chapter


@pytest.mark.parametrize("chapter", BOOK, ids=lambda chapter: chapter.name)
def test_outputs_and_record_are_what_the_build_wrote(chapter):
    """What was edited by hand is no reason to skip the test below; nor may a record say what no check published."""
    fresh, damage = state_of(chapter)
    assert damage == ""
    if fresh:
        assert read_record(chapter.name)["claims"] == found_claims(executed(chapter))


@pytest.mark.parametrize("chapter", BOOK, ids=lambda chapter: chapter.name)
def test_the_build_printed_what_the_reference_says(chapter):
    if not comparable() or not state_of(chapter)[0]:
        pytest.skip("needs the outputs of `make book` at the paper's sizes, on a CPU in double precision")
    assert misses(chapter.name, executed(chapter)) == []
    assert read_record(chapter.name)["misses"] == []


def test_the_tests_look_for_the_outputs_of_the_same_device():
    """Set to what it is anyway, the device would be another key, and the test above would always be skipped."""
    if torch.cuda.is_available():
        pytest.skip("with a GPU the tests use the CPU all the same")
    plain = {name: value for name, value in os.environ.items() if name != "MTLBOOK_DEVICE"}
    said = "import os, conftest; print(os.environ.get('MTLBOOK_DEVICE'))"
    run = subprocess.run([sys.executable, "-c", said], cwd=ROOT, env=plain, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["None"]


def test_every_chapter_has_a_reference():
    assert [chapter.name for chapter in BOOK if not load(chapter.name)] == []


def test_references_hold_the_cases_of_every_claim():
    outputs = [out for chapter in BOOK for cell in load(chapter.name).values() for out in cell]
    texts_alone = [out.text for out in outputs if out.claim is None and ": holds" in out.text[:60]]
    assert texts_alone == []
