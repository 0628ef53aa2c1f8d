"""Every page of the built site, in a browser that has no network."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

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


def test_page_works_from_disk(browser: Browser, site: Path, kind: str) -> None:
    """Without a server: formulas and styles are there, scripts run, and nothing is asked of anybody.

    Pages of a kind run the same scripts; that the files lie where every page looks for them is tested with its links.
    """
    assert list(faults_from_disk(browser, (site / kind).as_uri(), site.as_uri())) == []


@pytest.mark.parametrize("over", ["http", "file"])
def test_search_finds_a_word_of_the_book(browser: Browser, server: str, site: Path, over: str) -> None:
    root = server if over == "http" else site.as_uri()
    browser.open(f"{root}/search.html?q=Marchenko")
    assert browser.ask("searchResults")
    browser.open(f"{root}/search.html?q=xylophonist")
    assert browser.ask("searchResults") == []


QUERIES = {
    "REM": "random-energy", "random energy model": "random-energy", "softmax REM": "random-energy",
    "negative transfer": "when-it-helps", "early stopping": "stopping-or-shrinking", "nested regime": "nested-features",
    "learning time": "one-mode", "TA": "one-mode", "teacher-aligned": "one-mode", "Q penalty": "pretraining-finetuning",
    "finetuning penalty": "pretraining-finetuning", "Marchenko-Pastur": "noise-spectrum",
    "transfer theorem": "transfer-theorem", "transfer benefit": "transfer-theorem", "group norm": "multi-task-penalty",
    "implicit regularization": "gradient-flow-to-penalty", "hard parameter sharing": "sharing-solved",
    "covariance alignment": "covariance-alignment", "sample efficiency": "sample-efficiency",
    "gradient surgery": "svd-reweighting", "task weighting": "svd-reweighting", "capacity": "capacity",
    "linear probing": "probe-then-tune", "mean Jacobian": "mean-jacobian", "random labels": "random-labels",
    "--encode": "tables-to-predictions", "--target-b": "tables-to-predictions", "epsilon": "notation",
    "lambda": "notation", "multi-head network": "glossary", "transfer_benefit": "api-theory-transfer",
    "HardSharing": "api-methods",
}  # fmt: skip


@pytest.mark.parametrize("asked", QUERIES)
def test_search_lists_the_page_of_a_query_first(browser: Browser, server: str, asked: str) -> None:
    browser.open(f"{server}/search.html?{urlencode({'q': asked})}")
    first = browser.ask("searchResults")[0]
    assert first.partition(".html")[0].rpartition("/")[2] == QUERIES[asked], first


def test_index_of_the_search_has_words_alone(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf8")
    terms = json.loads(text[text.index("(") + 1 : text.rindex(")")])["terms"]
    assert len(terms) > 1000
    assert [term for term in terms if re.fullmatch(r"[\d_]+|[dt]?frac.?\d.*|[dt]frac.*|mathcal.*|lvert.*", term)] == []
