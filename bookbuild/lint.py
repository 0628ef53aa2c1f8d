"""The style of the chapters: ruff on their code, the size of their summaries, and the order of their beginning.

Run as `python -m bookbuild.lint`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from bookbuild import without_options
from bookbuild.chapters import Chapter, chapters

# In a chapter, imports may stand where they are first needed, a cell may end in an expression, and zip stays short.
IGNORED = "E402,B018,B905,I001"
MAP = "part7/one-picture"
WORDS, NUMBERS = 70, 3  # of a summary, so that the answer is seen at once
_BOX = re.compile(r"^:::+\{admonition\} In brief\n(.*?)^:::", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
_NEEDS = re.compile(r"^\*\*Needs:.*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"```.*?```", re.DOTALL)
_FIGURE = re.compile(r"\{(numref|eq|prf:ref)\}`[^`]*`")  # where to look, not what is found
_TITLE = re.compile(r"\{cite(?::[a-z]+)?\}`[^`]*`")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NUMBER = re.compile(r"(?<![\w.^{])-?\d[\d,]*(?:\.\d+)?(?!\w)")


def summary(chapter: Chapter) -> str | None:
    """The words of the summary, without what it refers to."""
    found = _BOX.search(chapter.path.read_text(encoding="utf-8"))
    if found is None:
        return None
    text = _TITLE.sub("paper", _FIGURE.sub("", _DIRECTIVE.sub("", found.group(1))))
    return _LINK.sub(r"\1", text)


def counts(text: str) -> tuple[int, int]:
    """How many words and how many numbers in digits; a formula counts as a word."""
    whole = re.sub(r"\$[^$]+\$", " formula ", text)
    return len(re.findall(r"[^\W_][\w'’.,%-]*", whole)), len(_NUMBER.findall(text))


def long_summaries() -> list[str]:
    """The chapters whose summary has too many words or numbers."""
    sizes = [(chapter.name, *counts(text)) for chapter in chapters() if (text := summary(chapter)) is not None]
    return [
        f'{name}: "In brief" has {words} words and {numbers} numbers; at most {WORDS} and {NUMBERS}'
        for name, words, numbers in sizes
        if words > WORDS or numbers > NUMBERS
    ]


def early_figures() -> list[str]:
    """The chapters that show a numbered figure before a sentence of theirs has said what it is about.

    The map that sums up the whole book is what its own chapter is about.
    """
    return [
        f"{chapter.name}: a figure stands before the first sentence"
        for chapter in chapters()
        if chapter.name != MAP and shows_first(chapter.path.read_text(encoding="utf-8"))
    ]


def shows_first(text: str) -> bool:
    """Whether nothing is said between the summary and the first figure."""
    _, box, body = text.partition(":::{admonition} In brief")
    before, figure, _ = body.partition("    name: fig-")
    said = _CELL.sub("", before.partition("\n:::\n")[2].rpartition("```{code-cell}")[0])
    return bool(box and figure) and not _NEEDS.sub("", said).strip()


def main() -> int:
    """Lint each chapter as one script, and count; 1 if anything is found in any."""
    ruff = str(Path(sys.executable).parent / "ruff")
    status = 0
    for chapter in chapters():
        name = f"{chapter.name}.py"
        command = [ruff, "check", "--ignore", IGNORED, "--stdin-filename", name, "-"]
        source = "\n\n".join(chapter.code()) + "\n"
        status |= subprocess.run(command, input=source, text=True, check=False).returncode
    found = long_summaries() + early_figures()
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 1 if found else status


if __name__ == "__main__":
    without_options("bookbuild.lint", __doc__)
    sys.exit(main())
