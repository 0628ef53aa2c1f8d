"""What every explorer does: it works from disk, in both themes, and says where to look without scripts."""

from pathlib import Path

import pytest
from browser import NARROW, WIDE, Browser
from explorer_page import OUTSIDE, pictures, ready
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

# Page, a setting in its address, and a dial.
EXPLORERS = [("part3", "sB=5", "q"), ("part4", "k=100", "s"), ("part5", "v=5", "c"), ("part6", "r=0.1", "b")]
# How the answers of its examples begin.
ANSWERS = {"part3": {"+", "−", "±"}, "part4": {"+", "±"}, "part5": {"+", "−"}, "part6": {"+", "−", "±"}}

SPILLED = """return [...document.querySelectorAll(".mtl-examples button")]
  .filter((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).map((e) => e.textContent)"""
# Titles of pictures that something lies on, whenever a reader scrolls to the answer that stays in sight.
COVERED = """return [...document.querySelectorAll(".mtl-explorer figcaption")].filter((title) => {
  title.scrollIntoView();
  scrollBy(0, -(document.querySelector(".bd-header-article").offsetHeight + 8));
  const { left, top, height } = title.getBoundingClientRect();
  return !title.contains(document.elementFromPoint(left + 5, top + height / 2));
}).map((title) => title.textContent)"""
CLOSED = """const box = document.querySelector(".toggle-hidden"), at = (e) => e.getBoundingClientRect();
const [title, button] = [".admonition-title", "button"].map((part) => at(box.querySelector(part)));
return [at(box).height - title.height, at(box).right - button.right]"""
CUT = """const right = (e) => e.getBoundingClientRect().right;
return [...document.querySelectorAll(".mtl-canvas canvas")]
  .filter((e) => right(e) > right(e.closest(".mtl-canvas")) + 1).length"""
PLACE = "return document.querySelector('{}').getBoundingClientRect().{}"
FIRST = [(".mtl-canvas", "bottom"), (".mtl-dial", "top")]


@pytest.mark.parametrize(("part", "setting", "dial"), EXPLORERS)
def test_explorer_works_from_disk_and_in_both_themes(
    browser: Browser, site: Path, part: str, setting: str, dial: str
) -> None:
    browser.open(f"{(site / f'book/{part}/explorer.html').as_uri()}?{setting}")
    light = pictures(browser)
    browser.ask("theme", "dark")
    assert all(dark != drawn for dark, drawn in zip(pictures(browser), light, strict=True))
    browser.driver.find_element(By.ID, f"mtl-dial-{dial}").send_keys(Keys.ARROW_LEFT)
    ready(browser)
    assert f"{dial}=" in browser.driver.current_url
    assert browser.errors() == []


@pytest.mark.parametrize("part", [part for part, _, _ in EXPLORERS])
def test_without_scripts_the_page_says_where_to_look(browser: Browser, site: Path, part: str) -> None:
    with browser.without_scripts():
        browser.driver.get((site / f"book/{part}/explorer.html").as_uri())
        text = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-explorer").text
    assert "scripts, which are switched off" in text


@pytest.mark.parametrize("part", [part for part, _, _ in EXPLORERS])
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1000), NARROW])
def test_labels_fit_nothing_lies_on_a_title_and_the_first_picture_is_seen_first(
    browser: Browser, server: str, part: str, size: tuple[int, int]
) -> None:
    browser.visit(f"{server}/book/{part}/explorer.html", size)
    ready(browser)
    bottom, dial = (browser.driver.execute_script(PLACE.format(*at)) for at in FIRST)
    assert bottom < dial if size == NARROW else bottom <= size[1]
    assert browser.driver.execute_script(SPILLED) == []
    assert browser.driver.execute_script(COVERED) == []
    if size == (1280, 800):
        closed_questions_take_a_line_and_paper_shows_whole_pictures(browser)


def closed_questions_take_a_line_and_paper_shows_whole_pictures(browser: Browser) -> None:
    room, margin = browser.driver.execute_script(CLOSED)
    assert room < 30
    assert 0 < margin < 40
    with browser.without_scripts(), browser.on_paper():  # nothing is drawn anew
        assert browser.driver.execute_script(CUT) == 0


def onwards(dial: WebElement) -> str:
    """The key that moves a dial: back where it stands at its end."""
    if dial.tag_name == "select":
        return (
            Keys.ARROW_UP if dial.get_property("selectedIndex") == dial.get_property("length") - 1 else Keys.ARROW_DOWN
        )
    value, end = (float(dial.get_attribute(name) or 0) for name in ("value", "max"))
    return Keys.ARROW_LEFT if value == end else Keys.ARROW_RIGHT


@pytest.mark.parametrize("part", ANSWERS)
def test_every_dial_moves_by_keyboard_and_everything_fits(browser: Browser, server: str, part: str) -> None:
    """And is kept in the address."""
    for size in (NARROW, WIDE):
        browser.open(f"{server}/book/{part}/explorer.html")
        browser.resize(size)
        before = pictures(browser)
        dials = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-dial :is(input[type=range], select)")
        assert len(dials) >= 3
        for dial in dials:
            name, address = (dial.get_attribute("id") or "").removeprefix("mtl-dial-"), browser.driver.current_url
            dial.send_keys(onwards(dial))
            assert f"{name}=" in browser.driver.current_url != address, (name, size)
            after = pictures(browser)
            assert after != before or name == "order", (name, size)  # shrinkage, which is set by then, knows no order
            before = after
        assert browser.driver.execute_script(OUTSIDE) == [], size


@pytest.mark.parametrize("part", ANSWERS)
def test_every_example_is_another_setting(browser: Browser, server: str, part: str) -> None:
    browser.open(f"{server}/book/{part}/explorer.html")
    buttons, seen, said = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-examples button"), set(), set()
    for button in buttons:
        button.click()
        ready(browser)
        seen.add(browser.driver.current_url)
        said.add(browser.driver.find_element(By.CSS_SELECTOR, ".mtl-answer").text[0])
    assert len(seen) == len(buttons) >= 5
    assert said == ANSWERS[part]
