"""What the lint of the chapters counts: words of a summary, where a chapter leads, what laws rest on, captions."""

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from bookbuild import lint


def test_words_and_numbers_of_a_summary() -> None:
    assert lint.counts("At 3 % of $x^2$ it is 0.25, or 1,000.") == (9, 3)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("# One\n\n**Needs:** nothing\n\n## Results\n\nSo.\n\n**Next:** [Two](two.md): more\nof it.\n", ""),
        ("# One\n\n## Results\n\n**Needs:** nothing\n\n**Next:** [Two](two.md).\n", "Needs"),
        ("# One\n\n**Needs:** nothing\n\n## Results\n\n**Next:** [Two](two.md).\n\nOne more thing.\n", "Next"),
        ("# One\n\n**Needs:** nothing\n", "Next"),
    ],
)
def test_a_chapter_that_is_not_connected_is_found(text: str, missing: str) -> None:
    assert [found for found in ("Needs", "Next") if found in " ".join(lint.gaps(text))] == missing.split()


LAW = "$$\nx = 1\n$$ (eq-x)\n\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Law\n\n" + LAW, ["eq-x"]),
        ("## Law\n\n**Derivation.** Add up.\n\n" + LAW, []),
        ("## Law\n\n**Large factors. Measurement.** Seen.\n\n" + LAW, []),
        ("## Law\n\n```{prf:theorem} One\n" + LAW + "```\n", []),
        ("## The derivation\n\n" + LAW, []),
        ("## Law\n\nBy **derivation** or measurement.\n\n" + LAW, ["eq-x"]),
        ("## One\n\n**Derivation.** Add up.\n\n## Two\n\n" + LAW, ["eq-x"]),
        ("## One\n\n" + LAW + "### Two\n\n**Derivation.** Add up.\n", ["eq-x"]),
    ],
)
def test_a_law_that_rests_on_nothing_is_found(text: str, found: list[str]) -> None:
    assert lint.unmarked(text) == found


def test_leave_that_no_equation_needs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "NO_LAW", lint.NO_LAW - {"eq-leaky"} | {"eq-gone"})
    assert lint.laws_without_status() == [
        "part2/nonlinear: no theorem, derivation or measurement near eq-leaky",
        "eq-gone is in NO_LAW and need not be",
    ]


def cell(source: str, **figure: str) -> NotebookNode:
    return new_code_cell(source, metadata={"mystnb": {"figure": figure}} if figure else {})


def test_a_figure_without_a_name_or_a_caption_is_found() -> None:
    whole = {"name": "fig-one", "caption": "What is seen."}
    drawn = "panels = draw()\npictures.show(*panels)"
    sound = [cell(drawn, **whole), cell("frames.slider(draw)", **whole), cell("pictures.size = 3"),
             new_markdown_cell("pictures.show(x)")]  # fmt: skip
    assert lint.nameless(sound) == []
    faulty = [cell(drawn), cell(drawn, name="fig-one"), cell(drawn, caption="Seen."),
              cell(drawn, name="fig-one", caption=" "), cell("frames.choice(draw)"), cell("x", name="fig")]  # fmt: skip
    assert len(lint.nameless(faulty)) == len(faulty)
    assert lint.nameless(faulty)[0] == "a figure has no name or no caption: pictures.show(*panels)"


def test_the_message_of_a_long_summary_says_that_digits_count(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lint.counts("Five of 6 in three") == (5, 1)
    monkeypatch.setattr(lint, "NUMBERS", -1)
    assert "numbers in digits; at most 70 and -1" in lint.counted()[0]


def test_whatever_is_found_is_told_and_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    names = ["long_summaries", "uncaptioned", "unconnected", "laws_without_status", "two_spellings", "empty_rows"]
    monkeypatch.setattr(lint, "chapters", list)
    for name in names:
        monkeypatch.setattr(lint, name, list)
    assert lint.main() == 0
    for name in names:
        monkeypatch.setattr(lint, name, lambda name=name: [name])
    assert lint.main() == 1
    assert capsys.readouterr().out.split() == names


def test_no_chapter_is_out_of_bounds() -> None:
    found = lint.counted() + lint.unconnected() + lint.laws_without_status()
    assert found + lint.two_spellings() + lint.empty_rows() == []


def test_a_word_has_one_spelling() -> None:
    page = 'Fine-tuned, not finetuned.\n\n```{code-cell} ipython3\nname = "fine-tuned"\n```\n'
    assert lint.misspelled(page) == ["Fine-tuned"]
    assert lint.misspelled("Generalize a resized prize, normalised.") == ["Generalize"]
    quoted = 'From "small initialization": `optimize`, [curves](generalization.md), {py:mod}`~a.generalization`.'
    assert lint.misspelled(quoted + " Regularization") == ["Regularization"]


def test_a_row_with_nothing_below_it_is_found() -> None:
    def tagged(source: str, *tags: str) -> NotebookNode:
        return new_code_cell(source, metadata={"tags": list(tags)})

    cells = [tagged("import numpy\nx = 1", "hide-input"), tagged("import numpy", "hide-input", "remove-input"),
             tagged("print(1)", "hide-input"), tagged("x = 1")]  # fmt: skip
    assert lint.silent(cells) == ["import numpy"]
