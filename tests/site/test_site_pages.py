"""Every page of the built site, in a browser that has no network."""

import json
import re
from pathlib import Path

import pytest
import site_html
from browser import Browser
from site_checks import faults_from_disk, look, problems


def test_page_has_no_problem(browser: Browser, server: str, page: str) -> None:
    facts = look(browser, f"{server}/{page}")
    assert facts["requests"]
    assert list(problems(facts, server)) == []


def test_pages_work_from_disk(browser: Browser, site: Path) -> None:
    """Without a server: formulas and styles are there, scripts run, and nothing is asked of anybody.

    Pages of a kind run the same scripts; that the files lie where every page looks for them is tested with its links.
    """
    kinds = site_html.kinds(site)
    faults = {name: list(faults_from_disk(browser, (site / name).as_uri(), site.as_uri())) for name in kinds}
    assert len(kinds) > 8
    assert faults == {name: [] for name in kinds}


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


# As the page does it, without the summaries, for which it loads each page that it found.
FIRST = """return arguments[0].map((asked) => {
  history.replaceState(null, "", `?${new URLSearchParams({ q: asked })}`);
  return Search._performSearch(...Search._parseQuery(asked)).at(-1)[0];
})"""


def test_search_lists_the_page_of_a_query_first(browser: Browser, server: str) -> None:
    browser.open(f"{server}/search.html?q=Marchenko")
    browser.ask("searchResults")  # the index is there
    first = browser.driver.execute_script(FIRST, list(QUERIES))
    assert {asked: page.rpartition("/")[2] for asked, page in zip(QUERIES, first, strict=True)} == QUERIES


def test_index_of_the_search_has_words_alone(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf8")
    terms = json.loads(text[text.index("(") + 1 : text.rindex(")")])["terms"]
    assert len(terms) > 1000
    assert [term for term in terms if re.fullmatch(r"[\d_]+|[dt]?frac.?\d.*|[dt]frac.*|mathcal.*|lvert.*", term)] == []
