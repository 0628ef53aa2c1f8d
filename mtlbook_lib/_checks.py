"""Argument checks shared by every part of the library.

Each check returns the argument in the form the caller works with, or raises an error whose message names the argument,
says what it may be and what it was.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def real_array(name: str, value: ArrayLike, ndim: int | None = None) -> Array:
    """`value` as a float64 array of finite numbers (with `ndim` axes, where given)."""
    raw = np.asarray(value)
    if raw.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers; got {_short(value)}. Pass a float or an array of floats.")
    array = raw.astype(np.float64)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite; got {_short(value)}. Remove the NaN or infinite entries.")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes; got shape {array.shape}.")
    return array


def positive(name: str, value: ArrayLike) -> Array:
    """`value` as an array whose entries are all > 0."""
    array = real_array(name, value)
    if np.any(array <= 0):
        raise ValueError(f"{name} must be greater than 0; got {_short(value)}.")
    return array


def nonnegative(name: str, value: ArrayLike) -> Array:
    """`value` as an array whose entries are all >= 0."""
    array = real_array(name, value)
    if np.any(array < 0):
        raise ValueError(f"{name} must be 0 or greater; got {_short(value)}.")
    return array


def within(name: str, value: ArrayLike, lower: float, upper: float) -> Array:
    """`value` as an array whose entries all lie in the closed interval [lower, upper]."""
    array = real_array(name, value)
    if np.any(array < lower) or np.any(array > upper):
        raise ValueError(f"{name} must lie in [{lower:g}, {upper:g}]; got {_short(value)}.")
    return array


def broadcast(**arrays: Array) -> tuple[Array, ...]:
    """The arrays, given by the names of the arguments, brought to their common shape."""
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{', '.join(arrays)} must have shapes that broadcast; got {shapes}.") from None


def scalar(name: str, value: Any, check: Callable[[str, ArrayLike], Array] = real_array) -> float:
    """`value` as one Python float that passes `check`."""
    array = check(name, value)
    if array.ndim != 0:
        raise TypeError(f"{name} must be a single number; got an array of shape {array.shape}.")
    return float(array)


def count(name: str, value: Any, minimum: int = 1) -> int:
    """`value` as a Python int that is at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer; got {_short(value)}.")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}; got {value}.")
    return int(value)


def counts(name: str, value: ArrayLike, minimum: int = 1) -> NDArray[np.int64]:
    """`value`, an integer or an array of integers, as an array whose entries are at least `minimum`."""
    raw = np.asarray(value)
    if raw.dtype.kind not in "iu":
        raise TypeError(f"{name} must be an integer or an array of integers; got {_short(value)}.")
    if np.any(raw < minimum):
        raise ValueError(f"{name} must be at least {minimum}; got {_short(value)}.")
    return raw.astype(np.int64)


def one_of(name: str, value: Any, options: tuple[str, ...]) -> str:
    """`value`, if it is one of the named `options`."""
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}; got {_short(value)}.")
    return str(value)


def generator(name: str, value: Any) -> np.random.Generator:
    """`value`, if it is a numpy.random.Generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator (default_rng(seed)); got {_short(value)}.")
    return value


def like_input(result: Array | np.float64) -> Any:
    """A Python float for a 0-d result, the array itself otherwise (scalars in, scalars out)."""
    return float(result) if np.ndim(result) == 0 else result


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
