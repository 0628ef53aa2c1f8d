"""A field for the answer to an exercise where that is a number, which a script checks; how hard an exercise is.

A build for students leaves the solutions out, and with them the numbers of the fields (`book_solutions`).
"""

import re
from collections.abc import Iterator
from typing import ClassVar

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective
from sphinx_exercise.nodes import solution_node

from bookbuild.pages.tags import tag

# Not `hide_solutions` of sphinx-exercise: of a solution in several cells it takes the title away, and shows the rest.
SOLUTIONS = "book_solutions"
GRADES = {"easy": "easy", "pencil": "worth a pencil", "run": "needs a run"}
# sphinx-exercise and sphinx-proof give each exercise, solution and theorem of a page the same identity.
REPEATED = {"exercise-content", "solution-content", "proof-content", "proof"}
GATE = re.compile(r"^(?:`{3,}|:{3,})\{solution-(?:start|end)\}.*?^(?:`{3,}|:{3,})$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^(`{3,}|:{3,})\{answer\} (.*?)\n.*?^\1$", re.MULTILINE | re.DOTALL)


class Answer(SphinxDirective):
    """What is asked for, a field and a button; a line says "right" `within` a distance of `number`."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"number": float, "within": float}

    def run(self) -> list[nodes.Node]:
        """A form that answer.js watches."""
        if not {"number", "within"} <= self.options.keys():
            raise self.error("an answer needs a number, and how far (within) another one may be from it.")
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        if not self.config[SOLUTIONS]:
            return [nodes.paragraph("", "", *words, nodes.Text(": …"), *messages)]
        name = f"answer-{self.env.new_serialno('answer')}"
        field = tag("input", {"type": "text", "inputmode": "decimal", "id": name, "autocomplete": "off"})
        label = tag("label", {"for": name}, *words, ":", *messages)
        button = tag("button", {"type": "submit"}, "Check")
        said = tag("p", {"class": "mtl-said", "role": "status"})
        data = {f"data-{key}": repr(self.options[key]) for key in ("number", "within")}
        parts = [label, " ", field, " ", button, said]
        return [tag("form", {"class": "mtl-answer-box", **data}, *parts, scripts=["answer.js"], styles=["answer.css"])]


def finish_exercises(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Say in the title of an exercise how hard it is; no identity stands twice on a page."""
    for node in doctree.findall(lambda node: isinstance(node, (nodes.section, nodes.admonition))):
        node["ids"] = [identity for identity in node["ids"] if identity not in REPEATED]
    for node in doctree.findall(nodes.Element):
        grades = [GRADES[name] for name in node.get("classes", []) if name in GRADES and "exercise" in node["classes"]]
        if grades and isinstance(node[0], nodes.title):
            node[0] += nodes.inline("", f" {grades[0]}", classes=["mtl-grade"])


def leave_solutions_out(app: Sphinx, doctree: nodes.document) -> None:
    """Take the solutions from the page, before its pictures are collected; exercises keep their numbers."""
    if not app.config[SOLUTIONS]:
        for node in list(doctree.findall(solution_node)):
            node.parent.remove(node)


def without_solutions(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells of a notebook without right numbers and solutions, which may begin in one and end in another."""
    inside = False
    for cell in cells:
        if cell.cell_type == "code":
            if not inside:
                yield cell
            continue
        texts = GATE.split(cell.source)
        cell.source = FIELD.sub(r"\2: …", "".join(texts[inside::2]))  # each gate opens or closes
        inside ^= len(texts) % 2 == 0
        if cell.source.strip():
            yield cell


def keep_sources(app: Sphinx, config: Config) -> None:
    """The source of a page holds its solutions: where they are left out it is not offered."""
    config["html_copy_source"] &= config[SOLUTIONS]


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value(SOLUTIONS, True, "env", bool)
    app.connect("config-inited", keep_sources)
    app.connect("doctree-read", leave_solutions_out, priority=400)
    app.add_directive("answer", Answer)
    app.connect("doctree-resolved", finish_exercises)
