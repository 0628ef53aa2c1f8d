"""What a chapter's outputs depend on, as one hash: when it changes, the chapter is executed again.

Drawing counts as well as computing: a figure is an output, and the cells of a chapter share one kernel. Only the
modules that a chapter reaches count, so the drawings of one chapter leave the others alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bookbuild import sources
from bookbuild.chapters import ROOT, Chapter, registered_claims

PINS = ("requirements.txt", "constraints.txt")
# What the library reads from its surroundings, and what it takes where nothing is set.
SETTINGS = {"MTLBOOK_PROFILE": "paper", "MTLBOOK_DEVICE": "auto", "MTLBOOK_DTYPE": "float64", "MTLBOOK_SEEDS": "0"}


def chapter_key(chapter: Chapter, root: Path = ROOT) -> str:
    """Hash of the chapter's code, the library modules it reaches, pins, its claims, stored results and settings."""
    code = chapter.code()
    modules = sources.library_modules(code, root)
    parts: dict[str, Any] = {str(path.relative_to(root)): sources.read(path).dump for path in modules}
    files = [*(root / name for name in PINS), *stored_results(code, modules, root)]
    parts |= {str(path.relative_to(root)): path.read_bytes().hex() for path in files if path.exists()}
    parts |= {"code": code, "claims": claims_of(chapter.name, root), "python": sys.version_info[:2], **settings()}
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def settings() -> dict[str, str]:
    """Profile, device and precision."""
    return {name: os.environ.get(name) or default for name, default in SETTINGS.items()}


def claims_of(name: str, root: Path = ROOT) -> list[dict[str, Any]]:
    """The register's entries for one chapter."""
    return [entry for entry in registered_claims(root) if entry.get("chapter") == name]


def stored_results(code: Iterable[str], modules: Iterable[Path], root: Path = ROOT) -> list[Path]:
    """Files under results/ that a string of the chapter, or of a module it reaches, names.

    As a file, with its suffix, or in a folder: a file may be called by a word that stands in many strings.
    """
    parsed = [sources.parse(sources.without_magics(cell)) for cell in code] + [sources.read(path) for path in modules]
    strings = "\n".join(text for source in parsed for text in source.strings)
    found = (path for path in (root / "results").rglob("*") if path.is_file())
    return sorted(path for path in found if path.name in strings or f"/{path.stem}" in strings)
