"""The examples of the texts and of docstrings, and the install line that each needs: the last one named before it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASE = "."
# That show how the library is installed and used.
TEXTS = ("README.md", "book/reference/tables-to-predictions.md", "book/reference/api.md")
TOKEN = re.compile(
    r"`pip\s+install\s+\"?(?P<line>\.(?:\[[a-z,]+\])?)\"?`|^```(?P<kind>python|console)\n(?P<text>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
COPIED = "book/part7/should-i-train-together.md"  # its first section is to be copied
SECTION = re.compile(r"^## Copy this\n(.*?)^## ", re.DOTALL | re.MULTILINE)
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```", re.DOTALL | re.MULTILINE)
PROMISE = re.compile(r"# -> (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """Something to run after an install line, and the lines that it prints; "..." stands for any lines."""

    install: str
    kind: str  # python, console, copied (from a chapter) or doctest
    text: str
    printed: tuple[str, ...] = ()


def texts(root: Path = ROOT) -> list[str]:
    """What the texts say."""
    return [(root / name).read_text(encoding="utf8") for name in TEXTS]


def install_lines(root: Path = ROOT) -> list[str]:
    """Every install line of the texts once, in their order, and that of the chapter's cells."""
    lines = [match["line"] for text in texts(root) for match in TOKEN.finditer(text) if match["line"]]
    return list(dict.fromkeys([*lines, copied_example(root).install]))


def examples_of(text: str) -> Iterator[Example]:
    """All fenced examples. Python ones need what is named last; a shell one is a command with what it prints."""
    install = BASE
    for match in TOKEN.finditer(text):
        if match["line"]:
            install = match["line"]
        elif match["kind"] == "python":
            yield Example(install, "python", match["text"], tuple(PROMISE.findall(match["text"])))
        else:
            for part in re.split(r"^\$ ", match["text"], flags=re.MULTILINE)[1:]:
                command, *printed = part.splitlines()
                yield Example(install, "console", command, tuple(printed))


def copied_example(root: Path = ROOT) -> Example:
    """The cells that a chapter invites its readers to copy, one after the other."""
    section = SECTION.findall((root / COPIED).read_text(encoding="utf8"))[0]
    lines = [match["line"] for match in TOKEN.finditer(section) if match["line"]]
    return Example(lines[0], "copied", "\n".join(CELL.findall(section)), ("...",))


@cache
def docstring_modules(root: Path = ROOT) -> list[str]:
    """Modules with an example in a docstring."""
    found = []
    for path in sorted((root / "mtlbook_lib").rglob("*.py")):
        text = path.read_text(encoding="utf8")
        if ">>>" not in text:
            continue
        tree = ast.parse(text)
        kinds = ast.FunctionDef | ast.ClassDef | ast.Module
        texts = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
        if any(">>>" in text for text in texts):
            found.append(".".join(path.relative_to(root).with_suffix("").parts))
    return found


def examples(root: Path = ROOT) -> list[Example]:
    """All that the texts show, and the docstrings of the library, which need no extra."""
    shown = [one for text in texts(root) for one in examples_of(text)]
    return [*shown, copied_example(root), *(Example(BASE, "doctest", name) for name in docstring_modules(root))]


def fits(printed: list[str], promised: tuple[str, ...]) -> bool:
    """What was printed is what was promised, where "..." stands for any lines."""
    if not promised:
        return not printed
    if promised[0] == "...":
        return any(fits(printed[skipped:], promised[1:]) for skipped in range(len(printed) + 1))
    return bool(printed) and printed[0] == promised[0] and fits(printed[1:], promised[1:])
