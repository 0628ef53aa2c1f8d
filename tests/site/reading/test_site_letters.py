"""Panels are lettered a, b, c in reading order, a figure of one panel has no letter, and captions name these alone."""

import re
from pathlib import Path

FIGURE, LETTER = '<div class="mtl-figure"', re.compile(r'<div class="mtl-panel"[^>]*? data-letter="([^"]*)"')
BRIEF = '<div class="mtl-brief">'
SMALL = BRIEF, '<div class="mtl-thumbnail" aria-hidden="true">'
CAPTION = re.compile(r"<figcaption.*?</figcaption>", re.DOTALL)
NAMED = re.compile(r"\(([a-h](?:(?:, ?|–)[a-h])*)\)")


def out_of_order(html: str) -> list[str]:
    """What is wrong with the letters of a page's figures."""
    wrong = []
    before, *parts = html.split(FIGURE)
    for part in parts:
        letters = LETTER.findall(part)
        due = list("abcdefgh")[: len(letters)] if len(letters) > 1 else [""]
        if before.endswith(SMALL):  # of many panels these show the ends
            due = ["a", *letters[1:]] if letters == sorted(set(letters)) and len(letters) == 2 else due
        before = part
        caption = CAPTION.search(part)
        named = {
            letter for place in NAMED.findall(caption[0] if caption else "") for letter in re.findall("[a-h]", place)
        }
        if letters != due or not named <= set(due):
            wrong.append(f"panels {letters}, in the caption {sorted(named)}")
    return wrong


def test_letters_that_are_out_of_order_are_found() -> None:
    def figure(letters: list[str], caption: str = "") -> str:
        panels = "".join(f'<div class="mtl-panel" data-letter="{letter}"><svg></svg></div>' for letter in letters)
        return f"{FIGURE}>{panels}</div><figcaption>{caption}</figcaption>"

    assert out_of_order(figure(["a", "b", "c"], "(a) One. (b, c) Two.") + figure([""], "Fig. 3 c of the paper.")) == []
    assert out_of_order(BRIEF + figure(["a", "d"])) == []
    assert len(out_of_order(BRIEF + figure(["b", "d"]))) == 1
    for letters, caption in ((["a", "b", "e"], ""), (["", ""], ""), (["b"], ""), (["a", "b"], "(a–c) All.")):
        assert len(out_of_order(figure(letters, caption))) == 1


def test_panels_are_lettered_in_reading_order(site: Path) -> None:
    pages = {path: path.read_text(encoding="utf8") for path in site.glob("book/**/*.html")}
    assert sum("data-letter" in html for html in pages.values()) > 30
    wrong = {name: out_of_order(html) for name, html in pages.items()}
    assert {name: found for name, found in wrong.items() if found} == {}
