"""How an outcome reads: rounded, the same on every machine, and safe as HTML."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mtlbook_lib.notebook import card, claims
from mtlbook_lib.notebook._entry import NOT_JUDGED, SYMBOLS, VERDICTS, resolution
from mtlbook_lib.notebook.card import COLOURS
from mtlbook_lib.notebook.register import Claim


def outcome(check: str, tolerance: Any, *numbers: Any, verdict: str = "holds", **fields: Any) -> claims.Outcome:
    contrast = {key: fields.pop(key) for key in ("printed", "outside") if key in fields}
    values = {
        "statement": "It is so.",
        "allowance": 0.0,
        "why": "Reasons.",
        "chapter": "x",
        "correction": "",
        "reason": "",
    } | fields
    paper = values.pop("paper", "wu-zhang-re")
    claim = Claim("an-id", paper, ("Thm. 2", "App. B"), check=check, tolerance=tolerance, verdict=verdict, **values)
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
    # A run is one that decides, unless it is said not to.
    assert str(found) == card.text(found.claim, found.comparison, found.contrast)
    assert found._repr_mimebundle_()["text/html"] == card.html(found.claim, found.comparison, found.contrast)


def test_text_names_the_number_of_cases() -> None:
    assert "worst of 3 cases (case 2) (tol" in str(outcome("close", 0.1, [1.0, 1.05, 1.0], 1.0))
    missed = outcome("close", 0.1, [1.0, 1.5, 1.6], 1.0, verdict="fails")
    assert "measured 1.6, expected 1, difference 0.6, worst of 3 cases (case 3), 2 missed (tol" in str(missed)


def test_which_case_is_worst_is_not_said_where_it_is_chance() -> None:
    one = outcome("close", 1e-10, [1.0, 2.0 + 1e-15], [1.0, 2.0])
    other = outcome("close", 1e-10, [1.0 + 1e-15, 2.0], [1.0, 2.0])
    assert str(one) == str(other) == "an-id: holds: difference < 1e-10, worst of 2 cases (tolerance 1e-10)"


def test_second_line_of_a_contrast() -> None:
    corrected = outcome("close", 0.1, 2.0, 2.0, verdict="holds as corrected", printed=1.0)
    assert str(corrected).splitlines()[1] == "as printed: measured 2, expected 1, difference 1"
    part = outcome("z-score", 4.0, 2.0, 2.0, 0.1, verdict="holds in part", outside=(3.0, 2.0, 0.1))
    assert str(part).splitlines()[1] == "outside its part: measured 3 ± 0.1, expected 2, z = 10.00"


def test_html_says_verdict_in_words_and_has_an_anchor() -> None:
    found = outcome("close", 0.1, 2.0, 2.0, verdict="holds as corrected", printed=1.0, correction="It is twice that.")
    page = ElementTree.fromstring(found._repr_mimebundle_()["text/html"])
    assert page.attrib["id"] == "claim-an-id"
    assert {"mtl-claim", "mtl-verdict-holds-as-corrected", "mathjax_process"} <= set(page.attrib["class"].split())
    badge = page.find(".//strong")
    assert badge is not None
    assert "".join(badge.itertext()) == "✓* holds as corrected"
    words = " ".join(page.itertext())
    for part in ("Wu, Zhang & Ré (2020), Thm. 2, App. B", "What holds: It is twice that.", "Measured 2, expected 2",
                 "The printed form fails: measured 2, expected 1", "Tolerance 0.1. Reasons.",
                 "allowed difference 0.1"):  # fmt: skip
        assert part in words


def test_html_without_contrast_says_nothing_of_it() -> None:
    words = outcome("at-most", 0.1, 0.01)._repr_mimebundle_()["text/html"]
    assert "missed" not in words
    assert "What holds" not in words


def test_formulas_and_markup_in_html() -> None:
    found = outcome("close", 1.0, 0.0, statement=r"For $A < 1$ & <b>, $s^2$; costs \$5.", why="$1/N$ bias.")
    html = found._repr_mimebundle_()["text/html"]
    assert r"For \(A &lt; 1\) &amp; &lt;b&gt;, \(s^2\); costs $5." in html
    assert r"\(1/N\) bias." in html
    ElementTree.fromstring(html)


def test_the_page_decides_on_colours_and_the_card_brings_its_own_elsewhere() -> None:
    sheet = (Path(__file__).parents[2] / "book/_static/mtlbook.css").read_text(encoding="utf8")
    html = outcome("close", 1.0, 0.0)._repr_mimebundle_()["text/html"]
    fixed = re.findall(r"(?<!-)#[0-9a-f]{3,6}", html)
    assert fixed == re.findall(r"var\(--mtl-[a-z-]+,(#[0-9a-f]{3,6})\)", html) != []
    short = {"holds as corrected": "corrected", "holds in part": "part", NOT_JUDGED: "unchecked"}
    for verdict, colour in COLOURS.items():
        name = short.get(verdict, verdict)
        assert f"--mtl-{name}: {colour};" in sheet


def test_every_verdict_has_its_own_symbol() -> None:
    assert set(SYMBOLS) == set(VERDICTS)
    assert len(set(SYMBOLS.values())) == len(VERDICTS)


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
    root = page(outcome("z-score", 5.0, 1.05, 1.0, 0.0025, allowance=0.00375, **fields))
    details = root.find("details")
    assert details is not None
    hidden = words(details)
    root.remove(details)
    seen = words(root)
    assert seen.startswith("✓ holds Wu, Zhang & Ré (2020), Thm. 2, App. B · derived. It is so. Tested for: Five sizes.")
    assert seen.endswith(
        r"Benefit of task \(A\): 1.05 ± 0.0025, expected 1; allowed deviation 0.01625; "
        "an effect of 2 % would surely have been seen."
    )
    assert hidden.startswith("How it was checkedan-id")
    assert "Check: z-score (z = 18.50 beyond the allowance). Tolerance 5 standard errors + 0.00375." in hidden
    assert hidden.endswith("Reasons. Wider because: Few.")
    assert "Tested for" not in hidden


@pytest.mark.parametrize(("proof", "anchor"), [("thm-noise-edge", "#thm-noise-edge"), ("eq-y", "#equation-eq-y")])
def test_a_proved_statement_links_to_its_proof(proof: str, anchor: str) -> None:
    link = page(outcome("close", 0.1, 1.0, 1.0, status="proved", proof=proof)).find(".//span/a")
    assert link is not None
    assert (link.get("href"), link.text) == (anchor, "proved")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (outcome("exceeds", 4.0, 2.0, 1.0, 0.1, allowance=0.1), "Measured 2 ± 0.1; needed more than 1.5."),
        (
            outcome("exceeds", 4.0, [2.0, 3.0], [1.0, 1.0], [0.1, 0.1]),
            "Measured 2 ± 0.1, the nearest to failing of 2 cases; needed more than 1.4.",
        ),
        (
            outcome("close", 0.1, [1.0, 1.5, 1.6], 1.0, verdict="fails"),
            "Measured 1.6, expected 1, difference 0.6, the worst of 3 cases, 2 missed; allowed difference 0.1.",
        ),
        (
            outcome("close", 1e-10, [1.0, 2.0], [1.0, 2.0]),
            "Difference < 1e-10, the nearest to failing of 2 cases; allowed difference 1e-10.",
        ),
        (
            outcome("relative", 0.1, 1.0, 2.0, verdict="fails"),
            "relative difference 0.5; allowed relative difference 0.1.",
        ),
        (outcome("at-most", 0.1, 0.01), "Measured 0.01; required: at most 0.1."),
        (
            outcome("z-score", 4.0, 1.0, 1.0, 0.1, resolves=resolution(0.5)),
            "allowed deviation 0.4; an effect of 0.5 would surely have been seen.",
        ),
    ],
)
def test_line_of_numbers(found: claims.Outcome, said: str) -> None:
    assert words(page(found).find("p[@class='mtl-claim-numbers']")).endswith(said)


def test_a_long_scope_is_behind_details() -> None:
    root = page(outcome("close", 1.0, 0.0, scope="Sizes. " * 20))
    assert "Tested for: Sizes." in words(root.find("details"))
    assert not any("Tested for" in words(line) for line in root.findall("p"))


def test_what_is_no_papers_is_ours() -> None:
    card = page(outcome("close", 1.0, 0.0, paper="beyond"))
    assert words(card.find("p/span[@class='mtl-claim-source']")) == "Ours."


@pytest.mark.parametrize(("chapter", "up"), [("intro", ""), ("part1/x", "../"), ("part1/sub/x", "../../")])
def test_id_links_to_the_row_of_the_scoreboard(chapter: str, up: str) -> None:
    link = page(outcome("close", 1.0, 0.0, chapter=chapter)).find(".//a")
    assert link is not None
    assert link.attrib["href"] == f"{up}reference/scoreboard.html#claim-row-an-id"
    assert words(link) == "an-id"


@pytest.mark.parametrize("verdict", ["holds in part", "fails"])
def test_what_holds_is_said_for_every_correction(verdict: str) -> None:
    contrast = {"outside": (9.0, 0.0)} if verdict == "holds in part" else {}
    found = outcome("close", 1.0, 9.0 * (verdict == "fails"), verdict=verdict, correction="Below one.", **contrast)
    assert "What holds: Below one." in words(page(found))


def test_bundle_has_three_forms() -> None:
    found = outcome("close", 1.0, 0.0)
    bundle = found._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.mtlbook.claim+json"}
    assert bundle["text/plain"] == str(found)
    assert bundle[claims.MIME_TYPE] == found.record()


def test_score_and_case_are_behind_details() -> None:
    root = page(outcome("exceeds", 4.0, [3.0, 2.0], [1.0, 1.0], [0.1, 0.1]))
    assert "Check: exceeds (z = 10.00, case 2 of 2)." in words(root.find("details"))
    part = outcome("exceeds", 4.0, 2.0, 1.0, 0.1, verdict="holds in part", outside=(1.1, 1.0, 0.1))
    said = words(page(part).find("p[@class='mtl-claim-contrast']"))
    assert said == "Outside these conditions the statement fails: measured 1.1 ± 0.1; needed more than 1.4."
