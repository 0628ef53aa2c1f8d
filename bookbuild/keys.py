"""What a chapter's outputs depend on, as one hash: when it changes, the chapter is executed again."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import yaml

from bookbuild.chapters import ROOT, Chapter

PINS = ("requirements.txt", "constraints.txt")
SETTINGS = ("MTLBOOK_PROFILE", "MTLBOOK_DEVICE", "MTLBOOK_DTYPE")


def chapter_key(chapter: Chapter, root: Path = ROOT) -> str:
    """Hash of the chapter's code, the library modules it reaches, pins, its claims, stored results and settings."""
    code = chapter.code()
    sources = [root / name for name in PINS] + library_modules(code, root) + stored_results(code, root)
    parts = {str(path.relative_to(root)): path.read_bytes().hex() for path in sources if path.exists()}
    parts["code"] = json.dumps(code)
    parts["claims"] = json.dumps(registered_claims(chapter.name, root), sort_keys=True, default=str)
    parts |= {name: os.environ.get(name, "") for name in SETTINGS}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def registered_claims(name: str, root: Path = ROOT) -> list[dict[str, object]]:
    """The register's entries for one chapter."""
    entries = yaml.safe_load((root / "book" / "claims.yml").read_text(encoding="utf8")) or []
    return [entry for entry in entries if entry.get("chapter") == name]


def stored_results(code: Iterable[str], root: Path = ROOT) -> list[Path]:
    """Files under results/ that the chapter names."""
    text = "\n".join(code)
    return sorted(path for path in (root / "results").rglob("*") if path.is_file() and path.name in text)


def library_modules(code: Iterable[str], root: Path = ROOT) -> list[Path]:
    """Files of mtlbook_lib that the code imports, directly or through other modules of it."""
    found: set[Path] = set()
    todo = [module for cell in code for module in imported_modules(_without_magics(cell))]
    while todo:
        for path in _files_of(todo.pop(), root):
            if path not in found:
                found.add(path)
                todo += imported_modules(path.read_text(encoding="utf8"))
    return sorted(found)


def imported_modules(source: str) -> list[str]:
    """Dotted names below mtlbook_lib that a source text imports (a name in `from a import b` may be a module)."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.split(".")[0] == "mtlbook_lib"]


def _files_of(module: str, root: Path) -> list[Path]:
    """The files that importing a dotted name runs: the packages on the way, and the module itself."""
    parts = module.split(".")
    packages = [root.joinpath(*parts[: i + 1], "__init__.py") for i in range(len(parts))]
    return [path for path in [*packages, root.joinpath(*parts).with_suffix(".py")] if path.exists()]


def _without_magics(cell: str) -> str:
    return "\n".join(line for line in cell.splitlines() if not line.lstrip().startswith(("%", "!")))
