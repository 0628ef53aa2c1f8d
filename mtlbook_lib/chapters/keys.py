"""The code that a text reaches in the library: keys of results, of sweeps and of pages are made of it.

A text brings all of the library that it names, and what that names in turn: functions, classes and constants, one by
one, so that a change elsewhere in a module changes no key; of a module that it names as such, all. Comments and
docstrings do not count, and neither do caches, threads and notes of what a result costs: they compute no number.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.util import find_spec
from inspect import unwrap
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any

from mtlbook_lib._files import PACKAGE

LIBRARY = PACKAGE.name
NAMED = re.compile(rf"{LIBRARY}(\.\w+)+")  # a module may also be named to importlib
# They refuse arguments, read and write files, and hand out work: no number of a committed result hangs on them.
WITHOUT_NUMBERS = tuple(f"{LIBRARY}.{name}" for name in ("_checks", "_fields", "_files", "_extras", "_threads",
                        "_remembered", "chapters.keys", "chapters.sizes", "chapters.stored_results", "chapters.sweep",
                        "chapters.workers"))  # fmt: skip
INSTALLED = ("site-packages", "dist-packages")
STANDARD = sys.stdlib_module_names | {"builtins", "__main__", ""}
MAIN = ("__main__", "__mp_main__")  # what is started, and in other processes
# Decorators that decide where and how often something is computed.
OF_THE_RUN = (f"{LIBRARY}._threads", f"{LIBRARY}._remembered", "functools.cache", "functools.lru_cache")
OF_THE_RECORD = {"minutes", "cost", "lacking", "tolerances"}  # arguments of `sized` that change no number
DOCUMENTED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
# How variables begin that change what is computed: ours, and those of the numerical libraries.
PREFIXES = ("MTLBOOK_", "OMP_", "OPENBLAS_", "MKL_", "NPY_", "ATEN_", "KMP_", "CUBLAS_", "CUDA_", "NVIDIA_", "TORCH_")
# The register counts by what it says, not by its name. Scikit-learn sets the last two when it is imported: how
# libraries of threads load and fork, not what they compute.
CHANGE_NOTHING = {"MTLBOOK_BUILD", "MTLBOOK_CLAIMS", "KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK"}
_PARSER = Lock()  # two threads in Python 3.11's parser may count its depth wrongly (SystemError)

Place = tuple[str, str]  # a module and a name in it; without name its statements that define nothing


@dataclass
class Part:
    """The definition of a name: its syntax, the dotted names in it, and its texts."""

    syntax: list[str] = field(default_factory=list)
    names: set[tuple[str, ...]] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


@dataclass
class Module:
    """A text taken apart: what it defines, by name, and where its other names come from."""

    package: str  # for a package its own name
    parts: dict[str, Part] = field(default_factory=dict)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a module, and a name in it where there is one
    stars: list[str] = field(default_factory=list)


class Library:
    """The library below a folder as it lies on the disk, but for some modules; each file is read once.

    With `own`, modules of the user's that it is asked for too.
    """

    def __init__(self, root: Path, without: tuple[str, ...] = (), own: bool = False) -> None:
        self.root, self.without, self.own = root, without, own
        self._modules: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """A module or package, taken apart; None where there is none."""
        if name not in self._modules and not name.startswith(self.without):
            top = name.partition(".")[0]
            folder = self.root if top == LIBRARY else _own_folder(top) if self.own else None
            if folder is None:
                return None
            place = folder.joinpath(*name.split("."))
            files = place / "__init__.py", place.with_suffix(".py")
            path = next((file for file in files if file.exists()), None)
            package = name.rpartition(".")[0] if path == files[1] else name
            known = path is not None or place.is_dir()  # a package may be a folder alone
            self._modules[name] = taken_apart(path.read_bytes() if path else "", package) if known else None
        return self._modules.get(name)

    def reached(self, code: str | Module) -> dict[Place, Part]:
        """All that a text reaches, the text itself as the module ""."""
        self._modules[""] = taken_apart(code, "") if isinstance(code, str) else code
        found, todo = dict[Place, Part](), set(self._led("", ()))
        while todo:
            module, name = place = todo.pop()
            if place not in found:
                here = self.module(module)
                found[place] = part = here.parts.get(name, Part()) if here else Part()
                todo |= {one for names in part.names for one in self._led(module, names)}
                todo |= {one for text in part.texts if NAMED.fullmatch(text) for one in self._led(text, ())}
        return found

    def _led(self, module: str, names: tuple[str, ...]) -> Iterator[Place]:
        """Where names lead that are looked up in a module: what defines the first, in the end; without names all."""
        here, inner = self.module(module), ".".join([module, *names[:1]])
        if here is None:
            return
        yield module, ""
        if not names:
            yield from ((module, name) for name in here.parts)
        elif names[0] in here.parts:
            yield module, names[0]
        elif (source := here.imports.get(names[0])) and source != (module, names[0]):
            yield from self._led(source[0], (*source[1:], *names[1:]))
        elif here.package == module and self.module(inner):
            yield from self._led(inner, names[1:])
        else:
            for star in here.stars:
                yield from self._led(star, names)

    def files(self, found: Mapping[Place, Part], folder: str, suffix: str) -> dict[str, str]:
        """Hashes of the files of a folder that a text of these parts names: with the suffix, or behind a slash."""
        texts = "\n".join(sorted({text for part in found.values() for text in part.texts}))
        paths = sorted((self.root / LIBRARY / folder).rglob(f"*{suffix}"))
        named = [path for path in paths if path.name in texts or f"/{path.stem}" in texts]
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in named}

    def key(self, code: str, folders: Mapping[str, str]) -> str:
        """A hash of all that a text reaches, and of the files that it names, by folder and suffix."""
        found = self.reached(code)
        parts = {".".join(filter(None, place)): part.syntax for place, part in found.items()}
        files = [self.files(found, *one) for one in folders.items()]
        return hashlib.sha256(repr([sorted(parts.items()), files]).encode()).hexdigest()


def key(function: Any) -> str:
    """Of a committed result the hash of the function's code and of all that this names, with their constants."""
    return key_of(function.__module__, function.__qualname__.partition(".")[0], PACKAGE.parent)


