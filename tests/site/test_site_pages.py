"""Every page of the built site, in a browser that has no network."""

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Browser
from site_checks import CHECKS, Facts, faults_from_disk, outside

FactsAt = Callable[[str], Facts]


@pytest.mark.parametrize("check", CHECKS)
def test_page_has_no_problem(facts: FactsAt, server: str, page: str, check: str) -> None:
    problems = list(CHECKS[check](facts(f"{server}/{page}")))
    assert not problems, "\n".join(problems)


def test_page_asks_nobody_else(facts: FactsAt, server: str, page: str) -> None:
    seen = facts(f"{server}/{page}")
    assert seen.requests
    assert list(outside(seen, server)) == []


def test_page_works_from_disk(browser: Browser, site: Path, page: str) -> None:
    """Without a server: formulas and styles are there, scripts run, and nothing is asked of anybody."""
    assert list(faults_from_disk(browser, (site / page).as_uri(), site.as_uri())) == []


@pytest.mark.parametrize("over", ["http", "file"])
def test_search_finds_a_word_of_the_book(browser: Browser, server: str, site: Path, over: str) -> None:
    root = server if over == "http" else site.as_uri()
    browser.open(f"{root}/search.html?q=Marchenko")
    assert browser.ask("searchResults")
    browser.open(f"{root}/search.html?q=xylophonist")
    assert browser.ask("searchResults") == []
