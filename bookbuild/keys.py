"""What a chapter's outputs depend on, as one hash: when it changes, the chapter is executed again.

Drawing counts as well as computing: a figure is an output, and the cells of a chapter share one kernel. Only the
modules that a chapter reaches count, so the drawings of one chapter leave the others alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bookbuild.chapters import ROOT, Chapter, registered_claims
from mtlbook_lib.experiments._store import sources

PINS = ("requirements.txt", "constraints.txt")
# What the library reads from its surroundings, and what it takes where nothing is set.
SETTINGS = {"MTLBOOK_PROFILE": "paper", "MTLBOOK_DEVICE": "auto", "MTLBOOK_DTYPE": "float64", "MTLBOOK_SEEDS": "0"}
RECORDED_VERSIONS = ("numpy", "scipy", "torch", "scikit-learn", "matplotlib", "jupyter-book")


def chapter_key(chapter: Chapter, root: Path = ROOT) -> str:
    """Hash of the chapter's code, the library modules it reaches, pins, its claims, stored results and settings."""
    code = chapter.code()
    modules = sources.library_modules(code, root)
    parts: dict[str, Any] = {str(path.relative_to(root)): sources.read(path).dump for path in modules}
    files = [*(root / name for name in PINS), *sources.stored_results(code, modules, root)]
    parts |= {str(path.relative_to(root)): path.read_bytes().hex() for path in files if path.exists()}
    parts |= {"code": code, "claims": claims_of(chapter.name, root), "python": sys.version_info[:2], **settings()}
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def settings() -> dict[str, str]:
    """Profile, device and precision."""
    return {name: os.environ.get(name) or default for name, default in SETTINGS.items()}


def surroundings() -> dict[str, Any]:
    """Device, profile and versions, for the record of an execution."""
    # Imported here: torch takes a second, and most calls find nothing to execute.
    import torch

    from mtlbook_lib.simulation import engine

    return {
        "device": torch.cuda.get_device_name() if engine.device().type == "cuda" else "CPU",
        "profile": engine.profile(),
        "versions": {"python": platform.python_version(), **{name: version(name) for name in RECORDED_VERSIONS}},
    }


def claims_of(name: str, root: Path = ROOT) -> list[dict[str, Any]]:
    """The register's entries for one chapter."""
    return [entry for entry in registered_claims(root) if entry.get("chapter") == name]
