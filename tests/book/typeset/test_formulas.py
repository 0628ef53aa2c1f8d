"""Formulas typeset when the book is built: in the text, in what cells show, with their punctuation."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from bookbuild.chapters import ROOT
from bookbuild.typeset import formulas

CONF = """
extensions = ["myst_parser", "bookbuild.typeset"]
html_math_renderer = "formulas"
myst_enable_extensions = ["dollarmath", "amsmath"]
"""
PAGE = r"""# Sizes ($N$)

Strengths ($s$), weights $a + b = c$; and $q$'s sign. Name `linear.mode_strength`, option `--decimal-b ','`.

$$
x^2 &= 1 \\
\text{and} \quad & y = \left( 2 \right)
$$ (eq-x)

See {eq}`eq-x`.
"""


def build(folder: Path, page: str) -> tuple[Tag, str]:
    """The body of a page made of `page`, and the warnings."""
    (folder / "conf.py").write_text(CONF)
    (folder / "index.md").write_text(page)
    warnings = (folder / "warnings").open("w+")
    with docutils_namespace():  # leaves nothing behind for the next book of this process
        Sphinx(folder, folder, folder / "html", folder / "trees", "html", status=None, warning=warnings).build()
    warnings.seek(0)
    html = (folder / "html" / "index.html").read_text(encoding="utf8")
    return BeautifulSoup(html, "html.parser").select_one("div.body"), warnings.read()


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> Tag:
    page, warnings = build(tmp_path_factory.mktemp("formulas"), PAGE)
    assert warnings == ""
    return page


def test_every_formula_is_typeset_with_its_mathml(body: Tag) -> None:
    assert len(body.select(".math")) == 5
    assert len(body.select(".math .katex .katex-html")) == len(body.select(".math math")) == 8  # one has four cells
    assert "\\" not in body.get_text()


def test_punctuation_stays_with_its_formula(body: Tag) -> None:
    kept = [re.sub(r"\s", "", span.get_text()) for span in body.select(".mtl-keep")]
    assert kept == ["(NN)", "(ss),", "qq’s"]
    long = body.select_one("p .math:not(.mtl-keep *)")  # it may break inside, but not before the semicolon
    assert len(long.select(".base")) == 3
    assert long.select(".base")[-1].get_text() == "c;"
    assert str(long.next_sibling) == " and "


def test_lines_are_aligned_and_numbers_stand_beside(body: Tag) -> None:
    equation = body.select_one("div.math")
    assert equation["id"] == "equation-eq-x"
    lines = equation.select_one(".mtl-equation > .mtl-lines")
    cells = [re.sub(r"\s", "", cell.select_one(".katex-html").get_text()) for cell in lines.find_all(recursive=False)]
    assert cells == ["x2", "=1", "and", "y=(2)"]
    assert lines.select_one("mtable") is None  # which could not break where the window is narrow
    assert equation.select_one(".eqno").get_text().startswith("(1)")
    assert body.select_one("a[href='#equation-eq-x']:not(.headerlink)").get_text() == "(1)"


def test_a_formula_carries_what_is_copied(body: Tag) -> None:
    copied = [formula["data-copy"] for formula in body.select(".math")]
    assert copied[:4] == ["$N$", "$s$", "$a + b = c$;", "$q$"]
    assert copied[4].startswith(r"$$\begin{aligned}x^2 &= 1 \\ ")


def test_names_break_behind_dots_and_underscores(body: Tag) -> None:
    assert body.select_one("code .pre").decode_contents() == "linear.<wbr/>mode_<wbr/>strength"
    assert formulas.JOINT.sub("|", "_build/slides.pdf") == "_build/slides.|pdf"  # no mark stands alone


def test_an_option_of_a_command_does_not_break_behind_its_dashes(body: Tag) -> None:
    option, value = body.select("code .pre")[1:]
    assert (option.get_text(), option["class"]) == ("--decimal-b", ["pre", "mtl-option"])
    assert (value.get_text(), value["class"]) == ("','", ["pre"])


def test_a_percent_sign_stays_with_its_number() -> None:
    document = nodes.document("", "")
    cells = "<td>100.0 %</td><td>at 5 % or less</td>"
    document += nodes.raw("", cells, format="html", classes=["text_html"])
    formulas.complete_outputs(SimpleNamespace(builder=SimpleNamespace(format="html")), document, "page")
    assert document.astext() == "<td>100.0\N{NO-BREAK SPACE}%</td><td>at 5 % or less</td>"


def test_a_formula_that_katex_does_not_know_is_a_warning(tmp_path: Path) -> None:
    _, warnings = build(tmp_path, "# Page\n\n$\\unheard$\n")
    assert "index.md:3" in warnings
    assert "Undefined control sequence: \\unheard" in warnings


@pytest.mark.parametrize(
    ("tex", "aligned"),
    [
        ("a = b", False),
        (r"\begin{pmatrix} a \\ b \end{pmatrix}", False),
        (r"\begin{aligned} a \\ \begin{pmatrix} a \\ b \end{pmatrix} \end{aligned}", False),
        (r"a &= b \\ c &= d", True),
        ("a = b\n\nc = d", True),
    ],
)
def test_lines_outside_an_environment_are_aligned(tex: str, aligned: bool) -> None:
    assert formulas.lines(tex).startswith(r"\begin{aligned}") is (aligned or tex.startswith(r"\begin{aligned}"))
    assert formulas.lines(tex).count(r"\begin{aligned}") == (aligned or tex.startswith(r"\begin{aligned}"))


@pytest.mark.parametrize(
    ("tex", "rows"),
    [
        (r"\begin{aligned} a &= b, \\ c &= d \\ \end{aligned} .", [("a", "= b,"), ("c", "= d.")]),
        (r"\begin{aligned} a \\ &= \text{x \& y} \end{aligned}", [("a", ""), ("", r"= \text{x \& y}")]),
        (
            r"\begin{aligned} a &= \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \end{aligned}",
            [("a", r"= \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}")],
        ),
        (r"\begin{aligned} a & b & c \end{aligned}", []),
        (r"\begin{aligned} \left( a & b \right) \end{aligned}", []),
        (r"\begin{aligned} a \end{aligned} + \begin{aligned} b \end{aligned}", []),
        ("a = b", []),
    ],
)
def test_rows_of_an_aligned_formula(tex: str, rows: list[tuple[str, str]]) -> None:
    assert formulas.aligned(tex) == rows


def test_the_head_of_a_page_loses_one_script() -> None:
    head = '<script src="a/b.js"></script> <script defer src="a/icons.js?digest=1"></script>'
    assert formulas.without(head, "icons.js") == '<script src="a/b.js"></script> '


def test_markup_says_nothing_twice():
    strut = '<span class="strut" style="{}"></span>'
    made = '<span class="pstrut" style="height:3em;"></span>' + strut.format("height:0.7em;top:-0.25em;")
    assert formulas.spare(made) == '<span class="pstrut"></span>' + strut.format("height:.7em;top:-.25em")
    other = '<span class="pstrut" style="height:2.5em"></span>'
    assert formulas.spare(other) == other
    sheet = (ROOT / "book" / "_static" / "typography.css").read_text(encoding="utf8")
    assert ".katex .pstrut { height: 3em; }" in sheet
