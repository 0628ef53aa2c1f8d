"""What a source text of the library does, and which other modules importing it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import resolve_name
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
    lazy: bool  # a package that looks its names up when they are asked for


def library_modules(code: Iterable[str], root: Path) -> list[Path]:
    """Files of the library that the code imports, anywhere in it, directly or through other modules."""
    found: set[Path] = set()
    todo = {name for cell in code for name in parse(without_magics(cell)).imports}
    followed = {""}
    while todo:
        name = todo.pop()
        followed.add(name)
        package = name.rpartition(".")[0]
        new = _files_of(name, root) - found
        found |= new
        imported = {package, *(one for path in new for one in read(path).imports)}
        todo |= imported - followed
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
    lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
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
    module = resolve_name("." * node.level + (node.module or ""), package)
    return [module, *(f"{module}.{alias.name}" for alias in node.names)]


def _files_of(module: str, root: Path) -> set[Path]:
    """The files that importing a dotted name may run, without those of the packages on the way."""
    path = root.joinpath(*module.split("."))
    files = {file for file in (path / "__init__.py", path.with_suffix(".py")) if file.exists()}
    lazy = [file for file in files if file.name == "__init__.py" and read(file).lazy]
    return files.union(*(file.parent.rglob("*.py") for file in lazy))
