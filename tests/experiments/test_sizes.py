"""Sizes follow the profile, differ between profiles for every experiment, and a caller may overrule them."""

import importlib
import inspect
import pkgutil

import pytest

from mtlbook_lib import experiments
from mtlbook_lib.experiments import sizes
from mtlbook_lib.experiments.part7.past_one_machine import cost, load_all

MODULES = [
    name for _, name, is_package in pkgutil.walk_packages(experiments.__path__, f"{experiments.__name__}.")
    if not is_package and ".part" in name
]  # fmt: skip
EXPERIMENTS = sorted(load_all())
SEEDS = {"n_seeds", "seeds", "n_sets", "n_splits", "n_runs"}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_sizes_differ_and_grow(name):
    entry = sizes.REGISTERED[name]
    assert entry.quick != entry.paper
    assert entry.paper != entry.large
    for key in entry.paper:
        if all(isinstance(values[key], int | float) for values in (entry.quick, entry.paper, entry.large)):
            assert entry.quick[key] <= entry.paper[key] <= entry.large[key]
    declared = cost(entry.large_cost)
    assert 0 < declared.gigabytes <= 80
    assert 1 <= declared.seconds <= 12 * 3600  # a night


@pytest.mark.parametrize("module", MODULES)
def test_every_function_with_seeds_has_sizes(module):
    """A number of seeds that no profile sets would stay as it is in every profile."""
    functions = inspect.getmembers(importlib.import_module(module), inspect.isfunction)
    for name, function in functions:
        if name.startswith("_") or function.__module__ != module:
            continue
        parameters = inspect.signature(function).parameters.values()
        counts = [p.name for p in parameters if p.name in SEEDS and p.kind is not p.POSITIONAL_OR_KEYWORD]
        if counts:
            assert f"{module}.{name}" in sizes.REGISTERED, f"{name} takes {counts}: give it sizes"


def test_the_profile_decides_and_a_caller_overrules(monkeypatch):
    @sizes.sized(quick={"n": 1}, paper={"n": 2}, large={"n": 3}, large_cost="1 MB")
    def experiment(x, *, n):
        return x, n

    for profile, n in (("quick", 1), ("paper", 2), ("large", 3)):
        monkeypatch.setenv("MTLBOOK_PROFILE", profile)
        assert experiment("x") == ("x", n)
    assert experiment("x", n=7) == ("x", 7)


def test_profiles_must_name_the_same_keyword_arguments():
    with pytest.raises(ValueError, match="must name the same sizes"):
        sizes.sized(quick={}, paper={"n": 2}, large={"n": 3}, large_cost="1 MB")(lambda *, n: n)
    with pytest.raises(ValueError, match="keyword-only"):
        sizes.sized(quick={"n": 1}, paper={"n": 2}, large={"n": 3}, large_cost="1 MB")(lambda n: n)
