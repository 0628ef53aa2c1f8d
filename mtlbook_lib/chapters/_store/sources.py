"""What a source text of the library does, which other modules importing it runs, and which stored results it names.

The keys of the build are made of it, and those of sweeps: both ask what a number came from.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

LIBRARY = "mtlbook_lib"
MODULE_NAME = re.compile(rf"{LIBRARY}(\.\w+)+")
_PARSER = Lock()  # two threads in Python 3.11's parser may count its depth wrongly (SystemError)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Source:
    """A source text without comments and docstrings, which change no output; its code as a hash."""

    digest: str
    imports: tuple[str, ...]
    strings: tuple[str, ...]
    lazy: bool  # a package that looks its modules up when they are asked for


def library_modules(code: Iterable[str], root: Path) -> list[Path]:
    """Files of the library that the code imports, anywhere in it, directly or through other modules."""
    modules: set[Path] = set()
    todo = {name for cell in code for name in parse(without_magics(cell)).imports}
    followed = set()

    @cache  # the packages on the way are the same for many
    def files_of(name: str) -> set[Path]:
        return files_of_module(root.joinpath(*name.split(".")))

    while todo:
        name = todo.pop()
        followed.add(name)
        new = _files_of(name, root, files_of) - modules
        modules |= new
        todo |= {one for path in new for one in read(path).imports} - followed
    return sorted(modules)


def read(path: Path) -> Source:
    """What a file of the library does."""
    folders = path.parent.parts
    depth = folders[::-1].index(LIBRARY) + 1
    return parse(path.read_bytes(), ".".join(folders[-depth:]))


@cache
def parse(text: str | bytes, package: str = "") -> Source:
    """What a text does, as a module of `package`; parsed once for as long as it stays the same."""
    with _PARSER:
        tree = ast.parse(text)
    nodes, docstrings = list(ast.walk(tree)), set[int]()
    for node in nodes:
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstrings.add(id(node.body.pop(0).value))  # type: ignore[attr-defined]
    texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    strings = tuple(node.value for node in texts if isinstance(node.value, str))
    imports = [name for node in nodes for name in _imported(node, package)]
    # A module may also be named to importlib.
    imports += [text for text in strings if MODULE_NAME.fullmatch(text)]
    lazy = any(getattr(node, "name", getattr(node, "id", "")) == "__getattr__" for node in nodes)
    ours = tuple(name for name in imports if name.split(".")[0] == LIBRARY)
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return Source(digest, ours, strings, lazy)


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


def _files_of(name: str, root: Path, files_of: Callable[[str], set[Path]]) -> set[Path]:
    """The files that importing a dotted name runs: of the packages on the way, and of what it is.

    Who has a lazy package in hand, or a name of it that is no module, may reach all that lies in it.
    """
    parts = name.split(".")
    names = [".".join(parts[: n + 1]) for n in range(len(parts))]
    if not files_of(names[-1]):
        names.pop()
    files = set().union(*map(files_of, names))
    package = root.joinpath(*names[-1].split("."))
    init = package / "__init__.py"
    return files | set(package.rglob("*.py")) if init in files and read(init).lazy else files


def files_of_module(path: Path) -> set[Path]:
    """The file of a module, or of a package, at a path without suffix; none where there is none."""
    return {file for file in (path / "__init__.py", path.with_suffix(".py")) if file.exists()}


def stored_results(code: Iterable[str], modules: Iterable[Path], root: Path) -> list[Path]:
    """Files beside the chapters that a string of the code, or of a module it reaches, names.

    As a file, with its suffix, or in a folder: a file may be called by a word that stands in many strings.
    """
    parsed = [parse(without_magics(cell)) for cell in code] + [read(path) for path in modules]
    strings = "\n".join(text for source in parsed for text in source.strings)
    paths = (root / LIBRARY / "chapters").rglob("*.json")
    return sorted(path for path in paths if path.name in strings or f"/{path.stem}" in strings)
