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
from docutils import nodes
from sphinx.application import Sphinx

from bookbuild import execute, pages
from bookbuild.chapters import registered_claims
from bookbuild.pages import board, data, directive, outcomes
from bookbuild.pages.explorer import scripts
from mtlbook_lib.notebook._entry import PAPERS

CONF = 'extensions = ["myst_parser", "bookbuild.pages"]\nmyst_enable_extensions = ["dollarmath"]\n'
SOURCES = {
    "index.md": "# Index\n\n```{toctree}\nbook/part1/one\nbook/reference/scoreboard\nbook/reference/errata\n"
    "book/reference/status\nbook/bibliography\nbook/intro\n```\n",
    "book/intro.md": "# Intro\n\n```{coverage}\n```\n\n"
    "```{explorer} transfer\n:small:\nIn words. [more](part1/one.md)\n```\n",
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
        for module in (board, directive, outcomes, pages):
            patch.setattr(module, "chapters", lambda: [SimpleNamespace(name="part1/one", title="One, and only")])
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


def cells(row: Tag) -> dict[str, str]:
    """What a row says, by the names that a narrow page shows before the cells."""
    return {cell["data-label"]: words(cell) for cell in row.select("td")}


def test_row_of_the_scoreboard(build: Build) -> None:
    page = build("abcde")["scoreboard"]
    row = page.select_one("tr#claim-row-a")
    said = cells(row)
    assert list(said) == [words(head) for head in page.select_one("thead").select("th")]
    assert said["Statement"].startswith("Eq. 1. Of ")
    assert "it is so. Tested for: Five sizes." in said["Statement"]
    assert (said["Verdict"], said["Expected"]) == ("✓ holds", "1")
    assert said["Measured"].startswith("benefit of task")
    assert said["Measured"].endswith(": 1.25 ± 0.1")
    assert said["Check and tolerance"] == "z-score: 4; would have seen 2 %"
    statement, permalink, card = row.select("a")
    assert statement["href"] == card["href"] == "../part1/one.html#claim-a"
    assert words(statement).startswith("Of ")
    assert statement.select(".math")
    assert (permalink["href"], words(permalink)) == ("#claim-row-a", "a")


def test_scoreboard_and_errata_link_to_each_other(build: Build) -> None:
    pages_ = build("abcde")
    row = pages_["scoreboard"].select_one("#claim-row-c")
    assert "errata.html#erratum-c" in [link["href"] for link in row.select("a")]
    erratum = pages_["errata"].select_one("#erratum-c")
    links = [link["href"] for link in erratum.select("a")]
    assert links == ["#erratum-c", "../part1/one.html#claim-c", "scoreboard.html#claim-row-c"]


def test_scoreboard_without_records_links_no_check(build: Build) -> None:
    page = build(None)["scoreboard"]
    assert [link["href"] for link in page.select("#claim-row-a a")] == ["#claim-row-a"]
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


def totals(page: Tag) -> list[str]:
    return [words(item) for item in page.select(".mtl-totals li")]


def test_scoreboard_counts_what_a_small_build_did_not_judge(build: Build) -> None:
    page = build("abcde", unjudged="bc")["scoreboard"]
    assert totals(page) == [
        "✓ 1 holds", "◐ 1 holds in part", "✗ 1 fails", "– 1 not checked", "– 2 not judged at this size",
    ]  # fmt: skip
    row = page.select_one("#claim-row-b")
    assert "– not judged at this size" in words(row)
    assert "✓" not in words(row)


def test_scoreboard_of_a_full_build_judges_all(build: Build) -> None:
    page = build("abcde")["scoreboard"]
    assert totals(page)[:2] == ["✓ 2 hold", "✓* 1 holds as corrected"]
    assert "not judged" not in " ".join(totals(page))


def test_erratum_says_scope_and_what_holds(build: Build) -> None:
    first, second, third = build("abcde")["errata"].select(".mtl-erratum")
    assert "Tested for: Five sizes." in words(first)
    assert "◐ holds in part" in words(second)
    assert "What holds: Below the threshold." in words(second)
    assert third["data-verdict"] == "fails"


def test_claims_are_published_as_data(build: Build, project: Path) -> None:
    build("abcde", unjudged="b")
    published = json.loads((project / "out/claims.json").read_text(encoding="utf8"))
    first, second, third, *_, last = published["claims"]
    assert (first["id"], first["verdict"], first["judged"]) == ("a", "holds", True)
    assert (first["measured"], first["expected"], first["standard_error"]) == (1.25, 1.0, 0.1)
    assert (first["check"], first["tolerance"], first["resolves"]) == ("z-score", 4, "2 %")
    assert first["links"] == {
        "scoreboard": "book/reference/scoreboard.html#claim-row-a",
        "check": "book/part1/one.html#claim-a",
    }
    assert not second["judged"]
    assert third["links"]["erratum"] == "book/reference/errata.html#erratum-c"
    assert (last["measured"], last["reason"]) == (None, "No data.")


def test_cards_link_to_their_erratum() -> None:
    card = '<div class="mtl-claim"><a href="x"><code>{}</code></a></div>'
    raws = [nodes.raw("", card.format(name), format="html") for name in "ac"] + [nodes.raw("", "<code>c</code></a>")]
    document = nodes.container("", *raws)
    claims = [(entry, None) for entry in REGISTER]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "claims_with_outcomes", lambda: claims)
        data.link_errata(SimpleNamespace(env=SimpleNamespace(docname="book/part1/one")), document)
    holds, corrected, other = (raw.astext() for raw in raws)
    assert holds == card.format("a")
    assert '</code></a> · <a href="../reference/errata.html#erratum-c">Erratum</a></div>' in corrected
    assert other == "<code>c</code></a>"


def test_front_page_counts_the_papers_in_the_register(build: Build) -> None:
    page = build("abcde")["intro"]
    assert "None of four papers are in. Beyond the papers the book checks 6 claims." in words(page)
    assert totals(page)[0] == "✓ 2 hold"


def test_coverage_names_what_is_in_and_what_is_to_come() -> None:
    one = [{"paper": "beyond"}, {"paper": "lampinen-ganguli"}]
    text = data.coverage_text(one)
    assert text.startswith("**One of four papers is in**: Lampinen & Ganguli (2019), with 1 claim. Beyond the papers ")
    assert " the book checks 1 claim. " in text
    assert text.endswith("Still to come: Lee & Ndirango (2019); Wu, Zhang & Ré (2020); Lindsey & Lippl (2023).")
    four = [{"paper": name} for name in PAPERS]
    assert data.coverage_text(four).startswith("**Four of four papers are in**: Lampinen")
    assert "Still to come" not in data.coverage_text(four)


def test_explorer_page_alone_loads_the_scripts_and_has_words_without_them(build: Build) -> None:
    pages_ = build("abcde")
    box = pages_["intro"].select_one(".mtl-explorer")
    assert (box["data-view"], "data-small" in box.attrs, words(box)) == ("transfer", True, "In words. more")
    loaded = [script.get("src", "").partition("?")[0] for script in pages_["intro"].select("script[defer]")]
    assert [source.removeprefix("../_static/") for source in loaded] == scripts("transfer")
    assert "explorers/" not in str(pages_["scoreboard"])


def test_status_counts_what_was_not_judged(build: Build) -> None:
    head, chapter, total = build("abcde", unjudged="bc")["status"].select("tr")
    assert dict(zip(map(words, head.select("th")), map(words, chapter.select("td")), strict=True))["Not judged"] == "2"
    assert list(map(words, total.select("td"))) == ["All", "1.5", "5", "2", "", ""]
