"""Blocks of the book in a notebook that only knows plain Markdown: quotes, and what a reader opens."""

import pytest

from bookbuild.front.quotes import Quotes

NUMBERS = {"{prf:ref}`thm-a`": "Theorem 2.1", "{ref}`ex-a`": "Exercise 2.3"}


def written(text: str) -> str:
    for role, number in NUMBERS.items():
        text = text.replace(role, number)
    return text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (":::{admonition} In brief\n**One** thing.\n\n```{verdicts}\n```\n:::\n\nMore.",
         "> **In brief.**\n>\n> **One** thing.\n\nMore."),
        ("```{prf:theorem} A name\n:label: thm-a\n\nLet\n\n$$\na\n= b\n$$\n```",
         "> **Theorem 2.1 (A name).**\n>\n> Let\n>\n> $$a = b$$"),
        ("```{prf:theorem}\n:label: thm-unknown\n\nSo.\n```", "> **Theorem.**\n>\n> So."),
        ("```{exercise}\n:label: ex-a\nWhy?\n```", "> **Exercise 2.3.**\n>\n> Why?\n<!-- answer: -->"),
        (":::{admonition} Predict first\n:class: tip\nHow much?\n:::", "> **Predict first.**\n>\n> How much?"),
        ("```{prf:proof}\n:class: dropdown\n\nAs\n\n$$\na\n$$\n```",
         "<details>\n<summary>Proof</summary>\n\nAs\n\n$$\na\n$$\n\n</details>"),
        ("```\n:::{admonition} shown as it is\n```", "```\n:::{admonition} shown as it is\n```"),
        (":::{exercise}\n:label: ex-a\nHow many?\n\n```{answer} The number\n:number: 2.5\n:within: 0.1\n```\n:::",
         "> **Exercise 2.3.**\n>\n> How many?\n>\n"
         "> *The number:* in the cell below, in place of `None`.\n<!-- answer:2.5 0.1 -->"),
        ("by {prf:ref}`thm-a`", "by Theorem 2.1"),
    ],
)  # fmt: skip
def test_a_block_becomes_plain(text: str, plain: str) -> None:
    assert Quotes(written)(text) == plain


def test_a_solution_is_opened_with_its_words_in_every_cell() -> None:
    quoted = Quotes(written)
    start = ":::{exercise}\n:label: ex-a\nWhy?\n:::\n\n:::{solution-start} ex-a\n:class: dropdown\n:::\n\nSo."
    opened = "<details>\n<summary>Solution of Exercise 2.3</summary>\n\n\nSo.\n\n</details>"
    assert quoted(start) == f"> **Exercise 2.3.**\n>\n> Why?\n<!-- answer: -->\n\n{opened}"
    assert quoted.inside
    more = "<details>\n<summary>The solution, continued</summary>\n"
    assert quoted("And so.") == f"{more}\nAnd so.\n\n</details>"
    assert quoted("At last.\n\n:::{solution-end}\n:::\n\nNext.") == f"{more}\nAt last.\n\n\n</details>\n\n\nNext."
    assert not quoted.inside


def test_the_end_of_a_solution_that_says_nothing_opens_nothing() -> None:
    quoted = Quotes()
    quoted(":::{solution-start} ex-a\n:::\nSo.")
    assert quoted(":::{solution-end}\n:::\n\nNext.") == "Next."
    assert (quoted.inside, quoted("After.")) == (False, "After.")
