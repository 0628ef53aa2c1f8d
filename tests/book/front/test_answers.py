"""The number that a page takes for right is what the solution of the exercise says, or prints."""

import re

import pytest

from bookbuild.chapters import Chapter, chapters
from bookbuild.pages.answer import GRADES
from bookbuild.reference_outputs import keyed_cells, load

EXERCISE = re.compile(r"^(?P<fence>:::+|```+)\{exercise\}[^\n]*\n(?P<body>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE)
ANSWER = re.compile(r"\{answer\} [^\n]+\n:number: (?P<number>\S+)\n:within: (?P<within>\S+)\n")
NUMBER = re.compile(r"(?P<value>-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?)(?P<percent>(?:\\,|\s)*\\?%)?")
CHAPTERS = {chapter.name: chapter for chapter in chapters()}


def exercises(chapter: Chapter) -> dict[str, str]:
    """The exercises of a chapter by their labels."""
    found = [match["body"] for match in EXERCISE.finditer(chapter.path.read_text(encoding="utf8"))]
    return {re.search(r":label: (\S+)", body)[1]: body for body in found}


def solution(chapter: Chapter, label: str) -> str:
    """What the solution of an exercise says, and what its cells print."""
    text = chapter.path.read_text(encoding="utf8").split(f"{{solution-start}} {label}\n")[1].split("{solution-end}")[0]
    printed = load(chapter.name)
    keys = [key for key, cell in keyed_cells(chapter.notebook().cells) if cell.source in text]
    outputs = [output.text for key in keys for output in printed.get(key, [])]
    return "\n".join([re.sub(r"```\{code-cell\}.*?```", "", text, flags=re.DOTALL), *outputs])


def numbers(text: str) -> list[float]:
    """The numbers in a text; one in percent counts as its hundredth, too."""
    found = [(float(match["value"].replace(",", "")), match["percent"]) for match in NUMBER.finditer(text)]
    return [value for value, _ in found] + [value / 100 for value, percent in found if percent]


def test_numbers_are_read() -> None:
    assert numbers(r"It is $4.6\,\%$, 1,000, or 1e-4.") == [4.6, 1000, 1e-4, 0.046]


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_right_number_is_that_of_the_solution(name: str) -> None:
    for label, body in exercises(CHAPTERS[name]).items():
        if answer := ANSWER.search(body):
            right, within = float(answer["number"]), float(answer["within"])
            said = numbers(solution(CHAPTERS[name], label))
            assert any(abs(value - right) <= within for value in said), (label, said)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_exercise_says_how_hard_it_is_and_one_is_easy(name: str) -> None:
    bodies = exercises(CHAPTERS[name]).values()
    grades = [(re.findall(r"^:class: (\S+)$", body, re.MULTILINE) or [""])[0] for body in bodies]
    assert set(grades) <= set(GRADES)
    assert "easy" in grades or not grades


def test_answers_are_there() -> None:
    bodies = [body for chapter in CHAPTERS.values() for body in exercises(chapter).values()]
    assert sum(bool(ANSWER.search(body)) for body in bodies) >= 56
