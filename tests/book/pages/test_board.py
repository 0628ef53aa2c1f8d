"""Scoreboard and errata, made by Sphinx from a small register and its records."""

import json
import re

import pytest
from bs4 import Tag
from small_book import Build, totals, words

from bookbuild.chapters import BOOK, ROOT, chapters, registered_claims
from bookbuild.pages import board

STYLE = BOOK / "_static/board.css"
LABEL = re.compile(r'td:nth-child\((\d)\)::before \{ content: "([^"]+)"')


def cells(row: Tag) -> dict[str, str]:
    """What a row says, by the names in the head of its table."""
    names = [words(head) for head in row.find_parent("table").select("thead th")]
    said = row.select("td")
    shown = dict(LABEL.findall(STYLE.read_text(encoding="utf8")))  # where a narrow page stacks the cells
    assert shown == {str(place): name for place, name in enumerate(names, 1) if place not in (1, 3)}
    return dict(zip(names, map(words, said), strict=True))


def test_row_of_the_scoreboard(build: Build) -> None:
    page = build("abcde")["scoreboard"]
    row = page.select_one("tr#claim-row-a")
    said = cells(row)
    assert list(said) == ["Verdict", "Rests on", "Statement", "Measured", "Expected", "Check and tolerance"]
    assert said["Statement"].startswith("Eq. 1. Of ")
    assert "it is so. Tested for: Five sizes." in said["Statement"]
    assert (said["Verdict"], said["Rests on"], said["Expected"]) == ("✓ holds", "derived", "1")
    assert said["Measured"].startswith("benefit of task")
    assert said["Measured"].endswith(": 1.25 ± 0.10")
    assert said["Check and tolerance"] == "z-score: 4; a deviation of 2 % would be noticed"
    statement, shared, permalink = row.select("a")
    assert (shared["href"], words(shared)) == ("../part1/one.html#conditions", "Conditions of the chapter.")
    assert statement["href"] == "../part1/one.html#claim-a"
    assert words(statement).startswith("Of ")
    assert statement.select(".math")
    assert (permalink["href"], words(permalink)) == ("#claim-row-a", "a")
    assert said["Statement"].endswith(" a · read a second time: tests/x.py")
    assert "read a second time" not in words(page.select_one("tr#claim-row-b"))


def test_a_part_of_the_scoreboard_is_folded_below_its_name_and_number(build: Build) -> None:
    part, _ = build("abcde")["scoreboard"].select("section > details")
    assert words(part.select_one("summary")) == "Part I: Signals in noise (7)"
    assert part.get("open") is None
    assert len(part.select("tbody tr")) == 7


def test_scoreboard_and_errata_link_to_each_other(build: Build) -> None:
    pages_ = build("abcde")
    row = pages_["scoreboard"].select_one("#claim-row-c")
    assert "errata.html#erratum-c" in [link["href"] for link in row.select("a")]
    erratum = pages_["errata"].select_one("#erratum-c")
    links = [link["href"] for link in erratum.select("a")]
    shared = "../part1/one.html#conditions"
    assert links == [shared, "#erratum-c", "../part1/one.html#claim-c", "scoreboard.html#claim-row-c"]


def test_scoreboard_without_records_links_no_check(build: Build) -> None:
    page = build(None)["scoreboard"]
    links = [link["href"] for link in page.select("#claim-row-a a")]
    assert links == ["../part1/one.html#conditions", "#claim-row-a"]
    said = cells(page.select_one("#claim-row-f"))
    assert said["Verdict"] == "– not checked"
    assert "Not checked: No data." in said["Statement"]
    assert {said[name] for name in ("Measured", "Expected", "Check and tolerance")} == {"–"}


def test_filters_know_papers_verdicts_and_titles_of_chapters(build: Build) -> None:
    page = build("abcde", unjudged="b")["scoreboard"]
    filters = json.loads(page.select_one(".mtl-board")["data-filters"])
    assert filters["chapter"] == {"part1/one": "One, and only"}
    for row in page.select("tbody tr"):
        assert all(row[f"data-{name}"] in values for name, values in filters.items())
    assert page.select_one("#claim-row-b")["data-verdict"] == "not judged at this size"


