"""What is put in the place of an argument, and what a function may do with it.

Each argument of each valid call is replaced by rubbish, one at a time. The function must refuse it with a ValueError or
a TypeError that names the argument, or return finite numbers.
"""

import copy
import inspect
import math
import re
import types
import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

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
Case = tuple[str, str, str, str]  # module, function, argument, rubbish


def public(module: types.ModuleType) -> Iterator[str]:
    """The public functions of a module, or of a package."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    for name in getattr(module, "__all__", [name for name in own if not name.startswith("_")]):
        if inspect.isroutine(getattr(module, name)) or hasattr(getattr(module, name), "cache_info"):
            yield name


def faults(
    case: tuple[str, str],
    function: Callable[..., Any],
    call: Mapping[str, Any],
    admitted: Container[Case] = (),
    infinite: Container[Case] = (),
    given: Container[str] = (),
) -> list[str]:
    """What is wrong with how a function takes rubbish, one line for each; `given` arguments are left as they are."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_finite(function(**copied(call))), f"the valid call of {case} is not finite"
        return [
            f"{argument} = {kind}: {found}"
            for argument in call
            if argument not in given
            for kind, value in {**NEVER, **SOMETIMES}.items()
            if (found := _fault((*case, argument, kind), function, call, value, admitted, infinite))
        ]


def _fault(
    case: Case,
    function: Callable[..., Any],
    call: Mapping[str, Any],
    value: Any,
    admitted: Container[Case],
    infinite: Container[Case],
) -> str | None:
    argument, kind = case[2:]
    try:
        result = function(**{**copied(call), argument: value})
    except (TypeError, ValueError) as error:
        # A shape, or a size, is wrong only together with others: they may be named instead.
        blamed = [argument] if kind in NEVER else list(call)
        return None if names(str(error), blamed) else f"{type(error).__name__}: {error}"
    except ModuleNotFoundError as error:
        # A value that asks for an optional package is none: the message says how to get it.
        return None if "Install it with" in str(error) else f"ModuleNotFoundError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if kind in NEVER and case not in admitted:
        return "accepted"
    return None if is_finite(result) or case in infinite else "a result that is not finite"


def copied(call: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that a function may spoil without harm to the next one."""
    return copy.deepcopy(dict(call))


def is_finite(result: Any) -> bool:
    """All numbers in a result are finite."""
    return all(np.isfinite(np.asarray(leaf, dtype=float)).all() for leaf in leaves(result))


def leaves(result: Any) -> Iterator[Any]:
    """The numbers and arrays in a result; text, functions and models count as fine."""
    if isinstance(result, tuple | list):
        for part in result:
            yield from leaves(part)
    elif isinstance(result, Mapping):
        yield from leaves(list(result.values()))
    elif is_dataclass(result):
        yield from leaves([getattr(result, field.name) for field in fields(result)])
    elif result is not None and not isinstance(result, str) and not callable(result) and not hasattr(result, "predict"):
        yield result


def names(message: str, arguments: list[str]) -> bool:
    return any(re.search(rf"\b{re.escape(argument)}\b", message) for argument in arguments)
