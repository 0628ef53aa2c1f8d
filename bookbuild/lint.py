"""The style of the chapters: ruff on their code, the size of summaries, where to go next, and what each law rests on.

Run as `python -m bookbuild.lint`.
"""

import re
import subprocess
import sys
from pathlib import Path

from nbformat import NotebookNode

from bookbuild import without_options
from bookbuild.chapters import Chapter, chapters, pages, parts

# In a chapter, imports may stand where they are first needed, and again in a run, which is copied alone; a cell may end
# in an expression, and zip stays short.
IGNORED = "E402,F811,B018,B905,I001"
WORDS, NUMBERS = 70, 3  # of a summary, so that the answer is seen at once
# Numbered equations of sections without a law: what a symbol means, what was chosen, what a paper prints. Any other
# stands in a section that has a theorem, a **Derivation.** or a **Measurement.**
NO_LAW = frozenset(
    re.findall(
        r"\S+",
        """
        eq-data-matrix eq-examples-data eq-leaky eq-flow-layers eq-leaky-teacher eq-data-losses eq-auxiliary-pair
        eq-auxiliary-benefit eq-closed-reduced eq-infinite-vanishes eq-labels-teacher eq-labels-argmax eq-weights-loss
        eq-softmax-flow-loss eq-softmax-flow-covariances eq-softmax-flow-layers eq-angles-h
        eq-align-score eq-feature-h eq-sharing-loss eq-svd-weights eq-svd-kendall
        eq-penalty-network eq-multi-network eq-finetune-printed eq-relu-network eq-picture-omega
        eq-together-benefit
        """,
    )
)
_BOX = re.compile(r"^:::+\{admonition\} In brief\n(.*?)^:::", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
_SHOWS = re.compile(r"\b(?:print|tables\.show|claims\.check|pictures\.show|frames\.\w+)\(")
_NEEDS = re.compile(r"^\*\*Needs:.*$", re.MULTILINE)
_NEXT = re.compile(r"^\*\*Next:", re.MULTILINE)
_SECTION = re.compile(r"^(?=#+ )", re.MULTILINE)
_EQUATION = re.compile(r"^\$\$ \((eq-[\w-]+)\)", re.MULTILINE)
_RESTS_ON = re.compile(
    r"^(?:[:`]{3,}\{prf:|#+ .*\b(?:derivation|proof)\b|\*\*(?:[^*\n]+\. )?(?:Derivation|Measurement)\b)",
    re.MULTILINE | re.IGNORECASE,
)
_DRAWS = re.compile(r"\b(?:pictures\.show|frames\.(?:slider|choice))\(")
_DIRECTIVE = re.compile(r"```.*?```", re.DOTALL)
_FIGURE = re.compile(r"\{(numref|eq|prf:ref)\}`[^`]*`")  # where to look, not what is found
_TITLE = re.compile(r"\{cite(?::[a-z]+)?\}`[^`]*`")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"```\{code-cell\}.*?^```$|^```\n.*?^```$|`[^`]*`", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r'"[^"]*"|\]\([^)]*\)')  # a paper's own words, and addresses
_OTHERWISE = re.compile(r"\bfine-tun\w+|\b(?!\w*(?:siz|priz|seiz))\w+iz(?:e[drs]?|ing|ations?)\b(?!-)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.^{])-?\d[\d,]*(?:\.\d+)?(?!\w)")


def summary(chapter: Chapter) -> str | None:
    """The words of the summary, without what it refers to."""
    box = _BOX.search(chapter.path.read_text(encoding="utf-8"))
    if box is None:
        return None
    text = _TITLE.sub("paper", _FIGURE.sub("", _DIRECTIVE.sub("", box.group(1))))
    return _LINK.sub(r"\1", text)


def counts(text: str) -> tuple[int, int]:
    """How many words and how many numbers in digits; a formula counts as a word."""
    whole = re.sub(r"\$[^$]+\$", " formula ", text)
    return len(re.findall(r"[^\W_][\w'’.,%-]*", whole)), len(_NUMBER.findall(text))


def long_summaries() -> list[str]:
    """The chapters whose summary has too many words or numbers."""
    sizes = [(chapter.name, *counts(text)) for chapter in chapters() if (text := summary(chapter)) is not None]
    return [
        f'{name}: "In brief" has {words} words and {numbers} numbers in digits; at most {WORDS} and {NUMBERS}'
        for name, words, numbers in sizes
        if words > WORDS or numbers > NUMBERS
    ]


