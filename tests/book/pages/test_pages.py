"""Strips of verdicts, status, data and front page, made by Sphinx from a small register and its records."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import Tag
from docutils import nodes
from small_book import REGISTER, Build, words

from bookbuild import pages, second_reading
from bookbuild.pages import data
from bookbuild.pages.explorer import scripts
from bookbuild.pages.two_tables import SCRIPTS
from mtlbook_lib.forecast import policy


def strip(page: Tag) -> list[tuple[str, str | None]]:
    """The badges of a strip, each with where it leads."""
    badges = page.select(".mtl-verdicts .mtl-verdict")
    return [(words(badge), badge.parent.get("href")) for badge in badges]


def test_strip_counts_and_links_the_first_card_of_each_verdict(build: Build) -> None:
    assert strip(build("cbade")["one"]) == [
        ("✓ 2 hold", "#claim-b"),
        ("✓* 1 holds as corrected", "#claim-c"),
        ("◐ 1 holds in part", "#claim-d"),
        ("✗ 2 fail", "#claim-e"),
        ("– 1 not checked", None),
        ("– 1 run in another setting", None),
    ]


def test_what_all_claims_share_stands_once_on_the_page(build: Build) -> None:
    page = build("cbade")["one"]
    (shared,) = page.select("#conditions")
    assert words(shared).startswith("Unless said otherwise: Noise of size")
    row = build("abcde")["scoreboard"].select_one("#claim-row-a")
    assert "../part1/one.html#conditions" in [link["href"] for link in row.select("a")]


def test_long_conditions_are_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = {"chapter": "part1/one", "conditions": "word " * 61}
    monkeypatch.setattr(pages, "registered_claims", lambda: [shared])
    made = SimpleNamespace(
        env=SimpleNamespace(docname="book/part1/one"), LONG=60, text=lambda words: nodes.paragraph(words, words)
    )
    (fold,) = pages.Conditions.content_nodes(made)
    assert (fold["element"], fold["attributes"]["id"]) == ("details", "conditions")
    title, words_of = fold.children
    assert "".join(title.astext().split("\n\n")) == "Unless said otherwise: sizes and settings that the claims share"
    assert len(words_of.astext().split()) == 61
    shared["conditions"] = "word " * 60
    (short,) = pages.Conditions.content_nodes(made)
    assert (short["ids"], short.tagname) == (["conditions"], "paragraph")


def test_a_check_has_a_row_that_names_its_card_and_counts_for_no_chapter(build: Build) -> None:
    pages_ = build("abcdeh")
    row = pages_["scoreboard"].select_one("#claim-row-h")
    assert (row["data-role"], row["data-verdict"]) == ("check", "holds")
    assert "h · supports a" in words(row)
    assert "#claim-row-a" in [link["href"] for link in row.select("a")]
    assert strip(pages_["one"])[0][0] == "✓ 2 hold"
    assert "failed. Checks that only support one of all these statements: 1;" in words(pages_["intro"])


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


def test_status_counts_what_was_not_judged(build: Build) -> None:
    head, chapter, total = build("abcde", unjudged="bc")["status"].select("tr")
    assert dict(zip(map(words, head.select("th")), map(words, chapter.select("td")), strict=True))["Not judged"] == "2"
    assert list(map(words, total.select("td"))) == ["All", "1.5", "5", "2", "", ""]


def test_claims_are_published_as_data(build: Build, project: Path) -> None:
    build("abcde", unjudged="b")
    published = json.loads((project / "out/claims.json").read_text(encoding="utf8"))
    first, second, third, *_, last, ours, check, stand_in = published["claims"]
    assert (stand_in["verdict"], stand_in["judged_on"], stand_in["outcome"]) == ("not checked", "other data", "fails")
    assert (first["supports"], check["supports"], first["conditions"]) == (None, "a", "Noise of size $z$.")
    assert (first["id"], first["verdict"], first["judged"]) == ("a", "holds", True)
    assert (first["measured"], first["expected"], first["standard_error"]) == (1.25, 1.0, 0.1)
    assert (first["check"], first["tolerance"], first["resolves"]) == ("z-score", 4, "2 %")
    assert (first["second_reading"], second["second_reading"]) == (["tests/x.py"], [])
    assert first["links"] == {
        "scoreboard": "book/reference/scoreboard.html#claim-row-a",
        "check": "book/part1/one.html#claim-a",
    }
    assert not second["judged"]
    assert third["links"]["erratum"] == "book/reference/errata.html#erratum-c"
    assert (last["measured"], last["reason"]) == (None, "No data.")
    assert ours["links"]["erratum"] == "book/reference/failed-forecasts.html#erratum-g"


def test_cards_link_to_their_erratum_and_say_who_read_them_again() -> None:
    card = '<div class="mtl-claim"><a href="x"><code>{}</code></a></div>'
    raws = [nodes.raw("", card.format(name), format="html") for name in "abc"] + [nodes.raw("", "<code>c</code></a>")]
    document = nodes.container("", *raws)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "registered_claims", lambda: REGISTER)
        patch.setattr(second_reading, "readings", lambda: {"b": ("tests/x.py", "tests/y.py")})
        data.complete_cards(SimpleNamespace(env=SimpleNamespace(docname="book/part1/one")), document)
    holds, again, corrected, other = (raw.astext() for raw in raws)
    assert holds == card.format("a")
    assert "</code></a> · read a second time: tests/x.py, tests/y.py</div>" in again
    assert '</code></a> · <a href="../reference/errata.html#erratum-c">Erratum</a></div>' in corrected
    assert other == "<code>c</code></a>"


def test_a_check_moves_into_the_fold_of_what_it_supports(monkeypatch: pytest.MonkeyPatch) -> None:
    card = '<div class="mtl-claim" id="claim-{}"{}><details><summary>How it was checked</summary>{}</details></div>'
    sources = [("a", ""), ("b", ' data-supports="d"'), ("c", ' data-supports="a"'), ("d", ""), ("e", "")]
    raws = [nodes.raw("", card.format(name, supports, name), format="html") for name, supports in sources]
    plain = nodes.container("", nodes.literal_block("", "c in words"))
    both = nodes.container("", nodes.container("", raws[2]), plain, nb_element="mime_bundle")
    second = nodes.container("", nodes.container("", raws[1]), both)
    cells = [nodes.container("", nodes.container("", *raws[:1])), second]
    document = nodes.section("", *cells, *raws[3:])
    monkeypatch.setattr(data, "registered_claims", list)
    data.complete_cards(SimpleNamespace(env=SimpleNamespace(docname="book/part1/one")), document)
    shown = [raw.astext() for raw in document.findall(nodes.raw)]
    assert [text.partition('id="')[2][:7] for text in shown] == ["claim-a", "claim-d", "claim-e"]
    assert shown[0].count("with 1 supporting check<") == 1
    assert shown[0].endswith(f"</summary>a{raws[2].astext()}</details></div>")
    assert shown[2] == card.format("e", "", "e")
    assert len(document.children) == 3, "a cell that showed nothing else is left out"
    assert "in words" not in document.astext()


def test_front_page_counts_the_books_own_statements_apart(build: Build) -> None:
    page = build("abcde")["intro"]
    assert list(map(words, page.select("table tr:last-child td"))) == ["All four", "2", "1", "1", "1", "1", "1"]
    assert "Beside them stand 1 of our own predictions: 0 held, 0 held in part, 1 failed." in words(page)


def test_explorer_page_alone_loads_the_scripts_and_has_words_without_them(build: Build) -> None:
    pages_ = build("abcde")
    box = pages_["intro"].select_one(".mtl-explorer")
    assert (box["data-view"], "data-small" in box.attrs, words(box)) == ("transfer", True, "In words. more")
    loaded = [script.get("src", "").partition("?")[0] for script in pages_["intro"].select("script[defer]")]
    of_tables = [f"tables/{name}.js" for name in SCRIPTS]
    assert [source.removeprefix("../_static/") for source in loaded] == [*scripts("transfer"), *of_tables]
    assert "explorers/" not in str(pages_["scoreboard"])


def test_two_tables_have_the_numbers_of_the_library_and_files_to_try(build: Build) -> None:
    box = build("abcde")["intro"].select_one(".mtl-two-tables")
    assert words(box) == "By commands."
    constants, files = (json.loads(box[f"data-{name}"]) for name in ("constants", "examples"))
    assert constants["policy"]["leastGain"] == policy.LEAST_GAIN
    assert sum(mass for _, mass in constants["prior"] + constants["units"]) == pytest.approx(1)
    assert {name: files[name]["text"].splitlines()[0].count(files["label"]) for name in ("a", "b", "new")} == {
        "a": 1, "b": 1, "new": 0,
    }  # fmt: skip
