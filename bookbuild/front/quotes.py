"""The book's own blocks in plain Markdown, for any notebook: theorems are quotes, solutions open."""

import re
from collections.abc import Callable, Iterator

from bookbuild.pages.answer import GRADES

Written = Callable[[str], str]

_OPENING = re.compile(r"(?P<fence>:{3,}|`{3,})\{(?P<kind>[\w:-]+)\} *(?P<title>.*)")
_OPTION = re.compile(r":(?P<key>[\w-]+): *(?P<value>.*)")
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
# What only pages show; cards say the conditions.
_LEFT_OUT = {"verdicts", "conditions", "explorer", "large-costs"}
_ROLES = {"exercise": "ref", "solution-start": "ref"}  # of a reference to a block; theorems and their like have prf:ref
CONTINUED = "The solution, continued"
# Stands below an exercise: here is the place to answer, with the right number and its tolerance where there is one.
PLACE = re.compile(r"\n*<!-- answer:(.*) -->\n*")


class Quotes:
    """The texts of one notebook, in order: a solution may begin in one cell and end in another.

    `written` resolves references, as that to a theorem by its number.
    """

    def __init__(self, written: Written = str) -> None:
        self._written, self.inside, self._right = written, False, ""

    def __call__(self, text: str) -> str:
        """The text of one cell; its references are resolved, too."""
        before = self.inside
        found = "\n".join(self._blocks(iter(self._written(text).split("\n")))).strip("\n")
        if before:
            words = found.partition("</details>")[0].strip()
            # The end of a solution that says nothing more has nothing to open.
            found = f"{_summary(CONTINUED)}\n{found}" if words else found.replace("</details>", "", 1).lstrip("\n")
        return f"{found}\n\n</details>" if self.inside and found.strip() else found

    def _blocks(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            opening = _OPENING.fullmatch(line.rstrip())
            if opening:
                yield from self._block(opening["kind"], opening["title"], list(_until(opening["fence"], lines)))
            elif line.startswith("```"):
                yield from (line, *_until("```", lines), "```")
            else:
                yield line

    def _block(self, kind: str, title: str, body: list[str]) -> Iterator[str]:
        if kind in _LEFT_OUT:
            return
        if kind == "solution-end":
            self.inside = False
            yield from ("", "</details>", "")
            return
        options = _taken(body)
        if kind == "solution-start":
            self.inside = True
            yield _summary(f"Solution of {self._named('exercise', title)}")
            return
        if kind == "ask":
            choices, _, answer = "\n".join(self._blocks(iter(body))).strip("\n").partition("\n\n")
            yield from (f"**{title}**", "", choices, "", _summary("Answer"), answer, "", "</details>")
            return
        if kind == "answer":
            self._right = f"{options['number']} {options['within']}"
            yield f"*{title}:* in the cell below, in place of `None`."
            return
        head = title if kind == "admonition" else self._named(kind, options.get("label", ""))
        inner = "\n".join(self._blocks(iter(body))).strip("\n")
        if "dropdown" in options.get("class", ""):
            yield from (_summary(head), inner, "", "</details>")
            return
        if kind == "exercise" and (grade := GRADES.get(options.get("class", ""))):
            head = f"{head}, {grade}"
        named = f" ({title})" if title and kind != "admonition" else ""
        text = _DISPLAY.sub(lambda found: f"$${' '.join(found[1].split())}$$", inner)
        yield from (f"> {line}".rstrip() for line in (f"**{head}{named}.**", "", *text.split("\n")))
        if kind == "exercise":
            yield f"<!-- answer:{self._right} -->"
            self._right = ""

    def _named(self, kind: str, label: str) -> str:
        """How the book calls a block, as "Theorem 2.1"; its kind alone where it has no number."""
        number = self._written(f"{{{_ROLES.get(kind, 'prf:ref')}}}`{label}`")
        return kind.removeprefix("prf:").capitalize() if number.startswith("{") else number


def _until(fence: str, lines: Iterator[str]) -> Iterator[str]:
    """The lines of a block, without the one that ends it."""
    for line in lines:
        if line.strip() == fence:
            return
        yield line


def _taken(body: list[str]) -> dict[str, str]:
    """The options at the beginning of a block, which are taken from its lines."""
    options = {}
    while body and (option := _OPTION.fullmatch(body[0].rstrip())):
        options[option["key"]] = option["value"]
        del body[0]
    return options


def _summary(words: str) -> str:
    return f"<details>\n<summary>{words}</summary>\n"
