"""Sizes of an experiment in each profile, its cost, and the file that is committed of it.

``quick`` is for a first look and for tests: few seeds. ``paper`` has the sizes at which the book's
verdicts were reached. ``large`` is for a GPU or a cluster.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mtlbook_lib._files import CHAPTERS
from mtlbook_lib.simulation import engine

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Experiment:
    """An experiment with its sizes in each profile, and what the large one takes in memory and time."""

    name: str
    quick: dict[str, Any]
    paper: dict[str, Any]
    large: dict[str, Any]
    large_cost: str


@dataclass(frozen=True)
class Committed:
    """A result that is committed beside its chapter: the file, what computes it, and minutes on one core.

    `lacking` says what is not in the repository, where cells of it can for that not be computed again, and `tolerances`
    how far numbers of a part may be off where the last bit of a machine moves them by more than others.
    """

    file: str
    run: Callable[[Path], Any]
    minutes: float
    lacking: str = ""
    tolerances: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """By which it is asked for, such as ``part4/auxiliary-data-further``."""
        return f"{self.file.partition('/')[0]}/{Path(self.file).stem}"

    @property
    def path(self) -> Path:
        """Where it lies."""
        return CHAPTERS / self.file


REGISTERED: dict[str, Experiment] = {}
COMMITTED: dict[str, Committed] = {}


def sized(
    *,
    cost: str = "",
    file: str = "",
    minutes: float = 0.0,
    lacking: str = "",
    tolerances: Mapping[str, float] | None = None,
    **sizes: tuple[Any, Any, Any],
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Fill in the keyword arguments that give an experiment its sizes from the profile in force.

    A row ``n_seeds=(4, 40, 4000)`` means 4 seeds in the profile ``quick``, 40 in ``paper``, 4000 in ``large``.
    A caller who names a size overrules the profile: tests call an experiment at tiny sizes, chapters call it without.

    Parameters
    ----------
    cost : str
        Memory and time of the large profile, such as "6 GB, 3 min on one GPU".
    file, minutes : str, float
        If it is committed: the file in the folder of the chapters, and how long it takes on one core. It is then a
        function of a folder for unfinished parts, which ``make results`` calls, and returns what JSON holds.
    lacking : str
        What a committed result needs that the repository has not, such as "a GPU".
    tolerances : dict
        By part of a committed result, how far a number that is computed again may be off.
    **sizes : tuple
        For each size, a keyword-only argument of the experiment, its values ``(quick, paper, large)``.

    Raises
    ------
    ValueError
        If a size does not have three values, or is not a keyword-only argument of the experiment.
    """

    def decorate(experiment: Callable[P, R]) -> Callable[P, R]:
        name = f"{experiment.__module__}.{experiment.__qualname__}"
        _check(name, sizes, experiment)
        quick, paper, large = ({size: values[place] for size, values in sizes.items()} for place in range(3))
        entry = Experiment(name, quick, paper, large, cost)

        @wraps(experiment)
        def with_sizes(*args: P.args, **kwargs: P.kwargs) -> R:
            chosen = {**getattr(entry, engine.profile()), **kwargs}
            return experiment(*args, **chosen)

        if sizes:
            REGISTERED[name] = entry
        if file:
            committed = Committed(file, with_sizes, minutes, lacking, tolerances or {})  # type: ignore[arg-type]
            COMMITTED[committed.name] = committed
        return with_sizes

    return decorate


def load_all() -> dict[str, Experiment]:
    """All experiments of the book with their sizes, by name; loads the modules of all chapters."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.walk_packages([str(CHAPTERS)], f"{package}."):
        if ".part" in module.name and not module.name.endswith(".figures"):
            importlib.import_module(module.name)
    return {name: entry for name, entry in REGISTERED.items() if ".part" in name}


def _check(name: str, sizes: dict[str, Any], experiment: Callable[..., Any]) -> None:
    for size, values in sizes.items():
        if not isinstance(values, tuple) or len(values) != 3:
            raise ValueError(f"{size} of {name} must have three values, (quick, paper, large); got {values!r}.")
    keywords = {p.name for p in signature(experiment).parameters.values() if p.kind is Parameter.KEYWORD_ONLY}
    if not set(sizes) <= keywords:
        wrong = sorted(set(sizes) - keywords)
        raise ValueError(f"the sizes of {name} must be keyword-only arguments of it; {wrong} are not.")
