"""The directive of questions: choices, and an answer that opens when one of them is taken."""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from bookbuild.pages.tags import tag


class Ask(SphinxDirective):
    """A question by its argument; the content is a list of choices, then the answer. `right` is the number of a choice.

    Without scripts a reader sees the choices, and opens the answer.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"right": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """The element that ask.js makes answer."""
        inner = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, inner)
        choices, *answer = inner.children or [None]
        right = self.options.get("right", 0)
        if not isinstance(choices, nodes.bullet_list) or not 1 <= right <= len(choices) or not answer:
            raise self.error("a question needs a list of choices, the number of the right one, and then its answer.")
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        question = nodes.paragraph("", "", nodes.strong("", "", *words), *messages)
        folded = tag("details", {}, tag("summary", {}, "Answer"), *answer)
        said = tag("p", {"class": "mtl-said", "role": "status"})
        attributes = {"class": "mtl-ask", "data-right": str(right)}
        return [tag("div", attributes, question, choices, said, folded, scripts=["ask.js"], styles=["ask.css"])]
