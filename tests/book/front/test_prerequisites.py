"""Which chapter needs which, and courses in which nothing is needed that was not read."""

import re

import pytest

from bookbuild.chapters import BOOK, chapters
from bookbuild.front.prerequisites import WIDTH, arcs, needs

TEXT = (BOOK / "teaching.md").read_text(encoding="utf8")
COURSES = {name: TEXT.split(f"(course-{name})=")[1].split("\n## ")[1] for name in ("six", "twelve")}
SESSION = re.compile(r"^(\d+) · .*\n: (.*)$", re.MULTILINE)
CHAPTER = re.compile(r"\]\((part\d/[\w-]+)\.md\)")


def test_needs_are_chapters_and_what_only_helps_is_told_apart() -> None:
    known = {chapter.name: chapter.path.read_text(encoding="utf8") for chapter in chapters()}
    found = {name: needs(name) for name in known}
    assert {needed for all_ in found.values() for needed in all_} <= set(known)
    assert found["part3/nonlinear-transfer"] == {"part3/when-it-helps": True, "part2/nonlinear": False}
    for name, all_ in found.items():  # what a chapter needs stands before it
        assert [
            needed for needed, wholly in all_.items() if wholly and list(known).index(needed) > list(known).index(name)
        ] == []


def test_an_arc_ends_at_the_middle_of_its_rows_and_stays_in_the_drawing() -> None:
    (arc,) = arcs({"part2/one-mode": 3, "part1/teacher-in-noise": 1})
    assert arc["attributes"]["class"] == "mtl-across"
    x, y, reach, *_, last, end = map(float, re.findall(r"[\d.]+", arc["attributes"]["d"]))
    assert (x, y, last, end) == (WIDTH, 35, WIDTH, 15)
    assert WIDTH / 4 + 3 * reach / 4 >= 0


@pytest.mark.parametrize(("name", "weeks"), [("six", 6), ("twelve", 12)])
def test_a_course_reads_what_it_needs_and_gives_exercises_of_what_was_read(name: str, weeks: int) -> None:
    sessions = SESSION.findall(COURSES[name])
    assert [int(number) for number, _ in sessions] == list(range(1, weeks + 1))
    read: set[str] = set()
    for _, text in sessions:
        read.update(CHAPTER.findall(text))
        assert {needed for chapter in read for needed, wholly in needs(chapter).items() if wholly} <= read
        known = "".join((BOOK / f"{chapter}.md").read_text(encoding="utf8") for chapter in CHAPTER.findall(text))
        exercises = re.findall(r"\{numref\}`(ex-[\w-]+)`", text)
        assert len(exercises) >= 3
        assert [label for label in exercises if f":label: {label}\n" not in known] == []
