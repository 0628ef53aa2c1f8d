"""The ways into the book: every chapter is on the map, each way leads to chapters that exist, places are in order."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from docutils import nodes
from docutils.parsers.rst import DirectiveError

from bookbuild.chapters import BOOK, page_title, registered_claims
from bookbuild.front import contents, coverage, papers
from mtlbook_lib.notebook._entry import PAPERS


def test_every_page_of_the_parts_has_a_question_and_no_other_has() -> None:
    known = contents.contents()
    assert list(known["questions"]) == contents.listed()
    assert all(question.endswith("?") for question in known["questions"].values())


def test_ways_and_core_chapters_exist_and_stand_in_the_books_order() -> None:
    known, listed = contents.contents(), contents.listed()
    for names in (known["core"], *known["ways"].values()):
        assert names == [name for name in listed if name in names]
        assert len(names) == len(set(names)) > 3


def test_title_of_a_page_is_its_first_heading(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("(label)=\n# One mode\n\n# Two\n", encoding="utf8")
    assert page_title(page) == "One mode"
    page.write_text("words\n", encoding="utf8")
    assert page_title(page) == ""
    assert all(page_title(BOOK / f"{name}.md") for name in contents.listed())


def test_places_are_sorted_as_a_reader_counts() -> None:
    mixed = ["Eq. 10", "Eq. 9", "Eqs. 9-11", "Fig. 2b", "Fig. 12a", "Fig. 2a", "App. A.2.1", "App. A.2", "App. B"]
    assert sorted(mixed[:3], key=papers.natural) == ["Eq. 9", "Eqs. 9-11", "Eq. 10"]
    assert sorted(mixed[3:6], key=papers.natural) == ["Fig. 2a", "Fig. 2b", "Fig. 12a"]
    assert sorted(mixed[6:], key=papers.natural) == ["App. A.2", "App. A.2.1", "App. B"]
    assert sorted(["Fig. 3 left 2", "Fig. 3 left 1"], key=papers.natural) == ["Fig. 3 left 1", "Fig. 3 left 2"]


def test_what_says_more_of_a_place_makes_no_other_place() -> None:
    entries = [
        {"id": "a", "chapter": "one", "place": ["Sec. 2.3, example", "Fig. 3 (left)"]},
        {"id": "b", "chapter": "two", "place": ["Sec. 2.3", "Sec. 2.3, analysis"]},
    ]
    found = papers.places(entries)
    assert {place: [entry["id"] for entry in mine] for place, mine in found.items()} == {
        "Sec. 2.3": ["a", "b"],
        "Fig. 3": ["a"],
    }
    assert list(papers.by_chapter(found["Sec. 2.3"])) == ["one", "two"]


def test_a_place_has_for_each_chapter_the_first_card_that_does_not_hold_with_its_outcome() -> None:
    first, second, third = contents.listed()[:3]
    verdicts = ((first, "holds"), (first, "holds in part"), (first, "fails"), (second, "holds"), (third, "not checked"))
    common = {"paper": "lee-ndirango", "statement": "It is so. It is more."}
    entries = [common | {"id": v.replace(" ", "-"), "chapter": chapter, "verdict": v} for chapter, v in verdicts]
    entries[1] |= {"holds": "In App. C it is. Elsewhere not.", "judged_on": "reduced size"}
    page = SimpleNamespace(
        uri=lambda chapter, place: f"{chapter}#{place}", text=lambda words: nodes.paragraph(words, words)
    )
    found = papers.Papers._outcomes(page, entries)
    titles = [page_title(BOOK / f"{name}.md") for name in (first, second, third)]
    assert [line.astext() for line in found.children] == [
        f"◐ holds in part, at reduced size {titles[0]}*: It is so. It is more. Instead: In App. C it is.",
        f"✓ holds {titles[1]}: It is so. It is more.",
        f"– not checked {titles[2]}: It is so. It is more.",
    ]
    links = [link["refuri"] for link in found.findall(nodes.reference)]
    assert links == [f"{first}#claim-holds-in-part", f"{second}#claim-holds", f"{third}#"]


def test_each_place_in_a_paper_is_of_a_known_kind() -> None:
    known = {word for words in papers.KINDS.values() for word in words}
    of_papers = [entry for entry in registered_claims() if entry["paper"] != "beyond"]
    assert {place.split()[0] for place in papers.places(of_papers)} <= known


@pytest.fixture
def counts() -> coverage.Counts:
    own = Counter({"holds": 5, "holds in part": 1, "fails": 2, "not judged at this size": 3})
    return {"lee-ndirango": Counter({"holds": 2, "fails": 1}), "wu-zhang-re": Counter({"holds": 4}), "beyond": own}


def test_the_table_counts_papers_alone_and_sums_them(counts: coverage.Counts) -> None:
    rows = {name: [found[verdict] for verdict in ("holds", "fails")] for name, found in coverage.by_row(counts).items()}
    assert rows == {PAPERS["lee-ndirango"]: [2, 1], PAPERS["wu-zhang-re"]: [4, 0], "All four": [6, 1]}


def test_the_books_own_predictions_are_counted_apart(counts: coverage.Counts) -> None:
    text = coverage.own_text(counts["beyond"])
    assert text == (
        "Beside them stand 11 of our own predictions: 5 held, 1 held in part, 2 failed, 3 were not judged at this size."
    )


def test_the_first_screen_says_in_one_line_what_the_papers_got() -> None:
    found = Counter({"holds": 3, "holds in part": 2, "not judged at this size": 1})
    assert coverage.short_text(found) == (
        "The derivations use the singular value decomposition, the answers do not. Of 6 statements of four papers, "
        "3 hold, 0 as corrected, 2 in part, 0 fail, 0 were run in another setting only, 0 are unchecked, "
        "1 were not judged at this size."
    )


def directive(kind: type, patch: pytest.MonkeyPatch, *arguments: str, **options: Any) -> contents.ContentsDirective:
    """One that names chapters instead of linking them, in a book of three chapters."""
    known = {
        "core": ["part2/b"],
        "beyond": ["part2/c"],
        "ways": {"hour": ["part1/a", "part2/b"]},
        "questions": {"part1/a": "Why a?", "part2/b": "Why b?", "part2/c": "How c?"},
    }
    patch.setattr(contents, "contents", lambda: known)
    patch.setattr(contents, "listed", lambda: list(known["questions"]))
    patch.setattr(contents, "parts", lambda: {"part1": "Part I: One", "part2": "Part II: Two"})
    patch.setattr(kind, "chapter", lambda self, name: nodes.paragraph("", "", nodes.reference("", name)))
    return kind("", list(arguments), options, [], 1, 0, "", None, SimpleNamespace(reporter=None))


def test_a_way_is_a_list_with_questions_or_in_short_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = directive(contents.Way, monkeypatch, "hour", short=None).content_nodes()
    assert isinstance(line, nodes.paragraph)
    assert line.astext() == "part1/a → part2/b"
    (long,) = directive(contents.Way, monkeypatch, "hour").content_nodes()
    assert isinstance(long, nodes.enumerated_list)
    assert [item.astext() for item in long.children] == ["part1/a: why a?", "part2/b: why b?"]
    with pytest.raises(DirectiveError) as refused:
        directive(contents.Way, monkeypatch, "day").content_nodes()
    assert refused.value.msg == "contents.yml has no way 'day'; it has hour."


def test_the_map_names_each_part_once_and_what_goes_beyond_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (table,) = directive(contents.Map, monkeypatch).content_nodes()
    rows = [[cell.astext() for cell in row.findall(nodes.entry)] for row in table.findall(nodes.row)]
    assert rows == [
        ["Part", "Core", "Chapter", "Question"],
        ["I: One", "", "part1/a", "Why a?"],
        ["II: Two", "●", "part2/b", "Why b?"],
        ["Beyond the papers", "", "part2/c", "How c?"],
    ]


def test_the_law_of_a_slide_is_an_equation_of_its_chapter() -> None:
    laws = contents.contents()["laws"]
    texts = {name: (BOOK / f"{name}.md").read_text(encoding="utf8") for name in laws}
    assert [name for name, law in laws.items() if f"\n$$ ({law})" not in texts[name]] == []
