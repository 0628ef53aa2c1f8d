"""Which claims were read a second time, by tests that share no code with the first reading, and where these stand."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bookbuild.chapters import ROOT

FOLDER = Path("tests") / "second_reading"
MARK = "pytest.mark.claims"


def claims_of(test: ast.FunctionDef) -> list[str]:
    """The ids that the mark ``@pytest.mark.claims("an-id", ...)`` over a test names."""
    marks = [mark for mark in test.decorator_list if isinstance(mark, ast.Call) and ast.unparse(mark.func) == MARK]
    return [ast.literal_eval(argument) for mark in marks for argument in mark.args]


def second_readers(root: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every test of the folder, with the path of its file."""
    for path in sorted((root / FOLDER).rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield path.relative_to(root).as_posix(), node


@cache
def readings(root: Path = ROOT) -> dict[str, tuple[str, ...]]:
    """For each claim that was read again, the files that do it."""
    found: dict[str, dict[str, None]] = {}
    for path, test in second_readers(root):
        for claim in claims_of(test):
            found.setdefault(claim, {})[path] = None
    return {claim: tuple(paths) for claim, paths in found.items()}


def said(claim: str) -> str:
    """What a card and the scoreboard say of a claim's second reading; nothing where it has none."""
    paths = readings().get(claim, ())
    return f"read a second time: {', '.join(paths)}" if paths else ""
