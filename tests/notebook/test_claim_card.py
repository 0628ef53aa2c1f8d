"""How an outcome reads: rounded, the same on every machine, and safe as HTML."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from example_claim import example_claim

from mtlbook_lib.notebook import card, claims
from mtlbook_lib.notebook._entry import (
    ELSEWHERE,
    NOT_JUDGED,
    OTHERWISE,
    TOO_COARSE,
    TOO_FEW,
    resolution,
)
from mtlbook_lib.notebook.card import COLOURS


def outcome(check: str, tolerance: Any, *numbers: Any, verdict: str = "holds", **fields: Any) -> claims.Outcome:
    contrast = {key: fields.pop(key) for key in ("printed", "outside") if key in fields}
    words = {"id": "an-id", "paper": "wu-zhang-re", "place": ("Thm. 2", "App. B"), "why": "Reasons.", "chapter": "x"}
    claim = example_claim(check, tolerance, verdict, **words | fields)
    return claims.evaluate(claim, *numbers, **contrast)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (outcome("close", 1e-10, 0.1 + 0.2, 0.3), "measured 0.3, expected 0.3, difference < 1e-10 (tolerance 1e-10)"),
        (outcome("close", 1e-12, 1.0, 1.0 + 1e-13), "measured 1, expected 1, difference < 1e-12 (tolerance 1e-12)"),
        (outcome("close", 0.1, 1.23456, 1.2), "measured 1.235, expected 1.2, difference 0.03456 (tolerance 0.1)"),
        (outcome("close", 1e-10, -1e-17, 0.0), "measured < 1e-10, expected 0, difference < 1e-10 (tolerance 1e-10)"),
        (outcome("relative", 0.1, 2.1e-12, 2e-12), "measured 2.1e-12, expected 2e-12, relative difference 0.05 (toler"),
        (outcome("z-score", 4.0, 1.013, 1.0, 0.01), "measured 1.013 ± 0.01, expected 1, z = 1.30 (tolerance 4 standar"),
        (outcome("z-score", 4.0, 9.0, 1.0, 0.01, allowance=8.0), "expected 1, z = 0.00 beyond the allowance (toler"),
        (outcome("z-score", 4.0, 9.03, 1.0, 0.01, allowance=8.0), "z = 3.00 beyond the allowance (tolerance 4 sta"),
        (outcome("z-score", 4.0, 1.0, 1.0 + 1e-9, 1.0), "z = 0.00"),
        (outcome("exceeds", 4.0, 2.0, 1.0, 0.1), "measured 2 ± 0.1, to exceed 1, z = 10.00 (tolerance 4 standard erro"),
        (outcome("at-most", 1e-8, 3e-13), "measured < 1e-10 (required: at most 1e-08)"),
        (outcome("at-least", 0.5, 0.75), "measured 0.75 (required: at least 0.5)"),
        (outcome("range", (-0.7, -0.6), -0.66), "measured -0.66 (required: -0.7 to -0.6)"),
    ],
)
def test_text(found: claims.Outcome, text: str) -> None:
    assert str(found).startswith("an-id: holds: measured ")
    assert text in str(found)
    # A run agrees with the record, unless it is said not to.
    assert str(found) == card.text(found.claim, found.comparison, found.contrast)
    assert found._repr_mimebundle_()["text/html"] == card.html(found.claim, found.comparison, found.contrast)


def test_html_says_verdict_in_words_and_has_an_anchor() -> None:
    found = outcome("close", 0.1, 2.0, 2.0, verdict="holds as corrected", printed=1.0, holds="It is twice that.")
    page = ElementTree.fromstring(found._repr_mimebundle_()["text/html"])
    assert page.attrib["id"] == "claim-an-id"
    assert {"mtl-claim", "mtl-verdict-holds-as-corrected", "mathjax_process"} <= set(page.attrib["class"].split())
    badge = page.find(".//strong")
    assert badge is not None
    assert "".join(badge.itertext()) == "✓* holds as corrected"
    words = " ".join(page.itertext())
    for part in ("Wu, Zhang & Ré (2020), Thm. 2, App. B", "Instead: It is twice that.", "Reasons."):
        assert part in words
    assert table(found) == {
        "the statement": {"measured": "2", "expected": "2", "deviation": "difference < 1e-10", "allowed": "0.1"},
        "as printed": {"measured": "2", "expected": "1", "deviation": "difference 1", "allowed": "0.1"},
    }


def test_formulas_and_markup_in_html() -> None:
    found = outcome("close", 1.0, 0.0, statement=r"For $A < 1$ & <b>, $s^2$; costs \$5.", why="$1/N$ bias by `fit`.")
    html = found._repr_mimebundle_()["text/html"]
    assert r"For \(A &lt; 1\) &amp; &lt;b&gt;, \(s^2\); costs $5." in html
    assert r"\(1/N\) bias by <code>fit</code>." in html
    ElementTree.fromstring(html)


def test_the_page_decides_on_colours_and_the_card_brings_its_own_elsewhere() -> None:
    sheet = (Path(__file__).parents[2] / "book/_static/mtlbook.css").read_text(encoding="utf8")
    html = outcome("close", 1.0, 0.0)._repr_mimebundle_()["text/html"]
    fixed = re.findall(r"(?<!-)#[0-9a-f]{3,6}", html)
    assert fixed == re.findall(r"var\(--mtl-[a-z-]+,(#[0-9a-f]{3,6})\)", html) != []
    short = {
        "holds as corrected": "corrected",
        "holds in part": "part",
        "not checked": "unchecked",
        NOT_JUDGED: "unchecked",
        TOO_COARSE: "unchecked",
        TOO_FEW: "unchecked",
        ELSEWHERE: "unchecked",
        OTHERWISE: "fails",
    }
    for verdict, colour in COLOURS.items():
        name = short.get(verdict, verdict)
        assert f"--mtl-{name}: {colour};" in sheet


def page(found: claims.Outcome) -> ElementTree.Element:
    return ElementTree.fromstring(found._repr_mimebundle_()["text/html"])


def words(element: ElementTree.Element | None) -> str:
    assert element is not None
    return "".join(element.itertext())


def test_what_is_seen_at_once_and_what_is_behind_details() -> None:
    fields = {
        "resolves": resolution("2 %"),
        "quantity": "benefit of task $A$",
        "scope": "Five sizes",
        "wider": "Few.",
        "status": "derived",
    }
    root = page(outcome("z-score", 5.0, 1.01, 1.0, 0.0025, allowance=0.00375, **fields))
    details = root.find("details")
    assert details is not None
    hidden = words(details)
    root.remove(details)
    seen = words(root)
    assert seen == "✓ holds Wu, Zhang & Ré (2020), Thm. 2, App. B · derived. It is so."
    assert hidden.startswith(r"How it was checkedBenefit of task \(A\)")
    assert hidden.endswith("Tested for: Five sizes.Reasons. Wider because: Few.an-id")


def test_the_fold_says_what_all_claims_of_the_chapter_share() -> None:
    for scope, said in (("Five sizes", "Tested for: Five sizes. "), ("", "")):
        shown = page(outcome("close", 0.1, 1.0, 1.0, scope=scope, conditions="50 rows."))
        assert words(shown.find("details/p[@class='mtl-claim-scope']")) == f"{said}Unless said otherwise: 50 rows."


def test_a_check_says_what_it_supports() -> None:
    check = page(outcome("close", 0.1, 1.0, 1.0, paper="beyond", supports="another", status="derived"))
    assert check.attrib["data-supports"] == "another"
    assert "Also checked · derived." in words(check)


CORRECTED = {"verdict": "holds as corrected", "printed": 3.0, "weight": "misprint"}
PART = {"verdict": "holds in part", "outside": (3.0, 1.0), "judged_on": "reduced size"}
STAND_IN = {
    "verdict": "not checked",
    "judged_on": "other data",
    "outcome": "fails",
    "reason": "No data.",
    "holds": "Less.",
}


@pytest.mark.parametrize(
    ("fields", "met", "badge"),
    [
        (CORRECTED, 1.0, "✓* holds as corrected: misprint"),
        (PART, 1.0, "◐ holds in part, at reduced size"),
        (STAND_IN, 3.0, "– not checked, on other data: fails"),
    ],
)
def test_a_badge_says_what_is_corrected_and_on_what_it_was_judged(
    fields: dict[str, Any], met: float, badge: str
) -> None:
    found = outcome("close", 0.1, met, 1.0, **fields)
    assert words(page(found).find(".//strong")) == badge
    assert str(found).startswith(f"an-id: {badge.split(' ', 1)[1].replace(': misprint', '')}: measured")
    otherwise = page(outcome("close", 0.1, 4.0 - met + 1.0 * (met == 1.0), 1.0, **fields)).find(".//strong")
    assert words(otherwise) == f"≠ {OTHERWISE}"


def test_what_another_setting_shows_is_asserted_and_stands_beside_the_reason() -> None:
    found = outcome("close", 0.1, 3.0, 1.0, **STAND_IN)
    assert found.agrees
    assert not outcome("close", 0.1, 1.0, 1.0, **STAND_IN).agrees  # the stand-in no longer fails: the build is red
    assert "On other data: Less." in words(page(found))
    assert "Not checked in the paper's setting: No data." in words(page(found))
    assert found.record()["verdict"] == "fails"


def table(found: claims.Outcome) -> dict[str, dict[str, str]]:
    """The numbers behind "How it was checked": by row and column."""
    root = page(found).find("details/table")
    assert root is not None
    head = [words(cell) for cell in root.findall("thead/tr/*")]
    rows = [[words(cell) for cell in row] for row in root.findall("tbody/tr")]
    named = [row if len(row) == len(head) and head[0] == "" else ["", *row] for row in rows]
    columns = [name for name in head if name]
    return {name: {c: v for c, v in zip(columns, cells, strict=True) if v} for name, *cells in named}


@pytest.mark.parametrize(("proof", "anchor"), [("thm-noise-edge", "#thm-noise-edge"), ("eq-y", "#equation-eq-y")])
def test_a_proved_statement_links_to_its_proof(proof: str, anchor: str) -> None:
    link = page(outcome("close", 0.1, 1.0, 1.0, status="proved", proof=proof)).find(".//span/a")
    assert link is not None
    assert (link.get("href"), link.text) == (anchor, "proved")


@pytest.mark.parametrize(
    ("found", "row"),
    [
        (
            outcome("exceeds", 4.0, 2.0, 1.0, 0.1, allowance=0.1),
            {"measured": "2 ± 0.1", "expected": "1", "deviation": "z = 9.00 beyond the allowance",
             "allowed": "more than 1.5"},
        ),
        (
            outcome("exceeds", 4.0, [2.0, 3.0], [1.0, 1.0], [0.1, 0.1]),
            {"measured": "2 ± 0.1", "expected": "1", "deviation": "z = 10.00", "allowed": "more than 1.4",
             "case": "nearest to failing of 2"},
        ),
        (
            outcome("close", 0.1, [1.0, 1.5, 1.6], 1.0, verdict="fails"),
            {"measured": "1.6", "expected": "1", "deviation": "difference 0.6", "allowed": "0.1",
             "case": "worst of 3, 2 missed"},
        ),
        (
            outcome("close", 1e-10, [1.0, 2.0], [1.0, 2.0]),
            {"deviation": "difference < 1e-10", "allowed": "1e-10", "case": "nearest to failing of 2"},
        ),
        (
            outcome("relative", 0.1, 1.0, 2.0, verdict="fails"),
            {"measured": "1", "expected": "2", "deviation": "relative difference 0.5", "allowed": "0.1",
             "case": "worst of 1, 1 missed"},
        ),
        (outcome("at-most", 0.1, 0.01), {"measured": "0.01", "allowed": "at most 0.1"}),
        (
            outcome("z-score", 4.0, 1.0, 1.0, 0.1, resolves=resolution(0.5)),
            {"measured": "1 ± 0.1", "expected": "1", "deviation": "z = 0.00", "allowed": "± 0.4", "seen from": "0.4"},
        ),
    ],
)  # fmt: skip
def test_numbers(found: claims.Outcome, row: dict[str, str]) -> None:
    row.pop("case") if row.get("case", "").startswith("worst of 1,") else None
    assert table(found)[""] == row
    assert page(found).find("details/table/thead/tr/td") is None  # a single row has no name, and no column of names


@pytest.mark.parametrize("measured", [1.0, 1.03, 9.0])
@pytest.mark.parametrize("error", [0.005, 0.01, 0.2])
def test_badge_and_sight_follow_the_numbers(measured: float, error: float) -> None:
    """Of a claim on record as holding: 1, to be told from 1.05."""
    found = outcome("z-score", 4.0, measured, 1.0, error, resolves=resolution(0.05))
    badge, said = words(page(found).find(".//strong"))[2:], str(found)
    seen, missed = 4 * error, abs(measured - 1) > 4 * error
    assert badge == (OTHERWISE if missed else TOO_FEW if seen > 0.05 else "holds")
    assert f"would have seen {card.number(seen)}" in said
    assert table(found)[""]["seen from"] == card.number(seen)
    record = page(found).find("p[@class='mtl-claim-record']")
    assert (record is None) == (badge == "holds")
    assert record is None or words(record).endswith("On record: ✓ holds.")
    assert said.startswith("an-id: holds: " if badge == "holds" else f"an-id: {badge} (on record: holds): ")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (outcome("close", 0.1, 1.5, 1.0), "This run: the statement is missed: measured 1.5, expected 1, difference"),
        (outcome("close", 0.1, 1.0, 1.0, verdict="fails"), "This run: the statement is met: measured 1, expected 1, "),
        (
            outcome("close", 0.1, 2.0, 2.0, verdict="holds as corrected", printed=2.05),
            "This run: the statement is met, but as printed too: measured 2, expected 2.05, difference 0.05.",
        ),
        (
            outcome("z-score", 4.0, 1.0, 1.0, 0.1, resolves=resolution(0.3)),
            "This run would have seen a deviation of 0.4; the claim needs a deviation of 0.3: take more seeds.",
        ),
        (
            outcome("exceeds", 4.0, 1.1, 1.0, 0.1, resolves=resolution(0.5)),
            "This run: the statement is neither met nor missed: measured 1.1 ± 0.1, to exceed 1, z = 1.00.",
        ),
    ],
)
def test_what_stands_beside_the_record(found: claims.Outcome, said: str) -> None:
    assert words(page(found).find("p[@class='mtl-claim-record']")).startswith(said)


@pytest.mark.parametrize(("chapter", "up"), [("intro", ""), ("part1/x", "../"), ("part1/sub/x", "../../")])
def test_id_links_to_the_row_of_the_scoreboard(chapter: str, up: str) -> None:
    link = page(outcome("close", 1.0, 0.0, chapter=chapter)).find(".//details//a")
    assert link is not None
    assert link.attrib["href"] == f"{up}reference/scoreboard.html#claim-row-an-id"
    assert words(link) == "an-id"


@pytest.mark.parametrize("verdict", ["holds in part", "fails"])
def test_what_holds_is_said_for_every_correction(verdict: str) -> None:
    contrast = {"outside": (9.0, 0.0)} if verdict == "holds in part" else {}
    found = outcome("close", 1.0, 9.0 * (verdict == "fails"), verdict=verdict, holds="Below one.", **contrast)
    assert "Instead: Below one." in words(page(found))


def test_bundle_has_three_forms() -> None:
    found = outcome("close", 1.0, 0.0)
    bundle = found._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.mtlbook.claim+json"}
    assert bundle["text/plain"] == str(found)
    assert bundle[claims.MIME_TYPE] == found.record()


def test_a_contrast_that_is_not_missed_contradicts_the_record_only_where_it_would_have_been_seen() -> None:
    for error, wanted in ((0.005, OTHERWISE), (0.2, TOO_FEW)):
        fields = PART | {"resolves": resolution(0.05), "outside": (1.0, 1.0, error)}
        assert outcome("z-score", 4.0, 1.0, 1.0, 0.005, **fields).finding == wanted
