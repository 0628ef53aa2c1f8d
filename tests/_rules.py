"""The rules of the repository over a whole tree: each returns what breaks it, one line for each offender.

A rule takes the root of a repository, so that a test can also show it a small one that breaks it.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from _architecture import (
    cycle,
    import_graph,
    import_violations,
    imports,
    inner_violations,
    is_closed,
    long_functions,
    random_violations,
    raw_uses,
)

TOOLS = ("bookbuild", "benchmarks", "tests")
MAX_FILE_LINES = 500
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?:---\n.*?\n---\n)?(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Source:
    """One file: where it lies below the root, and its text."""

    path: Path
    text: str

    @property
    def module(self) -> str:
        """The name it is imported by; of a package without its ``__init__``."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    @property
    def is_package(self) -> bool:
        """It is the ``__init__`` of a package."""
        return self.path.name == "__init__.py"


@cache
def sources(root: Path, *patterns: str) -> tuple[Source, ...]:
    """The files below the root that match; a pattern without a file is an error, for it would check nothing."""
    found = []
    for pattern in patterns:
        paths = sorted(root.glob(pattern))
        if not paths:
            raise FileNotFoundError(f"no file matches {pattern}: correct the pattern, or take it out")
        found += [Source(path.relative_to(root), path.read_text(encoding="utf8")) for path in paths]
    return tuple(found)


def library(root: Path) -> tuple[Source, ...]:
    """The files of the package."""
    return sources(root, "mtlbook_lib/**/*.py")


def everything(root: Path) -> tuple[Source, ...]:
    """All Python files of the repository."""
    return library(root) + sources(root, "*.py", *(f"{folder}/**/*.py" for folder in TOOLS))


def forbidden_imports(root: Path) -> list[str]:
    """Imports that a part of the package may not make."""
    return _each(library(root), lambda file: import_violations(file.text, file.module, file.is_package))


def global_random_state(root: Path) -> list[str]:
    """Draws of torch from the random state that all share."""
    return _each(library(root), lambda file: random_violations(file.text))


def checked_and_raw(root: Path) -> list[str]:
    """Functions that compute with a parameter as it was given, after a check that has made a number of it."""
    return _each(library(root), lambda file: [] if file.module.endswith("._checks") else raw_uses(file.text))


def long_texts(root: Path) -> list[str]:
    """Files and functions that are too long."""

    def too_long(file: Source) -> list[str]:
        n_lines = len(file.text.splitlines())
        return [f"{n_lines} lines"] * (n_lines >= MAX_FILE_LINES) + long_functions(file.text)

    return _each(everything(root), too_long)


def import_cycle(root: Path) -> list[str]:
    """The modules of one cycle of imports, in order."""
    return cycle(import_graph({file.module: (file.text, file.is_package) for file in library(root)}))


def inner_imports(root: Path) -> list[str]:
    """Imports of inner files from outside their package."""
    modules, packages = _modules(root), closed_packages(root)
    return _each(
        library(root), lambda file: inner_violations(file.text, file.module, modules, packages, file.is_package)
    )


def imports_of_chapters(root: Path) -> list[str]:
    """In chapters: inner files, and modules that were made for another chapter."""
    modules, packages = _modules(root), closed_packages(root)

    def wrong(file: Source) -> list[str]:
        source, own = _cells(file.text), _chapter_of(file.path)
        others = _made_for(source) - {own}
        inner = inner_violations(source, "chapter", modules, packages)
        return inner + [f"{own} uses {other}" for other in sorted(others)]

    return _each(sources(root, "book/part*/*.md"), wrong)


def imports_between_chapters(root: Path) -> list[str]:
    """Modules made for one chapter that use those of another; what a part shares begins with an underscore."""

    def wrong(file: Source) -> list[str]:
        targets = [imported.target for imported in imports(file.text, file.module, file.is_package)]
        used = {_of_chapter(target) for target in targets if re.search(r"\.part\d+\.[a-z]", target)}
        return [f"uses {other}" for other in sorted(used - {_of_chapter(file.module)})]

    return _each([file for file in library(root) if re.search(r"\.part\d+\.", file.module)], wrong)


def hidden_names(root: Path) -> list[str]:
    """Public names of a package that takes all of its files (``import *``), which two of these files define."""
    texts = {file.module: file.text for file in library(root)}

    def twice(file: Source) -> list[str]:
        targets = [imported.target for imported in imports(file.text, file.module, file.is_package)]
        files = [target.removesuffix(".*") for target in targets if target.endswith(".*")]
        defined = Counter(name for module in files for name in _top_names(texts[module]))
        return [f"{name} is defined {defined[name]} times" for name in _listed(file.text) if defined[name] > 1]

    return _each([file for file in library(root) if file.is_package], twice)


@cache
def closed_packages(root: Path) -> set[str]:
    """The packages that list their public names."""
    return {file.module for file in library(root) if file.is_package and is_closed(file.text)}


RULES = (forbidden_imports, global_random_state, checked_and_raw, long_texts, import_cycle, inner_imports,
         imports_of_chapters, imports_between_chapters, hidden_names)  # fmt: skip


def _each(files: Iterable[Source], wrong: Callable[[Source], list[str]]) -> list[str]:
    return [f"{file.path.as_posix()}: {line}" for file in files for line in wrong(file)]


def _modules(root: Path) -> set[str]:
    return {file.module for file in library(root)}


def _cells(chapter: str) -> str:
    """The code of a chapter, without magic commands and the cells' own settings."""
    lines = [line for cell in CELL.findall(chapter) for line in cell.splitlines()]
    return "\n".join(line for line in lines if not line.startswith(("%", ":")))


def _listed(source: str) -> list[str]:
    """The names in ``__all__``."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    return [
        name for node in nodes if ast.unparse(node.targets[0]) == "__all__" for name in ast.literal_eval(node.value)
    ]


def _top_names(source: str) -> set[str]:
    """What a file defines: functions, classes, and names that are given a value."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return found


def _chapter_of(path: Path) -> str:
    """The name of a chapter as its modules have it: ``part1.noise_spectrum``."""
    return ".".join(path.with_suffix("").parts[-2:]).replace("-", "_")


def _made_for(source: str) -> set[str]:
    """The chapters whose own modules a text imports."""
    targets = "\n".join(imported.target for imported in imports(source, "text"))
    return set(re.findall(r"mtlbook_lib\.chapters\.(part\d+\.\w+)", targets))


def _of_chapter(module: str) -> str:
    """The package that a chapter owns."""
    return ".".join(module.split(".")[:4])
