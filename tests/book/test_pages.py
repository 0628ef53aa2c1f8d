"""Scoreboard, errata, status and the strips of verdicts, made by Sphinx from a small register and its records."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from bookbuild import execute, pages
from bookbuild.chapters import registered_claims
from bookbuild.pages import directive, outcomes

CONF = 'extensions = ["myst_parser", "bookbuild.pages"]\nmyst_enable_extensions = ["dollarmath"]\n'
SOURCES = {
    "index.md": "# Index\n\n```{toctree}\nbook/part1/one\nbook/reference/scoreboard\nbook/reference/errata\n"
    "book/reference/status\nbook/bibliography\n```\n",
    "book/bibliography.md": "# Bibliography\n",
    "book/part1/one.md": "# One\n\n```{verdicts}\n```\n",
    "book/reference/scoreboard.md": "# Scoreboard\n\n```{scoreboard}\n```\n",
    "book/reference/errata.md": "# Errata\n\n```{errata}\n```\n",
    "book/reference/status.md": "# Status\n\n```{status}\n```\n",
    "conf.py": CONF,
}
Build = Callable[..., dict[str, Tag]]
VERDICTS = {"a": "holds", "b": "holds", "c": "holds as corrected", "d": "holds in part", "e": "fails"}
OUTCOME = {"measured": 1.25, "expected": 1.0, "standard_error": 0.1, "n_cases": 1, "printed": None, "outside": None}


def entry(identity: str, verdict: str, **fields: Any) -> dict[str, Any]:
    common = {"paper": "beyond", "place": ["Eq. 1"], "statement": f"Of ${identity}$ it is so.", "chapter": "part1/one"}
    return {"id": identity, **common, "verdict": verdict, "check": "z-score", "tolerance": 4, "why": "Seeds."} | fields


REGISTER = [
    *(entry(identity, verdict, scope="Five sizes", resolves="2 %") for identity, verdict in VERDICTS.items()),
    entry("f", "not checked", reason="No data."),
]
REGISTER[3]["correction"] = "Below the threshold."
REGISTER[0]["quantity"] = "benefit of task $A$"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The sources above, and a book that consists of them."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in SOURCES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf8")
    (folder / "book" / "claims.yml").write_text(yaml.safe_dump(REGISTER), encoding="utf8")
    with pytest.MonkeyPatch.context() as patch:
        for module in (execute, pages):
            patch.setattr(module, "RECORDS", folder / "records")
        for module in (directive, outcomes, pages):
            patch.setattr(module, "chapters", lambda: [SimpleNamespace(name="part1/one")])
        patch.setattr(directive, "BOOK", folder / "book")
        patch.setattr(outcomes, "registered_claims", lambda: registered_claims(folder))
        yield folder


def publish(published: str, unjudged: str) -> None:
    """Write the record of the chapter, with claims published in this order."""
    claims = [OUTCOME | {"id": identity, "judged": identity not in unjudged} for identity in published]
    record = {"key": "", "seconds": 1.5, "claims": claims, "device": "CPU", "profile": "paper", "versions": {}}
    execute.record_path("part1/one").parent.mkdir(exist_ok=True)
    execute.record_path("part1/one").write_text(json.dumps(record), encoding="utf8")


@pytest.fixture(scope="module")
def build(project: Path) -> Build:
    """Build what has changed since the last state of the records; a name gives a page. None: no record."""

    @cache
    def run(published: str | None, unjudged: str = "") -> dict[str, Tag]:
        execute.record_path("part1/one").unlink(missing_ok=True)
        if published is not None:
            publish(published, unjudged)
        source, out = str(project), project / "out"
        app = Sphinx(source, source, str(out), str(project / "trees"), "html", status=None, warning=None)
        app.build()
        assert app.statuscode == 0
        files = [path for path in out.rglob("*.html") if path.parent != out]
        return {path.stem: BeautifulSoup(path.read_text(encoding="utf8"), "html.parser") for path in files}

    return run


def words(element: Tag) -> str:
    return " ".join(element.get_text().split())


def strip(page: Tag) -> list[tuple[str, str | None]]:
    """The badges of a strip, each with where it leads."""
    badges = page.select(".mtl-verdicts .mtl-verdict")
    return [(words(badge), badge.parent.get("href")) for badge in badges]


def test_strip_counts_and_links_the_first_card_of_each_verdict(build: Build) -> None:
    assert strip(build("cbade")["one"]) == [
        ("✓ 2 hold", "#claim-b"),
        ("✓* 1 holds as corrected", "#claim-c"),
        ("◐ 1 holds in part", "#claim-d"),
        ("✗ 1 fails", "#claim-e"),
        ("– 1 not checked", None),
    ]


def test_strip_without_records_counts_the_register_and_links_nothing(build: Build) -> None:
    found = strip(build(None)["one"])
    assert [text for text, _ in found][:2] == ["✓ 2 hold", "✓* 1 holds as corrected"]
    assert {link for _, link in found} == {None}


def test_strip_is_made_again_when_the_chapter_was_executed(build: Build) -> None:
    build(None)
    assert strip(build("edcba")["one"])[0] == ("✓ 2 hold", "#claim-b")
    assert strip(build("edcab")["one"])[0] == ("✓ 2 hold", "#claim-a")


def test_strip_of_a_small_build(build: Build) -> None:
    found = strip(build("abcde", unjudged="bc")["one"])
    assert found[0] == ("✓ 1 holds", "#claim-a")
    assert found[-1] == ("– 2 not judged at this size", "#claim-b")


def test_row_of_the_scoreboard(build: Build) -> None:
    page = build("abcde")["scoreboard"]
    row = page.select_one("#claim-row-a")
    assert row.name == "tr"
    statement, verdict, measured, expected, check = map(words, row.select("td"))
    assert statement.startswith("Eq. 1. Of ")
    assert statement.endswith("it is so. Tested for: Five sizes.")
    assert (verdict, expected) == ("✓ holds", "1")
    assert measured.startswith("benefit of task")
    assert measured.endswith(": 1.25 ± 0.1")
    assert check == "a z-score: 4; would have seen 2 %"
    (link,) = row.select("a")
    assert link.get("href") == "../part1/one.html#claim-a"
    assert words(link).startswith("Of ")
    assert link.select(".math")


def test_scoreboard_without_records_links_nothing(build: Build) -> None:
    page = build(None)["scoreboard"]
    assert page.select("#claim-row-a a") == []
    assert words(page.select_one("#claim-row-f")).endswith("Not checked: No data. – not checked – – f –")


def summary(page: Tag) -> dict[str, str]:
    head, *_, total = page.select_one(".mtl-table").select("tr")
    return dict(zip(map(words, head.select("th")), map(words, total.select("td")), strict=True))


def test_scoreboard_counts_what_a_small_build_did_not_judge(build: Build) -> None:
    page = build("abcde", unjudged="bc")["scoreboard"]
    counts = {"holds": "1", "holds as corrected": "0", "holds in part": "1", "fails": "1", "not checked": "1"}
    assert summary(page) == {"Source": "All", **counts, "not judged at this size": "2"}
    row = page.select_one("#claim-row-b")
    assert "– not judged at this size" in words(row)
    assert "✓" not in words(row)


def test_scoreboard_of_a_full_build_has_no_column_for_that(build: Build) -> None:
    assert summary(build("abcde")["scoreboard"])["holds"] == "2"
    assert "not judged at this size" not in summary(build("abcde")["scoreboard"])


def test_erratum_says_scope_and_what_holds(build: Build) -> None:
    first, second, third = build("abcde")["errata"].select(".mtl-erratum")
    assert "Tested for: Five sizes." in words(first)
    assert "◐ holds in part" in words(second)
    assert "What holds: Below the threshold." in words(second)
    assert third.select_one("a").get("href") == "../part1/one.html#claim-e"


def test_status_counts_what_was_not_judged(build: Build) -> None:
    head, chapter, total = build("abcde", unjudged="bc")["status"].select("tr")
    assert dict(zip(map(words, head.select("th")), map(words, chapter.select("td")), strict=True))["Not judged"] == "2"
    assert list(map(words, total.select("td"))) == ["All", "1.5", "5", "2", "", ""]