@cache
def key_of(module: str, name: str, root: Path) -> str:
    """The same by name, of the texts below a folder."""
    return Library(root, WITHOUT_NUMBERS).key(f"from {module} import {name}\n{name}", {"data": ".npz"})[:16]


def code(function: Any) -> dict[str, str]:
    """Hashes of the code that a function reaches, module by module, and of the files that it names.

    The function stands at the top of a module of the library or of the user's: else there is a TypeError. If one of the
    user's was edited since it was imported, there is a RuntimeError: the old code would be run for the new one's key.
    """
    module, name = source(function)
    library = Library(PACKAGE.parent, own=True)
    found = library.reached(Module("", {"": Part(names={(name,)})}, {name: (module, name)}))
    if function.__module__ in MAIN and library.module(module) is None:
        raise TypeError(
            f"function must stand in a file that can be imported, so that its code can be read; as {module!r} none "
            "can, or another one is. Give the file another name."
        )
    texts: dict[str, list[str]] = {}
    for (place, inner), part in sorted(found.items()):
        texts.setdefault(place, []).append(repr(part.syntax))
        if place.partition(".")[0] not in ("", LIBRARY):
            _check_as_imported(sys.modules.get(function.__module__ if place == module else place), inner)
    hashes = {place: hashlib.sha256("\n".join(lines).encode()).hexdigest() for place, lines in texts.items() if place}
    files = library.files(found, "data", ".npz") | library.files(found, "chapters", ".json")
    return {"function": f"{module}.{name}", **hashes, **files}


