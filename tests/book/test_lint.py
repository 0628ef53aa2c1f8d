"""What the lint of the chapters counts: words of a summary, and whether anything is said before the first figure
and before a printed result."""

import pytest

from bookbuild import lint

BOX = ":::{admonition} In brief\n**It is so** ({numref}`fig-one`).\n:::\n\n**Needs:** nothing\n\n"
SETUP = "```{code-cell} ipython3\n:tags: [hide-input]\nimport numpy as np\n```\n\n"
FIGURE = "```{code-cell} ipython3\n---\nmystnb:\n  figure:\n    name: fig-one\n---\ndraw()\n```\n\n"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (BOX + SETUP + FIGURE + "Here is a network.\n", True),
        (BOX + SETUP + "Here is a network.\n\n" + FIGURE, False),
        (BOX + "Here is a network.\n\n" + SETUP + FIGURE, False),
        (BOX + SETUP + "Here is a network.\n", False),
        (SETUP + FIGURE, False),
    ],
)
def test_a_figure_before_the_first_sentence_is_found(text: str, first: bool) -> None:
    assert lint.shows_first(text) is first


PRINTS = "```{code-cell} ipython3\nprint(1)\n```\n\n"
TABLE = "```{code-cell} ipython3\n:tags: [hide-input]\n\ntables.show([], [])\n```\n\n"
CARD = "```{code-cell} ipython3\nclaims.check('one', 1)\n```\n\n"
SILENT = "```{code-cell} ipython3\nx = 1\n```\n\n"
SOLUTION = ":::{solution-start} ex-one\n:class: dropdown\n:::\n\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("How many are there?\n\n" + PRINTS, []),
        ("How many are there?\n\n" + SILENT + PRINTS, []),
        ("How many are there?\n\n" + CARD + CARD, []),
        ("## Results\n\n" + PRINTS, [3]),
        ("How many are there?\n\n" + PRINTS + TABLE, [7]),
        ("How many are there?\n\n" + CARD + SILENT + PRINTS, [11]),
        ("How many are there?\n\n" + CARD + "So many are left:\n\n" + PRINTS, []),
        ("How many are there?\n\n" + SOLUTION + PRINTS, [7]),
        ("How many are there?\n\n" + SOLUTION + "These are left:\n\n" + PRINTS, []),
        (PRINTS, [1]),
    ],
)
def test_a_number_that_no_sentence_announces_is_found(text: str, lines: list[int]) -> None:
    assert lint.unannounced(text) == lines


def test_words_and_numbers_of_a_summary() -> None:
    assert lint.counts("At 3 % of $x^2$ it is 0.25, or 1,000.") == (9, 3)


def test_no_chapter_is_out_of_bounds() -> None:
    assert lint.early_figures() + lint.long_summaries() + lint.bare_results() == []
