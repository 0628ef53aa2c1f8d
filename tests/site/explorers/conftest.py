"""The pages of the explorers: of transfer, and of classifiers."""

from collections.abc import Iterator

import pytest
from browser import WIDE, Browser
from explorer_page import ready

TRANSFER, CLASSES = "book/part3/explorer.html", "book/part4/explorer.html"


@pytest.fixture
def explorer(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{TRANSFER}")


@pytest.fixture
def classes(browser: Browser, server: str) -> Iterator[Browser]:
    yield from opened(browser, f"{server}/{CLASSES}")


def opened(browser: Browser, address: str) -> Iterator[Browser]:
    """The page with its answer; afterwards the window is wide again."""
    browser.open(address)
    ready(browser)
    yield browser
    browser.resize(WIDE)
