"""The pages of the explorers: of transfer, of classifiers, of shared directions, and of finetuning.

Tests of numbers ask a page's functions and leave its dials alone: one page serves all of a file.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from browser import WIDE, Browser
from explorer_page import ready


def page_of(part: int, scope: str = "function") -> Any:
    """The explorer of a part with its answer; afterwards the window is wide again."""

    @pytest.fixture(scope=scope)
    def opened(browser: Browser, server: str) -> Iterator[Browser]:
        browser.open(f"{server}/book/part{part}/explorer.html")
        ready(browser)
        yield browser
        browser.resize(WIDE)

    return opened


explorer, still_explorer = page_of(3), page_of(3, "module")
classes, still_classes = page_of(4), page_of(4, "module")
sharing, bias = page_of(5, "module"), page_of(6, "module")
