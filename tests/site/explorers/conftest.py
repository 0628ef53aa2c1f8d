"""The page of the explorer of transfer."""

from collections.abc import Iterator

import pytest
from browser import WIDE, Browser
from explorer_page import ready

PAGE = "book/part3/explorer.html"


@pytest.fixture
def explorer(browser: Browser, server: str) -> Iterator[Browser]:
    browser.open(f"{server}/{PAGE}")
    ready(browser)
    yield browser
    browser.resize(WIDE)
