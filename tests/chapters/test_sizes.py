"""Sizes follow the profile, differ between profiles for every experiment, and a caller may overrule them."""

import importlib
import inspect
import pkgutil
from types import ModuleType, SimpleNamespace

import pytest

from mtlbook_lib import chapters
from mtlbook_lib.chapters import sizes
from mtlbook_lib.chapters.part7.past_one_machine.experiment import cost
from mtlbook_lib.chapters.sizes import load_all

MODULES = [
    name for _, name, is_package in pkgutil.walk_packages(chapters.__path__, f"{chapters.__name__}.")
    if not is_package and ".part" in name and ".experiment" in name
]  # fmt: skip
SEEDS = {"n_seeds", "seeds", "n_sets", "n_splits", "n_runs"}


def test_sizes_differ_and_grow():
    assert {name: found for name in load_all() if (found := unfit(sizes.REGISTERED[name]))} == {}


def test_every_function_with_seeds_has_sizes():
    """A number of seeds that no profile sets would stay as it is in every profile."""
    found = {name for module in MODULES for name in takes_seeds(importlib.import_module(module))}
    assert found
    assert found - set(sizes.REGISTERED) == set(), "these take seeds: give them sizes"


def unfit(entry):
    """What is wrong with the sizes of an experiment: equal, falling, or too much for one night on one device."""
    profiles = (entry.quick, entry.paper, entry.large)
    found = ["quick is paper"] * (entry.quick == entry.paper) + ["paper is large"] * (entry.paper == entry.large)
    for key in entry.paper:
        values = [profile[key] for profile in profiles]
        if all(isinstance(value, int | float) for value in values) and values != sorted(values):
            found.append(f"{key} falls")
    declared = cost(entry.large_cost)
    fits = 0 < declared.gigabytes <= 80 and 1 <= declared.seconds <= 12 * 3600
    return found + [f"costs {entry.large_cost}"] * (not fits)


def takes_seeds(module):
    """The public functions of a module whose number of seeds a caller may set by its name alone."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if not name.startswith("_") and function.__module__ == module.__name__:
            parameters = inspect.signature(function).parameters.values()
            if any(p.name in SEEDS and p.kind is not p.POSITIONAL_OR_KEYWORD for p in parameters):
                yield f"{module.__name__}.{name}"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"paper": {"n": 1}}, ["quick is paper"]),
        ({"large": {"n": 2}}, ["paper is large"]),
        ({"quick": {"n": 5}}, ["n falls"]),
        ({"large": {"n": 1}}, ["n falls"]),
        ({"quick": {"n": [9]}}, []),
        ({"large_cost": "81 GB, 1 h on one core"}, ["costs 81 GB, 1 h on one core"]),
        ({"large_cost": "1 GB, 13 h on one core"}, ["costs 1 GB, 13 h on one core"]),
    ],
)
def test_unfit_sizes_are_found(change, found):
    fit = {"quick": {"n": 1}, "paper": {"n": 2}, "large": {"n": 3}, "large_cost": "1 GB, 1 h on one core"}
    assert unfit(SimpleNamespace(**fit | change)) == found


def test_a_function_with_seeds_is_found():
    module = ModuleType("made_up")
    source = "def a(*, n_seeds): 0\ndef b(*, seeds=1): 0\ndef c(n_seeds): 0\ndef _d(*, n_seeds): 0\ndef e(*, n): 0"
    exec(source, module.__dict__)
    assert list(takes_seeds(module)) == ["made_up.a", "made_up.b"]


def test_the_profile_decides_and_a_caller_overrules(monkeypatch):
    @sizes.sized(n=(1, 2, 3), cost="1 MB")
    def experiment(x, *, n):
        return x, n

    for profile, n in (("quick", 1), ("paper", 2), ("large", 3)):
        monkeypatch.setenv("MTLBOOK_PROFILE", profile)
        assert experiment("x") == ("x", n)
    assert experiment("x", n=7) == ("x", 7)


def test_sizes_are_three_values_of_keyword_arguments():
    for wrong in ((1, 2), (1, 2, 3, 4), 5, [1, 2, 3]):
        with pytest.raises(ValueError, match=r"n of .* must have three values"):
            sizes.sized(n=wrong, cost="1 MB")(lambda *, n: n)
    with pytest.raises(ValueError, match="keyword-only"):
        sizes.sized(n=(1, 2, 3), cost="1 MB")(lambda n: n)
