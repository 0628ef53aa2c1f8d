"""Results that are made once and handed out again: nobody can change the arrays that the next one is given."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


def remembered(most: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorator: the last `most` results are kept, or all of them, with arrays that are read-only."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def made(*args: P.args, **kwargs: P.kwargs) -> T:
            return read_only(function(*args, **kwargs))

        return cast(Callable[P, T], lru_cache(maxsize=most)(made))

    return decorate


def read_only(value: T) -> T:
    """`value`, whose arrays nobody writes to, also those inside tuples, lists, mappings and data classes."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple | list):
        for part in value:
            read_only(part)
    elif isinstance(value, Mapping) or is_dataclass(value):
        parts: Mapping[str, Any] = value if isinstance(value, Mapping) else vars(value)
        for part in parts.values():
            read_only(part)
    return value
