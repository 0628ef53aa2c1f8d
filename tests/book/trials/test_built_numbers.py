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
from bookbuild.execute import found_claims, is_fresh, outputs, read_record
from bookbuild.reference_outputs import comparable, load, misses

BOOK = chapters()
fresh = cache(is_fresh)  # two tests ask it of each chapter


@pytest.mark.parametrize("chapter", BOOK, ids=lambda chapter: chapter.name)
def test_a_record_says_what_the_checks_of_its_chapter_published(chapter):
    if fresh(chapter):
        assert read_record(chapter.name)["claims"] == found_claims(outputs(chapter))


@pytest.mark.parametrize("chapter", BOOK, ids=lambda chapter: chapter.name)
def test_the_build_printed_what_the_reference_says(chapter):
    if not comparable() or not fresh(chapter):
        pytest.skip("needs the outputs of `make book` at the paper's sizes, on a CPU in double precision")
    assert misses(chapter.name, outputs(chapter)) == []


def test_the_tests_look_for_the_outputs_of_the_same_device():
    """Set to what it is anyway, the device would be another key, and the test above would always be skipped."""
    if torch.cuda.is_available():
        pytest.skip("with a GPU the tests use the CPU all the same")
    plain = {name: value for name, value in os.environ.items() if name != "MTLBOOK_DEVICE"}
    said = "import os, conftest; print(os.environ.get('MTLBOOK_DEVICE'))"
    run = subprocess.run([sys.executable, "-c", said], cwd=ROOT, env=plain, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["None"]


def test_references_hold_the_cases_of_every_claim():
    outputs = [out for chapter in BOOK for cell in load(chapter.name).values() for out in cell]
    texts_alone = [out.text for out in outputs if out.claim is None and ": holds" in out.text[:60]]
    assert texts_alone == []
