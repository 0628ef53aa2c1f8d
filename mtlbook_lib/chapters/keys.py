"""The key of a committed result: a hash of the settings and of the code that made it, found in the texts.

A function brings all of the library that it names, and what that names in turn: functions, classes and constants, one
by one and not module by module, so that a change elsewhere in a module changes no key. Comments and docstrings do not
count, and neither does what checks arguments or spreads work over processes: it computes no number.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mtlbook_lib._files import PACKAGE

LIBRARY = PACKAGE.name
NAMED = re.compile(rf"{LIBRARY}(\.\w+)+")  # a module may also be named to importlib
# They refuse arguments, read and write files, and hand out work.
WITHOUT_NUMBERS = tuple(f"{LIBRARY}.{name}" for name in ("_checks", "_fields", "_files", "_extras", "_threads",
                        "_remembered", "chapters._store", "chapters.keys", "chapters.sizes", "chapters.stored_results",
                        "chapters.sweep", "chapters.workers"))  # fmt: skip
# Decorators that decide where and how often something is computed.
OF_THE_RUN = (f"{LIBRARY}._threads", f"{LIBRARY}._remembered", "functools.cache", "functools.lru_cache")
OF_THE_RECORD = {"minutes", "cost", "lacking", "tolerances"}  # arguments of `sized` that change no number
DOCUMENTED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

Definition = tuple[str, str]  # a module and a name in it; without name its statements that define nothing


@dataclass
class Module:
    """What a module defines, by name, and where the other names of it come from."""

    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a module, and a name in it where there is one
    stars: list[str] = field(default_factory=list)


def key(function: Any) -> str:
    """Of a function of the library, the hash of its code and of all that this names, with their constants."""
    return key_of(function.__module__, function.__qualname__, PACKAGE.parent)


@cache
def key_of(module: str, name: str, root: Path) -> str:
    """The same by name, of the texts below a folder."""
    code = closure(module, name, root)
    return hashlib.sha256(repr(sorted(code.items())).encode()).hexdigest()[:16]


def closure(module: str, name: str, root: Path) -> dict[str, str]:
    """All that a function reaches, as syntax without comments and docstrings, by dotted name."""
    found: dict[str, str] = {}
    todo = {(module, name)}
    while todo:
        one = todo.pop()
        dotted = ".".join(filter(None, one))
        if dotted not in found:
            nodes = _parsed(one[0], root).definitions.get(one[1], [])
            found[dotted] = "\n".join(map(ast.dump, nodes))
            todo |= {(one[0], ""), *(way for node in nodes for way in _named(node, one[0], root))}
            found |= _data(nodes, root)
    return found


def _data(nodes: list[ast.stmt], root: Path) -> dict[str, str]:
    """Hashes of the data of the library that the code names, such as a table."""
    texts = {one.value for node in nodes for one in ast.walk(node) if isinstance(one, ast.Constant)}
    paths = [path for path in (root / LIBRARY / "data").rglob("*.npz") if path.name in texts]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _named(node: ast.stmt, module: str, root: Path) -> Iterator[Definition]:
    """What a statement names of the library; a name inside it that only looks like one counts too."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name | ast.Attribute):
            if names := _dotted(one):
                yield from _found(module, names, root)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and NAMED.fullmatch(one.value):
            yield from _found(one.value, (), root)


def _dotted(node: ast.expr) -> tuple[str, ...]:
    """The names of ``a.b.c``; none of what is no such chain."""
    if isinstance(node, ast.Name):
        return (node.id,)
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else ()
    return (*before, node.attr) if before else ()  # type: ignore[attr-defined]


def _found(module: str, names: tuple[str, ...], root: Path) -> Iterator[Definition]:
    """Where names lead that are looked up in a module, or in a package: what defines the first; without names all."""
    if module.startswith(WITHOUT_NUMBERS) or not _path(module, root):
        return
    here, inner = _parsed(module, root), ".".join([module, *names[:1]])
    if not names:
        yield from ((module, name) for name in here.definitions)
    elif names[0] in here.definitions:
        yield module, names[0]
    elif (source := here.imports.get(names[0])) and source != (module, names[0]):
        yield from _found(source[0], (*source[1:], *names[1:]), root)
    elif _path(inner, root):
        yield from _found(inner, names[1:], root)
    else:
        for star in here.stars:
            yield from _found(star, names, root)


@cache
def _path(module: str, root: Path) -> Path | None:
    """The file of a module of the library, or of a package."""
    place = root.joinpath(*module.split("."))
    files = [place / "__init__.py", place.with_suffix(".py")] if module.split(".")[0] == LIBRARY else []
    return next((file for file in files if file.exists()), None)


@cache
def _parsed(module: str, root: Path) -> Module:
    """A module taken apart."""
    path = _path(module, root)
    made = Module()
    if path is None:
        return made
    tree = ast.parse(path.read_bytes())
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        _note_imports(node, package, made)
    for statement in tree.body:
        for name in _defined(statement):
            made.definitions.setdefault(name, []).append(_bare(statement, made.imports))
    return made


def _note_imports(node: ast.AST, package: str, made: Module) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            made.imports[alias.asname or top] = (alias.name if alias.asname else top,)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join([*above, *filter(None, [node.module])])
        for alias in node.names:
            if alias.name == "*":
                made.stars.append(source)
            else:
                made.imports[alias.asname or alias.name] = (source, alias.name)


def _defined(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module gives a value; "" if it may change any of them, and none of an import."""
    if isinstance(statement, DOCUMENTED):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        named = [one.id for target in targets for one in ast.walk(target)
                 if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]  # fmt: skip
        return named or [""]  # ``TABLE["a"] = 1``
    return [] if isinstance(statement, ast.Import | ast.ImportFrom) or _is_text(statement) else [""]


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _bare(statement: ast.stmt, imports: dict[str, tuple[str, ...]]) -> ast.stmt:
    """Without docstrings, caches and threads, and without what `sized` notes of a result that changes no number."""
    for node in ast.walk(statement):
        if not isinstance(node, DOCUMENTED):
            continue
        if _is_text(node.body[0]):
            node.body[:1] = [] if len(node.body) > 1 else [ast.Pass()]
        node.decorator_list = [one for one in node.decorator_list if not _origin(one, imports).startswith(OF_THE_RUN)]
        for call in node.decorator_list:
            if isinstance(call, ast.Call):
                call.keywords = [one for one in call.keywords if one.arg not in OF_THE_RECORD]
    return statement


def _origin(decorator: ast.expr, imports: dict[str, tuple[str, ...]]) -> str:
    names = _dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return ".".join((*imports.get(names[0], ()), *names[1:])) if names else ""
