"""The sizes of experiments: how many seeds, examples and grid points an experiment takes in each profile.

``quick`` is for a first look and for tests: few seeds. ``paper`` has the sizes at which the book's
verdicts were reached. ``large`` is for a GPU or a cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from mtlbook_lib.experiments._store import results
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


REGISTERED: dict[str, Experiment] = {}


def sized(
    *, quick: dict[str, Any], paper: dict[str, Any], large: dict[str, Any], large_cost: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Fill in the keyword arguments that give an experiment its sizes from the profile in force.

    A caller who names a size overrules the profile: tests call an experiment at tiny sizes, chapters call it without.
    Where ``MTLBOOK_STORE`` names a folder, a result that was stored there is read (see ``experiments/_store/``).

    Parameters
    ----------
    quick, paper, large : dict
        The sizes in each profile: the same keyword-only arguments of the experiment in all three.
    large_cost : str
        Memory and time of the large profile, such as "6 GB, 3 min on one GPU".

    Raises
    ------
    ValueError
        If the profiles do not name the same arguments, or one of them is not keyword-only in the experiment.
    """

    def decorate(experiment: Callable[P, R]) -> Callable[P, R]:
        name = f"{experiment.__module__}.{experiment.__qualname__}"
        entry = Experiment(name, quick, paper, large, large_cost)
        _check(entry, experiment)
        REGISTERED[name] = entry

        @wraps(experiment)
        def with_sizes(*args: P.args, **kwargs: P.kwargs) -> R:
            chosen = {**getattr(entry, engine.profile()), **kwargs}
            return results.result(experiment, *args, **chosen)

        return with_sizes

    return decorate


def _check(entry: Experiment, experiment: Callable[..., Any]) -> None:
    if not set(entry.quick) == set(entry.paper) == set(entry.large):
        raise ValueError(f"the profiles of {entry.name} must name the same sizes; got {entry}.")
    keywords = {p.name for p in signature(experiment).parameters.values() if p.kind is Parameter.KEYWORD_ONLY}
    if not set(entry.paper) <= keywords:
        wrong = sorted(set(entry.paper) - keywords)
        raise ValueError(f"the sizes of {entry.name} must be keyword-only arguments of it; {wrong} are not.")