def source(function: Any) -> Place:
    """The module and the name of a function; of a script the module that other processes import."""
    module, name = getattr(function, "__module__", None) or "", getattr(function, "__qualname__", "")
    loaded = sys.modules.get(module)
    if function is not getattr(loaded, name, None):
        raise TypeError(f"function must stand at the top of a module, which tells its code; got {function!r}.")
    if module in MAIN:
        started = getattr(loaded, "__spec__", None)  # with -m; a script has none
        module = started.name if started else Path(getattr(loaded, "__file__", None) or "").stem
        if not module:
            raise TypeError(f"function must stand in a file, so that its code can be read; {name} was typed in.")
    return module, name


def _check_as_imported(loaded: ModuleType | None, name: str) -> None:
    """That a function of a module does what its file says; where its lines stand makes no difference."""
    kept, file = getattr(loaded, name, None), Path(getattr(loaded, "__file__", None) or "")
    held = unwrap(kept) if callable(kept) else None
    if isinstance(held, FunctionType) and held.__module__ == getattr(loaded, "__name__", "") and file.suffix == ".py":
        alike = [one for one in _compiled(file.read_bytes()) if one.co_name == name]
        if alike and _placeless(held.__code__) not in alike:
            raise RuntimeError(f"{name} was edited in {file.name} since that was imported; start Python anew.")


@lru_cache(maxsize=32)
def _compiled(text: bytes) -> tuple[CodeType, ...]:
    """The functions and classes at the top of a file; a sweep asks for each of them."""
    made = compile(text, "", "exec", dont_inherit=True).co_consts
    return tuple(_placeless(one) for one in made if isinstance(one, CodeType))


def _placeless(code: CodeType) -> CodeType:
    inner = (_placeless(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=tuple(inner))


def _own_folder(top: str) -> Path | None:
    """Where a package or module of the user's lies; none of the standard library, and of what is installed."""
    spec = None if top in STANDARD else find_spec(top)
    if spec is None:
        return None
    inner = [*(spec.submodule_search_locations or ()), spec.origin or ""][0]
    return None if any(part in inner for part in INSTALLED) else Path(inner).parent


def of_cells(cells: Iterable[str], root: Path) -> str:
    """A hash of all that the cells of a page reach below a folder, and of the stored results that this names."""
    lines = (line for cell in cells for line in cell.splitlines() if not line.lstrip().startswith(("%", "!")))
    return Library(root).key("\n".join(lines), {"data": ".npz", "chapters": ".json"})


def changing(surroundings: Mapping[str, str]) -> dict[str, str]:
    """Those of the variables that change what is computed, in the order of their names."""
    names = sorted(name for name in surroundings if name.startswith(PREFIXES) and name not in CHANGE_NOTHING)
    return {name: surroundings[name] for name in names}


@cache
def taken_apart(text: str | bytes, package: str) -> Module:
    """A text as a module of `package`; parsed once for as long as it stays the same."""
    with _PARSER:
        tree = ast.parse(text)
    made = Module(package)
    for node in ast.walk(tree):
        _note_imports(node, package, made)
    for statement in tree.body:
        if package.partition(".")[0] != LIBRARY and _is_start(statement):
            continue
        bare = _bare(statement, made.imports)
        nodes, syntax = list(ast.walk(bare)), ast.dump(bare)
        chains = {_dotted(one) for one in nodes if isinstance(one, ast.Name | ast.Attribute)}
        for name in _defined(statement):
            part = made.parts.setdefault(name, Part())
            part.syntax.append(syntax)
            part.names |= chains - {()}
            part.texts |= {one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return made


def _dotted(node: ast.expr) -> tuple[str, ...]:
    """The names of ``a.b.c``; none of what is no such chain."""
    if isinstance(node, ast.Name):
        return (node.id,)
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else ()
    return (*before, node.attr) if before else ()  # type: ignore[attr-defined]


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


def _is_start(statement: ast.stmt) -> bool:
    """Whether it is what a script does when it is started; other processes import it without."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'"


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
