"""Cells whose code is folded: neighbours share a fold, and a text, a page's end or open code parts them."""

from docutils import nodes
from docutils.utils import new_document

from bookbuild.typeset import folds


def cell(code: str, *outputs: str, mode: str | None = "input") -> nodes.container:
    made = nodes.container(nb_element="cell_code", **({"hide_mode": mode} if mode else {}))
    made += nodes.container("", nodes.literal_block(code, code), nb_element="cell_code_source")
    made += [nodes.container("", nodes.paragraph(text, text), nb_element="cell_code_output") for text in outputs]
    return made


def joined(*parts: nodes.Node) -> tuple[list[list[str]], str]:
    """The codes under each fold that is left, and all that the page says outside of code, in its order."""
    page = new_document("page")
    section = nodes.section()
    section += list(parts)
    page += section
    folds.join(None, page)  # type: ignore[arg-type]
    rows = [[code.astext() for code in found.findall(nodes.literal_block)] for found in page.findall(folds.folded)]
    return rows, " ".join(text.astext() for text in page.findall(nodes.paragraph))


def test_neighbours_share_a_fold_and_outputs_keep_their_order() -> None:
    parts = cell("a", "one"), cell("b"), cell("c", "two"), nodes.paragraph("", "text"), cell("d", "three")
    assert joined(*parts) == ([["a", "b", "c"], ["d"]], "one two text three")


def test_open_code_and_hidden_outputs_stay_as_they_are() -> None:
    parts = cell("a", "one"), cell("b", "two", mode=None), cell("c", "three"), cell("d", "four", mode="all")
    assert joined(*parts) == ([["a"], ["c"]], "one two three four")
