"""Packages whose modules are found by name, and loaded when they are first used."""

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

Lookup = tuple[Callable[[str], ModuleType], Callable[[], list[str]]]


def modules(package: str, folders: Iterable[str]) -> Lookup:
    """``__getattr__`` and ``__dir__`` of a package: `dir` shows its public modules, and a name loads one."""
    names = sorted(found.name for found in iter_modules(folders) if not found.name.startswith("_"))

    def load(name: str) -> ModuleType:
        if name not in names:
            raise AttributeError(f"{package} has no module {name!r}; it has {', '.join(names)}.")
        return import_module(f"{package}.{name}")

    return load, lambda: list(names)
