"""Rubbish in, an error that names the argument out: one rule for every public function of the theory."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from typing import Any

import pytest
from ranges import misfits
from rubbish import faults, public
from valid_calls_theory import CALLS

from mtlbook_lib import theory

# Module, function, argument, rubbish: what the function's own description admits.
ADMITTED = {
    ("transfer", "alike_error", "n_heads", "infinity"): "infinitely many tasks have a formula of their own",
}
INFINITE = {
    ("linear_dynamics", "wave_front", "t", "zero"): "no mode is half learned at time 0: the front is at infinity",
    ("classification", "optimal_scale", "overlap", "bool"): "the loss falls for ever where the overlap is 1",
    ("classification", "optimal_scale", "overlap", "wrong shape"): "all ones: as above",
    ("hard_sharing", "asymptotic_transfer", "n2", "large"): "the best source head is zero, the ratio infinite",
    ("hard_sharing", "asymptotic_transfer", "sigma2", "large"): "as above, of a target that is all noise",
}
CASES = [(module, name) for module, calls in CALLS.items() for name in calls]


def imported(module: str) -> Any:
    return importlib.import_module(f"mtlbook_lib.theory.{module}")


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    modules = [module.name for module in pkgutil.iter_modules(theory.__path__) if not module.name.startswith("_")]
    assert set(CALLS) == set(modules)
    for module, calls in CALLS.items():
        assert set(calls) == set(public(imported(module))), module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(getattr(imported(module), name)).parameters), (module, name)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_every_argument_and_the_source_are_described(module, name):
    text = getattr(imported(module), name).__doc__
    missing = [argument for argument in CALLS[module][name] if not re.search(rf"\b{argument}\b", text)]
    assert "Source:" in text or name == "curve_minimum"  # a search, no formula of anybody's
    assert not missing


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    found = faults((module, name), getattr(imported(module), name), CALLS[module][name], ADMITTED, INFINITE)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_what_lies_just_outside_a_range_is_refused_in_its_words(module, name):
    found = misfits(name, getattr(imported(module), name), CALLS[module][name])
    assert not found, "\n".join(found)
