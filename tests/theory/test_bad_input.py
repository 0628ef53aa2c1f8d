"""Rubbish in, an error that names the argument out: one rule for every public function of the theory.

Each argument of each valid call is replaced by rubbish, one at a time. The function must refuse it with a ValueError or
a TypeError that names the argument, or return finite numbers.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import math
import pkgutil
import re
import warnings
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from valid_calls import CALLS

from mtlbook_lib import theory

NEVER: dict[str, Any] = {  # whatever the argument, this is not a value of it
    "NaN": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "text": "rubbish",
    "complex": 1 + 2j,
    "object": object(),
    "array with NaN": np.array([1.0, np.nan]),
}
SOMETIMES: dict[str, Any] = {  # may be a value of some arguments
    "ragged list": [[1.0], [1.0, 2.0]],
    "None": None,
    "empty": [],
    "negative": -3.7,
    "huge": 1e308,
    "hugely negative": -1e308,
    "large": 1e50,
    "small": 1e-50,
    "tiny": 1e-308,
    "huge integer": 10**30,
    "wrong shape": np.ones((1, 2, 1, 3)),
    "bool": True,
    "zero": 0,
}
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


def public(module: str) -> Iterator[str]:
    room = importlib.import_module(f"mtlbook_lib.theory.{module}")
    own = [name for name, value in vars(room).items() if getattr(value, "__module__", "") == room.__name__]
    for name in getattr(room, "__all__", [name for name in own if not name.startswith("_")]):
        if inspect.isroutine(getattr(room, name)) or hasattr(getattr(room, name), "cache_info"):
            yield name


def function(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"mtlbook_lib.theory.{module}"), name)


def leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, (tuple, list)):
        for part in result:
            yield from leaves(part)
    elif is_dataclass(result):
        yield from leaves([getattr(result, field.name) for field in fields(result)])
    elif result is not None:
        yield result


def is_finite(result: Any) -> bool:
    return all(np.isfinite(np.asarray(leaf, dtype=float)).all() for leaf in leaves(result))


def names_argument(message: str, arguments: Any) -> bool:
    return any(re.search(rf"\b{re.escape(argument)}\b", message) for argument in arguments)


def fault(module: str, name: str, argument: str, kind: str, value: Any) -> str | None:
    """What is wrong with how the function takes `value`, or None."""
    case, call = (module, name, argument, kind), copy.deepcopy(CALLS[module][name])
    try:
        result = function(module, name)(**{**call, argument: value})
    except (TypeError, ValueError) as error:
        # A shape, or a size, is wrong only together with others: they may be named instead.
        blamed = [argument] if kind in NEVER else list(call)
        return None if names_argument(str(error), blamed) else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if kind in NEVER and case not in ADMITTED:
        return "accepted"
    return None if is_finite(result) or case in INFINITE else "a result that is not finite"


def test_every_public_function_has_a_valid_call_with_all_its_arguments():
    modules = [module.name for module in pkgutil.iter_modules(theory.__path__) if not module.name.startswith("_")]
    assert set(CALLS) == set(modules)
    for module, calls in CALLS.items():
        assert set(calls) == set(public(module)), module
        for name, call in calls.items():
            assert set(call) == set(inspect.signature(function(module, name)).parameters), (module, name)


@pytest.mark.parametrize(("module", "name"), CASES)
def test_rubbish_is_refused_by_name_or_gives_finite_numbers(module, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_finite(function(module, name)(**copy.deepcopy(CALLS[module][name])))
        faults = [
            f"{argument} = {kind}: {found}"
            for argument in CALLS[module][name]
            for kind, value in {**NEVER, **SOMETIMES}.items()
            if (found := fault(module, name, argument, kind, value))
        ]
    assert not faults, "\n".join(faults)
