"""Scoreboard and errata in the browser: filters, counts, the address, links both ways, rows that stack."""

import json
from pathlib import Path

import pytest
import site_html
from browser import NARROW, WIDE, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

PAPERS = ("lampinen-ganguli", "lee-ndirango", "wu-zhang-re", "lindsey-lippl", "beyond")
BOARD, ERRATA = "book/reference/scoreboard.html", "book/reference/errata.html"
FAILED = "book/reference/failed-forecasts.html"


def claims(site: Path) -> list[dict]:
    return json.loads((site / "claims.json").read_text(encoding="utf8"))["claims"]


def visible(browser: Browser) -> list[str]:
    """Ids of the entries that are shown."""
    entries = "[...document.querySelectorAll('.mtl-board [data-verdict]')]"
    script = f"return {entries}.filter((entry) => entry.checkVisibility()).map((entry) => entry.id)"
    return [name.removeprefix("claim-row-").removeprefix("erratum-") for name in browser.driver.execute_script(script)]


def choose(browser: Browser, name: str, value: str) -> None:
    Select(browser.driver.find_element(By.CSS_SELECTOR, f".mtl-filters [name={name}]")).select_by_value(value)


def counts(browser: Browser) -> dict[str, int]:
    numbers = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-totals [data-count]")
    return {number.get_attribute("data-count"): int(number.text) for number in numbers}


@pytest.mark.parametrize("over", ["http", "file"])
def test_filters_agree_with_the_data_and_are_kept_in_the_address(
    browser: Browser, server: str, site: Path, over: str
) -> None:
    root = server if over == "http" else site.as_uri()
    data = claims(site)
    browser.open(f"{root}/{BOARD}")
    parts = [(paper, part) for paper in order(data) for part in sorted({c["chapter"].split("/")[0] for c in data})]
    listed = [c["id"] for place in parts for c in data if (c["paper"], c["chapter"].split("/")[0]) == place]
    assert visible(browser) == listed
    choose(browser, "verdict", "holds in part")
    choose(browser, "paper", "lampinen-ganguli")
    asked = {c["id"] for c in data if (c["verdict"], c["paper"]) == ("holds in part", "lampinen-ganguli")}
    part = [name for name in listed if name in asked]
    assert visible(browser) == part
    assert {name: count for name, count in counts(browser).items() if count} == {"holds in part": len(part)}
    browser.open(browser.driver.current_url)
    assert visible(browser) == part
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-filters [type=reset]").click()
    browser.ask("resized")
    assert len(visible(browser)) == len(data)
    assert "?" not in browser.driver.current_url
    assert browser.errors() == []


def order(data: list[dict]) -> list[str]:
    """The papers in the order of the page."""
    return [name for name in PAPERS if name in {c["paper"] for c in data}]


