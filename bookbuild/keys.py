"""What a chapter's outputs depend on, as one hash: when it changes, the chapter is executed again.

Drawing counts as well as computing: a figure is an output, and the cells of a chapter share one kernel. Only the
functions, classes and constants that a chapter reaches count, so that what others draw and compute leaves it alone.
"""

import hashlib
import json
import os
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bookbuild.chapters import ROOT, Chapter, registered_claims
from mtlbook_lib.chapters import keys as library_keys

PINS = ("requirements.txt", "constraints.txt")
# One thread per kernel: there is a kernel for each core, and sums keep one order of summation.
KERNEL_ENV = {
    "MTLBOOK_BUILD": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
# What the library reads from its surroundings, and what it takes where nothing is set.
SETTINGS = {"MTLBOOK_PROFILE": "paper", "MTLBOOK_DEVICE": "auto", "MTLBOOK_DTYPE": "float64", "MTLBOOK_SEEDS": "0"}
RECORDED_VERSIONS = ("numpy", "scipy", "torch", "scikit-learn", "matplotlib", "jupyter-book")


def chapter_key(chapter: Chapter, root: Path = ROOT) -> str:
    """The chapter's code, the library modules it reaches, pins, its claims, stored results, settings and versions."""
    code = chapter.code()
    data = [root / name for name in PINS]
    parts: dict[str, Any] = {path.name: digest(path) for path in data if path.exists()}
    parts |= {"library": library_keys.of_cells(code, root)}
    parts |= {"code": code, "claims": claims_of(chapter.name, root), "python": platform.python_version()}
    parts |= {"settings": settings(), "versions": versions()}
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def digest(path: Path) -> str:
    """Hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def settings() -> dict[str, str]:
    """The variables that change what a kernel of the build shows."""
    here = KERNEL_ENV | {name: value for name, value in os.environ.items() if value}
    return SETTINGS | library_keys.changing(here)


def precise(name: str, root: Path = ROOT) -> dict[str, str]:
    """What to set for the kernel of a chapter whose claims all need double precision, where single is asked for."""
    if os.environ.get("MTLBOOK_DTYPE") != "float32":
        return {}
    needed = {entry.get("precision") for entry in claims_of(name, root)}
    return {"MTLBOOK_DTYPE": "float64"} if needed == {"double"} else {}


@cache
def versions() -> dict[str, str]:
    """Of the packages that a chapter's outputs depend on most."""
    return {name: version(name) for name in RECORDED_VERSIONS}


def surroundings() -> dict[str, Any]:
    """Device, profile and versions, for the record of an execution."""
    # Imported here: torch takes a second, and most calls find nothing to execute.
    import torch

    from mtlbook_lib.simulation import engine

    place = engine.device()
    return {
        "device": torch.cuda.get_device_name(place) if place.type == "cuda" else place.type.upper(),
        "profile": engine.profile(),
        "versions": {"python": platform.python_version(), **versions()},
    }


def claims_of(name: str, root: Path = ROOT) -> list[dict[str, Any]]:
    """The register's entries for one chapter."""
    return [entry for entry in registered_claims(root) if entry["chapter"] == name]
