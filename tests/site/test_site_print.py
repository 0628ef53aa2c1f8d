"""Printed pages: light, without what can be clicked, with solutions and folded code closed."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser
from PIL import Image
from pypdf import PdfReader

from bookbuild.pdf.printer import print_page

CHAPTER = "book/part1/noise-spectrum.html"
CLICKED = (".bd-header", ".bd-sidebar-primary", ".bd-sidebar-secondary", ".prev-next-footer", ".headerlink", ".copybtn",
           ".toggle-button", "details.hide", "#jb-print-docs-body")  # fmt: skip
# Chapters whose tables are the widest.
WIDE_TABLES = ("part4/random-energy", "part4/classification-loss", "part5/covariance-alignment",
               "part7/should-i-train-together", "part7/past-one-machine")  # fmt: skip
CUT_TABLES = """
const end = document.querySelector(".bd-article").getBoundingClientRect().right + 1;
return [...document.querySelectorAll("main table")]
  .filter((table) => table.getClientRects().length && table.getBoundingClientRect().right > end)
  .map((table) => Array.from(table.innerText).slice(0, 60).join(""));
"""
TITLES = """
const shown = (element) => element.getClientRects().length > 0;
return [...document.querySelectorAll("h1")].filter(shown).map((title) => title.innerText.replace("#", "").trim());
"""
VISIBLE = """
const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
return [...document.querySelectorAll(arguments[0])].filter(shown).length;
"""


def visible(browser: Browser, selector: str) -> int:
    """How many elements a reader sees."""
    found: int = browser.driver.execute_script(VISIBLE, selector)
    return found


@pytest.fixture
def chapter(browser: Browser, server: str) -> Any:
    """The page in the dark theme, with one solution unfolded."""
    browser.open(f"{server}/{CHAPTER}")
    browser.ask("theme", "dark")
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_what_is_closed_or_clicked_is_not_printed(chapter: Browser) -> None:
    assert visible(chapter, "details.hide") > 0
    assert visible(chapter, ".solution .section, .solution p") > 0  # `open` unfolds the solutions
    chapter.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert {selector: visible(chapter, selector) for selector in CLICKED} == dict.fromkeys(CLICKED, 0)
    assert visible(chapter, ".solution > :not(.admonition-title)") == 0
    assert visible(chapter, ".solution > .admonition-title") >= 3
    assert visible(chapter, ".mtl-claim-statement") > 0
    assert chapter.driver.execute_script("return document.body.scrollWidth <= window.innerWidth")
    assert visible(chapter, ".mtl-figure svg") > 0


@pytest.mark.parametrize("name", WIDE_TABLES)
def test_wide_tables_fit_on_the_paper(browser: Browser, server: str, name: str) -> None:
    browser.open(f"{server}/book/{name}.html")
    with browser.on_paper():
        assert browser.driver.execute_script(CUT_TABLES) == []


def test_the_printed_title_has_its_number_and_is_printed_once(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{CHAPTER}")
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        titles = browser.driver.execute_script(TITLES)
        told = browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert titles == ["1. The spectrum of noise"]
    first = PdfReader(BytesIO(b64decode(told))).pages[0].extract_text()
    assert first.split()[:5] == titles[0].split()


def test_paper_is_light_and_the_reader_keeps_the_theme(chapter: Browser) -> None:
    theme = "return document.documentElement.dataset.theme"
    colour = "return getComputedStyle(document.body).backgroundColor"
    assert chapter.driver.execute_script(theme) == "dark"
    chapter.driver.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert chapter.driver.execute_script(theme) == "light"
    assert chapter.driver.execute_script(colour) == "rgb(255, 255, 255)"
    chapter.driver.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert chapter.driver.execute_script(theme) == "dark"


def test_names_are_chosen_from_a_list(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/part3/real-tasks.html")
    choose = """
    const list = document.querySelector(".mtl-frames select");
    list.selectedIndex = arguments[0];
    list.dispatchEvent(new Event("change", {bubbles: true}));
    """
    named = "return document.querySelector('.mtl-frames:has(select) label').textContent"
    assert browser.driver.execute_script(named) == "task A"
    words = []
    for index in (0, 5):
        browser.driver.execute_script(choose, index)
        browser.ask("resized")
        area = ".mtl-frames:has(select) [role=img], .mtl-frames:has(select) svg[aria-label]"
        shown = [e.get_attribute("aria-label") for e in browser.driver.find_elements("css selector", area)]
        visible_now = [text for text, e in zip(shown, browser.driver.find_elements("css selector", area), strict=True)
                       if e.is_displayed()]  # fmt: skip
        words += visible_now
    assert len(words) == 2
    assert words[0] != words[1]


def test_pages_of_the_library_say_what_is_returned(site: Path) -> None:
    for page in sorted((site / "book/reference").glob("api-*.html")):
        text = page.read_text(encoding="utf8")
        assert "<em>Any</em>, </em><em>...</em>" not in text, page.name
    theory = [path.read_text(encoding="utf8") for path in (site / "book/reference").glob("api-theory*.html")]
    assert "float or ndarray, the common shape" in "".join(theory)
    assert all("<p><em>Any</em></p>" not in text for text in theory)


def test_the_graph_of_the_chapters_stands_on_one_sheet_with_its_heading(browser: Browser, site: Path) -> None:
    reader = PdfReader(BytesIO(print_page(browser.driver, site / "book/teaching.html", 1)))
    sheets = [sheet.extract_text() for sheet in reader.pages]
    (whole,) = [text for text in sheets if "Which chapter needs which" in text]
    assert all(title in whole for title in ("The spectrum of noise", "Real tasks", "Past one machine"))


def test_forced_colours_leave_the_letter_below_a_bar(browser: Browser, server: str) -> None:
    browser.open(f"{server}/book/part3/transfer-theorem.html")
    browser.ask("theme", "light")
    (formula, *_) = browser.driver.find_elements("css selector", "p .katex-html:has(.accent)")
    ink = []
    for value in ("none", "active"):
        features = [{"name": "forced-colors", "value": value}, {"name": "prefers-color-scheme", "value": "light"}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        picture = np.asarray(Image.open(BytesIO(formula.screenshot_as_png)).convert("L"))
        ink.append((picture < 128).sum())
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert ink[1] >= 0.9 * ink[0] > 0


def test_sheets_of_the_pdf_are_numbered_on(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>one</p><p style='break-before: page'>two</p>", encoding="utf8")
    reader = PdfReader(BytesIO(print_page(browser.driver, page, 41)))
    assert [sheet.extract_text().split() for sheet in reader.pages] == [["41", "one"], ["42", "two"]]