def test_chapter_and_words_narrow_the_list(browser: Browser, server: str, site: Path) -> None:
    browser.open(f"{server}/{BOARD}?chapter=part3/when-it-helps&words=weak+task")
    mine = {c["id"] for c in claims(site) if c["chapter"] == "part3/when-it-helps"}
    found = visible(browser)
    assert found
    assert set(found) < mine
    assert "benefit-weak-task" in found
    assert browser.driver.find_element(By.CSS_SELECTOR, ".mtl-shown").text.startswith(f"{len(found)} of ")
    empty = [s for s in browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-board section") if s.is_displayed()]
    assert len(empty) == len({c["paper"] for c in claims(site) if c["id"] in found})


def test_a_link_to_an_entry_shows_it_whatever_the_filters(browser: Browser, server: str) -> None:
    browser.open(f"{server}/{BOARD}?verdict=fails#claim-row-mp-mass")
    assert "mp-mass" in visible(browser)


def test_every_claim_is_linked_both_ways(site: Path) -> None:
    """Card, row and erratum lead to each other, and the data to all three."""
    board, errata, failed = ((site / name).read_text(encoding="utf8") for name in (BOARD, ERRATA, FAILED))
    data = claims(site)
    cards = {name: (site / f"book/{name}.html").read_text(encoding="utf8") for name in {c["chapter"] for c in data}}
    assert len(data) > 200
    for claim in data:
        name = claim["id"]
        for link in claim["links"].values():
            page, _, anchor = link.partition("#")
            assert anchor in site_html.parse(site / page).anchors, link
        if claim["verdict"] == "not checked" and not claim["outcome"]:  # a row with its reason, and no card
            assert f'id="claim-row-{name}"' in board
            continue
        card = cards[claim["chapter"]]
        assert f'reference/scoreboard.html#claim-row-{name}"' in card
        assert f'{claim["chapter"]}.html#claim-{name}"' in board
        odd = claim["verdict"] in ("holds as corrected", "holds in part", "fails")
        own = claim["paper"] == "beyond"
        for page, text, here in (("errata", errata, not own), ("failed-forecasts", failed, own)):
            assert (f'{page}.html#erratum-{name}"' in board) == (odd and here)
            assert (f'{page}.html#erratum-{name}"' in card) == (odd and here)
            assert (f'scoreboard.html#claim-row-{name}"' in text) == (odd and here)


@pytest.mark.parametrize("name", [BOARD, ERRATA])
def test_entries_fit_the_page(browser: Browser, server: str, name: str) -> None:
    browser.open(f"{server}/{name}")
    script = (
        "const out = e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1;"
        "return [...document.querySelectorAll('.mtl-board, .mtl-claims, .mtl-claims td, .mtl-erratum')]"
        ".filter(out).map(e => e.outerHTML.slice(0, 200))"
    )
    for size in (NARROW, WIDE):
        browser.resize(size)
        assert browser.driver.execute_script(script) == [], size
        if name == BOARD:
            first = browser.driver.find_element(By.CSS_SELECTOR, ".mtl-claims tbody tr")
            across = {cell.location["x"] for cell in first.find_elements(By.CSS_SELECTOR, "td")}
            assert len(across) == (6 if size == WIDE else 1), size


def test_parts_are_folded_until_they_are_asked_for(browser: Browser, server: str) -> None:
    """A reader sees the names of the parts; a filter and a link open what they lead to, a click the rest."""
    opened = "return [...document.querySelectorAll('.mtl-part')].filter((part) => part.open).length"
    shown = "return document.querySelectorAll('.mtl-part').length"
    browser.visit(f"{server}/{BOARD}")
    assert browser.driver.execute_script(opened) == 0
    assert visible(browser) == []
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-part > summary").click()
    assert browser.driver.execute_script(opened) == 1
    assert "mp-mass" in visible(browser)
    browser.visit(f"{server}/{BOARD}#claim-row-benefit-weak-task")
    assert browser.driver.execute_script(opened) == 1
    assert "benefit-weak-task" in visible(browser)
    browser.visit(f"{server}/{BOARD}?verdict=fails")
    failing = visible(browser)
    assert failing
    assert counts(browser)["fails"] == len(failing)
    browser.driver.find_element(By.CSS_SELECTOR, ".mtl-filters [type=reset]").click()
    assert browser.driver.execute_script(opened) == browser.driver.execute_script(shown)


@pytest.mark.parametrize("name", [BOARD, ERRATA])
def test_without_scripts_all_entries_can_be_read(browser: Browser, site: Path, name: str) -> None:
    with browser.without_scripts():
        browser.driver.get((site / name).as_uri())
        for part in browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-part > summary"):
            part.click()
        entries = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-board [data-verdict]")
        assert entries
        assert entries[-1].is_displayed()
        assert not browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-filters")


def test_front_page_counts_papers_by_verdict_and_leads_on(browser: Browser, server: str, site: Path) -> None:
    browser.open(f"{server}/book/intro.html")
    rows = [row.text.split() for row in browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-coverage tbody tr")]
    of_papers = [claim for claim in claims(site) if claim["paper"] != "beyond"]
    assert len(rows) == len({claim["paper"] for claim in of_papers}) + 1
    assert sum(int(number) for number in rows[-1] if number.isdigit()) == len(of_papers)
    own = sum(claim["paper"] == "beyond" and not claim["supports"] for claim in claims(site))
    assert f"{own} of our own predictions" in browser.driver.find_element(By.CSS_SELECTOR, "article").text
    ways = browser.driver.find_elements(By.CSS_SELECTOR, ".mtl-front dt")
    assert len(ways) == 6
    answer = browser.driver.find_element(By.CSS_SELECTOR, "article p strong")
    for first in (answer, ways[0]):  # seen without scrolling
        assert first.location["y"] + first.size["height"] < WIDE[1]


@pytest.mark.parametrize("name", ["intro", "part7/should-i-train-together", "part7/past-one-machine"])
def test_tables_fit_a_phone(browser: Browser, server: str, name: str) -> None:
    """No column is out of sight: those of the front page, and those of the chapters that a practitioner opens."""
    browser.open(f"{server}/book/{name}.html")
    browser.resize(NARROW)
    script = (
        "return [...document.querySelectorAll('article table')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth || e.scrollWidth > e.clientWidth + 1)"
        ".map(e => e.outerHTML.slice(0, 200))"
    )
    try:
        assert browser.driver.execute_script(script) == []
    finally:
        browser.resize(WIDE)
