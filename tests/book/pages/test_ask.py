"""Questions with choices: what the directive makes, on the page and in a notebook, and what it refuses."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.parsers.rst import DirectiveError

from bookbuild.front.quotes import Quotes
from bookbuild.pages.ask import Ask


def made(*children: nodes.Node, right: int = 2) -> list[nodes.Node]:
    """What the directive makes of parsed content."""
    state = SimpleNamespace(
        nested_parse=lambda content, offset, inner: inner.extend(children),
        inline_text=lambda text, line: ([nodes.Text(text)], []),
    )
    return Ask("ask", ["Which?"], {"right": right}, [], 1, 0, "", state, SimpleNamespace(reporter=None)).run()


def choices(count: int = 3) -> nodes.bullet_list:
    return nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", str(k))) for k in range(count)))


def test_choices_stand_open_and_the_answer_is_folded() -> None:
    (box,) = made(choices(), nodes.paragraph("", "Because."))
    question, listed, said, folded = box.children
    assert box["attributes"] == {"class": "mtl-ask", "data-right": "2"}
    assert (question.astext(), len(listed), said["attributes"]["role"]) == ("Which?", 3, "status")
    assert [child.astext() for child in folded.children] == ["Answer", "Because."]


@pytest.mark.parametrize(
    ("children", "right"),
    [([], 1), ([choices()], 1), ([nodes.paragraph("", "no list")] * 2, 1), ([choices(), nodes.paragraph()], 4)],
)
def test_a_question_without_choices_a_right_one_or_an_answer_is_refused(children: list[nodes.Node], right: int) -> None:
    with pytest.raises(DirectiveError) as refused:
        made(*children, right=right)
    assert "needs a list of choices" in refused.value.msg


def test_a_notebook_has_the_question_and_a_closed_answer() -> None:
    text = ":::{ask} Which?\n:right: 1\n\n- one\n- two\n\nBecause.\n:::"
    wanted = "**Which?**\n\n- one\n- two\n\n<details>\n<summary>Answer</summary>\n\nBecause.\n\n</details>"
    assert Quotes()(text) == wanted
