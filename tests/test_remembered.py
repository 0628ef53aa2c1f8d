"""What is made once and handed out again cannot be changed by who is given it."""

import ast
import dataclasses
import importlib
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mtlbook_lib._remembered import read_only, remembered
from mtlbook_lib.data import noisy_tasks
from mtlbook_lib.data.real import digits
from mtlbook_lib.data.real_pairs import source_of
from mtlbook_lib.theory.softmax import isotropic_curves

ROOT = Path(__file__).resolve().parent.parent


def plainly_cached() -> list[tuple[str, str]]:
    """Modules and functions of the library that functools remembers as they are."""
    found = []
    for path in sorted((ROOT / "mtlbook_lib").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf8")).body:
            decorators = [ast.unparse(one) for one in getattr(node, "decorator_list", ())]
            if any(one.removeprefix("functools.").startswith(("cache", "lru_cache")) for one in decorators):
                found.append((".".join(path.relative_to(ROOT).with_suffix("").parts), node.name))
    return found


def holds_arrays(hint: Any) -> bool:
    """Whether a type is an array, or has one inside."""
    kind = typing.get_origin(hint) or hint
    if kind is np.ndarray:
        return True
    fields = typing.get_type_hints(kind).values() if dataclasses.is_dataclass(kind) else ()
    return any(map(holds_arrays, (*fields, *(part for part in typing.get_args(hint) if part is not ...))))


@pytest.mark.parametrize(("module", "name"), plainly_cached())
def test_what_functools_remembers_holds_no_array(module: str, name: str) -> None:
    function = getattr(importlib.import_module(module), name)
    assert not holds_arrays(typing.get_type_hints(function)["return"])


def test_types_that_hold_arrays_are_seen() -> None:
    assert all(map(holds_arrays, (np.ndarray, Mapping[str, list[np.ndarray]], type(digits()))))
    assert not any(map(holds_arrays, (float, dict[str, str])))


def arrays_in(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    inner = vars(value).values() if dataclasses.is_dataclass(value) else inner
    return [array for part in inner for array in arrays_in(part)]


@pytest.mark.parametrize(
    "make",
    [
        lambda: isotropic_curves(4),
        lambda: source_of("iris"),
        lambda: noisy_tasks._rows("digits", 20, (0,)),
        lambda: read_only({"a": (np.zeros(2), [np.zeros(1)])}),
    ],
)
def test_arrays_are_read_only(make: Any) -> None:
    arrays = arrays_in(make())
    assert arrays
    assert not any(array.flags.writeable for array in arrays)


def test_a_copy_is_the_callers_own() -> None:
    first = digits()
    first.inputs[:] = 0
    assert digits().inputs.any()


def test_the_last_results_are_remembered() -> None:
    calls = []

    @remembered(1)
    def made(n: int) -> np.ndarray:
        calls.append(n)
        return np.zeros(n)

    assert made(1) is made(1)
    made(2)
    made(1)
    assert calls == [1, 2, 1]