def test_chapters_are_offered_in_the_order_of_the_table_of_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "chapters", chapters)  # of the whole book, not of the small one
    registered = [entry["chapter"] for entry in registered_claims()]
    names = [name.removeprefix("book/") for name in re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text())]
    in_order = [name for name in names if name in registered]
    assert list(board.titled(set(registered))) == in_order
    assert list(board.titled({"part9/gone", "part1/gone", *registered})) == [*in_order, "part1/gone", "part9/gone"]


def test_scoreboard_counts_what_a_small_build_did_not_judge(build: Build) -> None:
    page = build("abcde", unjudged="bc")["scoreboard"]
    assert totals(page) == [
        "✓ 1 holds", "◐ 1 holds in part", "✗ 1 fails", "– 1 not checked", "– 1 run in another setting",
        "– 2 not judged at this size",
    ]  # fmt: skip
    row = page.select_one("#claim-row-b")
    assert "– not judged at this size" in words(row)
    assert "✓" not in words(row)


def test_scoreboard_of_a_full_build_judges_all(build: Build) -> None:
    page = build("abcde")["scoreboard"]
    assert totals(page)[:2] == ["✓ 2 hold", "✓* 1 holds as corrected"]
    assert "The 7 statements of the four papers:" in words(page)
    assert "1 predictions of our own, and 1 checks that only support one of these statements: 9 entries" in words(page)
    assert "not judged" not in " ".join(totals(page))


def test_an_experiment_that_was_not_run_has_no_verdict_and_says_what_its_stand_in_shows(build: Build) -> None:
    pages_ = build("abcdei")
    said = cells(pages_["scoreboard"].select_one("#claim-row-i"))
    assert said["Verdict"] == "– not checked, on other data: fails"
    assert "Not checked in the paper’s setting: No images." in said["Statement"]
    assert said["Measured"] == "1.25 ± 0.10"
    assert "erratum-i" not in str(pages_["errata"])
    counted = "3 places. Of 1 a statement was not run at all, of 1 more in another setting only"
    assert counted in words(pages_["scoreboard"])


def test_erratum_says_what_is_printed_with_its_scope_and_what_holds(build: Build) -> None:
    page = build("abcde")["errata"]
    first, second, third = page.select(".mtl-erratum")
    assert words(first).startswith("✓* holds as corrected: proof Eq. 1As printed: Of ")
    assert "Tested for: Five sizes." in words(first)
    assert "What holds: Twice that." in words(first)
    assert "Of 1 corrections 0 concern a result, 1 a step of a proof, and 0 a misprint" in words(page)
    assert "◐ holds in part" in words(second)
    assert "What holds: Below the threshold." in words(second)
    assert third["data-verdict"] == "fails"


@pytest.mark.parametrize("entry", [entry for entry in registered_claims() if "weight" in entry], ids=lambda e: e["id"])
def test_what_holds_does_not_begin_with_what_is_printed(entry: dict[str, str]) -> None:
    """Of a correction the page says "What holds: ..."; an error that a proof contains is nothing that holds."""
    first = re.split(r"(?<=[.;:]) ", entry["holds"])[0]
    assert not re.search(r"^The (proof|paper|theorem|proposition|last line) |\bprinted\b", first)


def test_what_the_book_expected_in_vain_stands_on_a_page_of_its_own(build: Build) -> None:
    page = build("abcdeg")["failed-forecasts"]
    assert [found["id"] for found in page.select(".mtl-erratum")] == ["erratum-g"]
    assert "erratum-g" not in str(build("abcdeg")["errata"])
    row = build("abcdeg")["scoreboard"].select_one("#claim-row-g")
    assert "failed-forecasts.html#erratum-g" in [link["href"] for link in row.select("a")]
