"""A field for the answer to an exercise where that is a number, which a script checks; how hard an exercise is."""

from __future__ import annotations

from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bookbuild.pages.tags import tag

GRADES = {"easy": "easy", "pencil": "worth a pencil", "run": "needs a run"}
# sphinx-exercise and sphinx-proof give each exercise, solution and theorem of a page the same identity.
REPEATED = {"exercise-content", "solution-content", "proof-content", "proof"}


class Answer(SphinxDirective):
    """What is asked for, a field and a button; a line says "right" `within` a distance of `number`."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar = {"number": float, "within": float}

    def run(self) -> list[nodes.Node]:
        """A form that answer.js watches."""
        if not {"number", "within"} <= self.options.keys():
            raise self.error("an answer needs a number, and how far (within) another one may be from it.")
        name = f"answer-{self.env.new_serialno('answer')}"
        field = tag("input", {"type": "text", "inputmode": "decimal", "id": name, "autocomplete": "off"})
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
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


def register(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("answer", Answer)
    app.connect("doctree-resolved", finish_exercises)