def unconnected() -> list[str]:
    """The pages of the parts that do not say what they need before their first section, or end without a next page."""
    paths = (path for path in pages() if path.parent.name in parts())
    return [f"{path.parent.name}/{path.stem}: {gap}" for path in paths for gap in gaps(path.read_text("utf8"))]


def gaps(text: str) -> list[str]:
    """What is missing before the first section and in the last paragraph."""
    first = text.partition("\n## ")[0]
    last = text.rstrip().rpartition("\n\n")[2]
    needs = [] if _NEEDS.search(first) else ['no line "**Needs:** ..." before the first section']
    return needs + ([] if _NEXT.match(last) else ['no "**Next:** ..." at the end'])


def laws_without_status() -> list[str]:
    """The numbered equations of sections that do not say what they rest on, and those of NO_LAW that need no leave."""
    laws = {label: chapter.name for chapter in chapters() for label in unmarked(chapter.path.read_text("utf8"))}
    stray = [f"{name}: no theorem, derivation or measurement near {label}" for label, name in laws.items()
             if label not in NO_LAW]  # fmt: skip
    return stray + [f"{label} is in NO_LAW and need not be" for label in sorted(NO_LAW - set(laws))]


def unmarked(text: str) -> list[str]:
    """The numbered equations whose section, down to the next heading, has no law's mark."""
    sections = _SECTION.split(_CELL.sub("", text))
    return [label for section in sections if not _RESTS_ON.search(section) for label in _EQUATION.findall(section)]


def uncaptioned() -> list[str]:
    """The cells that draw a figure that has no number, or no caption."""
    return [f"{chapter.name}: {fault}" for chapter in chapters() for fault in nameless(chapter.notebook().cells)]


def nameless(cells: list[NotebookNode]) -> list[str]:
    """Of a chapter's cells, those that draw without a name or a caption, and captions of nothing."""
    faults = []
    for cell in cells:
        figure = cell.metadata.get("mystnb", {}).get("figure")
        whole = bool(figure and figure.get("name") and str(figure.get("caption") or "").strip())
        if (figure is not None or _DRAWS.search(cell.source)) and cell.cell_type == "code" and not whole:
            faults.append(f"a figure has no name or no caption: {cell.source.strip().rpartition(chr(10))[2]}")
    return faults


def empty_rows() -> list[str]:
    """The folded cells under whose row nothing stands."""
    return [f"{chapter.name}: {line}" for chapter in chapters() for line in silent(chapter.notebook().cells)]


def silent(cells: list[NotebookNode]) -> list[str]:
    """The first lines of cells that fold code and show nothing: the next cell takes it, or `remove-input`."""
    folded = [cell.source for cell in cells if cell.metadata.get("tags") == ["hide-input"]]
    return [source.partition("\n")[0] for source in folded if not _SHOWS.search(source)]


def misspelled(text: str) -> list[str]:
    """Words outside code and quotations that the book spells otherwise: finetuning, generalise."""
    return _OTHERWISE.findall(_QUOTED.sub("", _CODE.sub("", text)))


def two_spellings() -> list[str]:
    """The pages that spell a word otherwise than the others."""
    return [
        f"{path.stem}: {word}; elsewhere finetuning is one word, and words have -ise"
        for path in pages()
        for word in misspelled(path.read_text("utf8"))
    ]


def counted() -> list[str]:
    """What a build counts before it begins: words and numbers of the summaries, figures without a caption."""
    return long_summaries() + uncaptioned()


def main() -> int:
    """Lint each chapter as one script, and count; 1 if anything is found in any."""
    ruff = str(Path(sys.executable).parent / "ruff")
    status = 0
    for chapter in chapters():
        name = f"{chapter.name}.py"
        command = [ruff, "check", "--ignore", IGNORED, "--stdin-filename", name, "-"]
        source = "\n\n".join(chapter.code()) + "\n"
        status |= subprocess.run(command, input=source, text=True, check=False).returncode
    faults = counted() + unconnected() + laws_without_status() + two_spellings() + empty_rows()
    sys.stdout.write("".join(f"{line}\n" for line in faults))
    return 1 if faults else status


if __name__ == "__main__":
    without_options("bookbuild.lint", __doc__)
    sys.exit(main())
