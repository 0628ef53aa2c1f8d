"""What a source text of the library does, which other modules importing it runs, and which stored results it names.

The keys of the build are made of it, and those of the store of results: both ask what a number came from.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LIBRARY = "mtlbook_lib"
MODULE_NAME = re.compile(rf"{LIBRARY}(\.\w+)+")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Source:
    """A source text without comments and docstrings, which change no output."""

    dump: str
    imports: tuple[str, ...]
    strings: tuple[str, ...]
    lazy: bool  # a package that looks its modules up when they are asked for


def library_modules(code: Iterable[str], root: Path) -> list[Path]:
    """Files of the library that the code imports, anywhere in it, directly or through other modules."""
    found: set[Path] = set()
    todo = {name for cell in code for name in parse(without_magics(cell)).imports}
    followed = set()
    while todo:
        name = todo.pop()
        followed.add(name)
        new = _files_of(name, root) - found
        found |= new
        todo |= {one for path in new for one in read(path).imports} - followed
    return sorted(found)


def read(path: Path) -> Source:
    """What a file of the library does."""
    folders = path.parent.parts
    depth = folders[::-1].index(LIBRARY) + 1
    return parse(path.read_text(encoding="utf8"), ".".join(folders[-depth:]))


@cache
def parse(text: str, package: str = "") -> Source:
    """What a text does, as a module of `package`; parsed once for as long as it stays the same."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    nodes = list(ast.walk(tree))
    strings = tuple(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    imports = [name for node in nodes for name in _imported(node, package)]
    # A module may also be named to importlib.
    imports += [text for text in strings if MODULE_NAME.fullmatch(text)]
    lazy = any(getattr(node, "name", getattr(node, "id", "")) == "__getattr__" for node in nodes)
    ours = tuple(name for name in imports if name.split(".")[0] == LIBRARY)
    return Source(ast.dump(tree), ours, strings, lazy)


def without_magics(cell: str) -> str:
    """The Python of a cell."""
    return "\n".join(line for line in cell.splitlines() if not line.lstrip().startswith(("%", "!")))


def _imported(node: ast.AST, package: str) -> list[str]:
    """The dotted names a statement imports (a name in `from a import b` may be a module too)."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    folders = package.split(".") if node.level else []
    above = folders[: len(folders) - node.level + 1]
    module = ".".join([*above, *filter(None, [node.module])])
    return [f"{module}.{alias.name}" for alias in node.names]


def _files_of(name: str, root: Path) -> set[Path]:
    """The files that importing a dotted name runs: of the packages on the way, and of what it is.

    Who has a lazy package in hand, or a name of it that is no module, may reach all that lies in it.
    """
    path = root.joinpath(*name.split("."))
    if not files_of_module(path):
        path = path.parent
    folders = [folder for folder in path.parents if root in folder.parents]
    files = files_of_module(path).union(*map(files_of_module, folders))
    init = path / "__init__.py"
    return files | set(path.rglob("*.py")) if init in files and read(init).lazy else files


def files_of_module(path: Path) -> set[Path]:
    """The file of a module, or of a package, at a path without suffix; none where there is none."""
    return {file for file in (path / "__init__.py", path.with_suffix(".py")) if file.exists()}


def stored_results(code: Iterable[str], modules: Iterable[Path], root: Path) -> list[Path]:
    """Files under results/ that a string of the code, or of a module it reaches, names.

    As a file, with its suffix, or in a folder: a file may be called by a word that stands in many strings.
    """
    parsed = [parse(without_magics(cell)) for cell in code] + [read(path) for path in modules]
    strings = "\n".join(text for source in parsed for text in source.strings)
    found = (path for path in (root / "results").rglob("*") if path.is_file())
    return sorted(path for path in found if path.name in strings or f"/{path.stem}" in strings)
