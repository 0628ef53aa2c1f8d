"""Prints pages of the site with Chromium, numbered on through the whole book."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver

from bookbuild.pdf import chromium

A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
# The number stands in the margin; `counter-set` makes the first page of a chapter follow the last of the one before.
NUMBERED = """
const style = document.createElement("style");
style.textContent = `@page { margin: 18mm 16mm; @bottom-center { content: counter(page); font: 9pt sans-serif; } }
  :root { counter-set: page ${arguments[0]}; }`;
document.head.append(style);
document.documentElement.dataset.theme = "light";
"""


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """Chromium without a window; SystemExit says what to install where it is missing."""
    if absent := chromium.absent():
        raise SystemExit(f"The PDF is printed by Chromium; not installed: {', '.join(absent)}.")
    driver = chromium.start()
    try:
        yield driver
    finally:
        driver.quit()


def print_page(driver: webdriver.Chrome, page: Path, first: int, prepare: str = "", *words: str) -> bytes:
    """One page of the site as PDF, whose first sheet has the number `first`; a script may `prepare` it."""
    driver.get(page.resolve().as_uri())
    driver.execute_script(prepare, *words)
    driver.execute_script(NUMBERED, first - 1)  # every sheet adds one, the first too
    return printed(driver, A4)


def printed(driver: webdriver.Chrome, paper: dict[str, float]) -> bytes:
    """The page that is open, as PDF."""
    return base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", paper)["data"])
