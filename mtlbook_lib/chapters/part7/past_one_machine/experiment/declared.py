"""What experiments say of their large profile, and what they take at two smaller sizes."""

import importlib
import inspect
import re
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.chapters.sizes import load_all

ONE_CORE, ONE_GPU = "one core", "one GPU"
_COST = re.compile(r"([\d.]+) (GB|MB), ([\d.]+) (s|min|h) on (one core|16 cores|one GPU)(?:;.*)?")
_UNITS = {"GB": 1.0, "MB": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Cost:
    """A declared cost in numbers; `place` is "one core", "16 cores" or "one GPU"."""

    gigabytes: float
    seconds: float
    place: str


def cost(text: str) -> Cost:
    """The numbers of a declared cost, such as "6 GB, 3 min on one GPU"; what follows a semicolon is for readers only.

    Raises
    ------
    ValueError
        If it does not read so.
    """
    match = _COST.fullmatch(text)
    if match is None:
        raise ValueError(f"cost must read like '6 GB, 3 min on one GPU' (one core, 16 cores); got {text!r}.")
    memory, unit, time, clock, place = match.groups()
    return Cost(float(memory) * _UNITS[unit], float(time) * _UNITS[clock], place)


def short_name(name: str) -> str:
    """An experiment by its chapter and function."""
    parts = name.split(".")
    return f"{parts[3]}.{parts[-1]}"


def simple_names(place: str = ONE_CORE) -> list[str]:
    """Experiments for one place that need no argument and have one size, a number: those that can be measured alike."""
    names = []
    for name, entry in sorted(load_all().items()):
        numbers = [isinstance(value, int) for value in (*entry.quick.values(), *entry.large.values())]
        parameters = inspect.signature(function(name)).parameters.values()
        free = all(p.default is not p.empty or p.kind is p.KEYWORD_ONLY for p in parameters)
        if free and len(entry.paper) == 1 and all(numbers) and cost(entry.large_cost).place == place:
            names.append(name)
    return names


def drawn_names(n_names: int, draw: int, place: str = ONE_CORE) -> list[str]:
    """Some of these, drawn with the seed `draw`."""
    names = simple_names(place)
    return sorted(names[i] for i in np.random.default_rng(draw).choice(len(names), n_names, replace=False))


def times(name: str) -> dict[str, Array]:
    """Processor seconds of an experiment at its quick and at its paper size, after one call that is not counted."""
    entry, seconds = load_all()[name], []
    run = function(name)
    for chosen in (entry.quick, entry.quick, entry.paper):
        start = process_time()
        run(**chosen)
        seconds.append(process_time() - start)
    return {"quick": np.array(seconds[1]), "paper": np.array(seconds[2])}


def extrapolated(name: str, quick: float, paper: float) -> float:
    """Seconds of the large profile, by the straight line through the two."""
    entry = load_all()[name]
    (small,), (middle,), (large,) = (tuple(one.values()) for one in (entry.quick, entry.paper, entry.large))
    return float(paper + (paper - quick) / (middle - small) * (large - middle))


def ratio(name: str, quick: float, paper: float) -> float:
    """Declared over extrapolated seconds of the large profile."""
    return cost(load_all()[name].large_cost).seconds / extrapolated(name, quick, paper)


def function(name: str) -> Any:
    """The experiment of that name, as chapters call it."""
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(module), function)
