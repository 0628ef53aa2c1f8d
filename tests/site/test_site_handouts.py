"""What is handed out: one whole slide for a chapter, its exercises, and its solutions only where they are asked for."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from browser import require_browser
from pypdf import PdfReader
from selenium import webdriver

from bookbuild.pdf import handouts

CHAPTER = "part1/teacher-in-noise"
CUT = """
const whole = document.querySelector(".mtl-slide").getBoundingClientRect();
return [...document.querySelectorAll(".mtl-slide h1, .mtl-said p, .mtl-seen svg, .mtl-equation .base")]
  .map((part) => part.getBoundingClientRect())
  .filter((box) => box.bottom > whole.bottom - 20 || box.right > whole.right - 40).length;
"""


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    require_browser()
    with handouts.projector() as found:
        yield found


def text_of(data: bytes) -> str:
    """The words of a PDF, one space apart."""
    return " ".join(" ".join(sheet.extract_text() for sheet in PdfReader(BytesIO(data)).pages).split())


def test_exercises_have_their_numbers_and_solutions_stand_apart(driver: webdriver.Chrome, site: Path) -> None:
    page = site / f"book/{CHAPTER}.html"
    short, whole = (text_of(print_(driver, CHAPTER, page, 7)) for print_ in (handouts.problems, handouts.solutions))
    for text in (short, whole):
        assert [f"Exercise 2.{number}" in text for number in (1, 2, 3, 4, 5)] == [True] * 4 + [False]
        assert "The least strength: ____" in text
    assert [("Solution to" in text, "0.669" in text, "faintest" in text) for text in (short, whole)] == [
        (False,) * 3,
        (True,) * 3,
    ]


@pytest.mark.parametrize("name", [CHAPTER, "part3/when-it-helps", "part6/gradient-flow-to-penalty"])
def test_a_slide_is_one_sheet_with_words_law_and_figure_whole(driver: webdriver.Chrome, site: Path, name: str) -> None:
    data = handouts.slide(driver, name, site / f"book/{name}.html", 1)
    assert len(PdfReader(BytesIO(data)).pages) == 1
    for part in (".mtl-said p", ".mtl-equation", ".mtl-seen svg"):
        assert driver.find_elements("css selector", part), part
    assert driver.execute_script(CUT) == 0
