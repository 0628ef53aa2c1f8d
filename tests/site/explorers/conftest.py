"""The pages of the explorers: of transfer, of classifiers, of shared directions, and of finetuning.

Tests of numbers ask a page's functions and leave its dials alone: one page serves all of a file.
"""

from collections.abc import Iterator

import pytest
from browser import WIDE, Browser
from explorer_page import ready

TRANSFER, CLASSES, SHARING, BIAS = (f"book/part{number}/explorer.html" for number in (3, 4, 5, 6))


@pytest.fixture
def explorer(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{TRANSFER}")


@pytest.fixture
def classes(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{CLASSES}")


@pytest.fixture(scope="module")
def still_explorer(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{TRANSFER}")


@pytest.fixture(scope="module")
def still_classes(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{CLASSES}")


@pytest.fixture(scope="module")
def sharing(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{SHARING}")


@pytest.fixture(scope="module")
def bias(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{BIAS}")


def opened(browser: Browser, address: str) -> Iterator[Browser]:
    """The page with its answer; afterwards the window is wide again."""
    browser.open(address)
    ready(browser)
    yield browser
    browser.resize(WIDE)
