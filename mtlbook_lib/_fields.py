"""Objects whose fields are what their annotations say, however they were made: the one place that checks them.

A frozen dataclass keeps what it was given; ``dataclasses.replace`` and a call by hand give it anything. A class that
derives from ``Checked`` refuses by the field's name what its annotation does not allow. Arrays are not masked, finite
(where ``gaps`` does not say otherwise) and, where they name their axes, of shapes that go together.
"""

import types
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib import _checks

_KINDS = {"f": "biuf", "i": "iu", "u": "u", "b": "b"}  # what an array may hold that is annotated as such a kind


class Checked:
    """A dataclass that checks its fields as it is made.

    `_axes` names the axes of fields, as in "weights: seed setting task": those of one name have one length in all of
    them. A number is the length itself, and a first name of "..." is any number of further axes.
    """

    _axes: ClassVar[tuple[str, ...]] = ()
    _gaps: ClassVar[bool] = False

    def __init_subclass__(cls, gaps: bool = False) -> None:
        """With `gaps`, NaN and infinity are values: those of runs that did not get there."""
        cls._gaps = gaps
        if "__eq__" not in cls.__dict__:  # in place of that of a dataclass, which arrays refuse
            cls.__eq__ = Checked.__eq__  # type: ignore[method-assign]

    def __eq__(self, other: object) -> bool:
        """Of one class and with equal fields; arrays are, where they are of one shape and NaN stands beside NaN."""
        kind: Any = type(self)
        names = [name for name, _ in _hints(kind)]
        return kind is type(other) and all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __post_init__(self) -> None:
        kind: Any = type(self)
        lengths: dict[str, tuple[int, str]] = {}
        for name, hint in _hints(kind):
            _check(f"{kind.__name__}.{name}", getattr(self, name), hint, self._gaps)
        for name, axes in (named.split(": ") for named in self._axes):
            _match(f"{kind.__name__}.{name}", getattr(self, name), axes.split(), lengths)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        same_kind = isinstance(other, np.ndarray) and one.dtype.kind == other.dtype.kind
        return same_kind and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(np.all(one == other)) or (one != one and other != other)


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    found = get_type_hints(kind)
    return tuple((field.name, found[field.name]) for field in fields(kind))


def _check(name: str, value: Any, hint: Any, gaps: bool) -> None:
    origin, parts = get_origin(hint), get_args(hint)
    if alias := getattr(origin, "__value__", None):  # what NDArray is since NumPy 2.5
        return _check(name, value, alias[parts], gaps)
    if origin in (Union, types.UnionType):
        _one_of(name, value, parts, gaps)
    elif origin is np.ndarray:
        _array(name, value, get_args(parts[1])[0], gaps)
    elif origin is tuple:
        _entries(name, _checks.instance(name, value, tuple), parts, gaps)
    elif hint is float:
        _number(name, value, gaps)
    elif hint is int:
        if not _checks.is_integer(value):
            raise TypeError(f"{name} must be an integer; got {_checks.short(value)}.")
    elif hint is bool:
        _checks.flag(name, value)
    elif hint is not Any:
        _checks.instance(name, value, origin or hint)
        if origin is not None and issubclass(origin, Iterable) and isinstance(value, dict):
            _entries(name, tuple(value.values()), (parts[1], ...), gaps)


def _one_of(name: str, value: Any, parts: tuple[Any, ...], gaps: bool) -> None:
    said = []
    for part in parts:
        try:
            return _check(name, value, part, gaps)
        except (TypeError, ValueError) as error:
            said.append(str(error))
    raise TypeError(" Or: ".join(said[: -1 if parts[-1] is types.NoneType else None]))


def _entries(name: str, value: tuple[Any, ...], parts: tuple[Any, ...], gaps: bool) -> None:
    many = parts[-1:] == (...,)
    if not many and len(value) != len(parts):
        raise ValueError(f"{name} must have {len(parts)} entries; got {len(value)}.")
    for entry, part in zip(value, parts[:1] * len(value) if many else parts, strict=True):
        _check(name, entry, part, gaps)


def _number(name: str, value: Any, gaps: bool) -> None:
    if not isinstance(value, float):
        _checks.scalar(name, value)
    elif not gaps and not np.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value}.")


def _array(name: str, value: Any, kind: Any, gaps: bool) -> None:
    if not isinstance(value, np.ndarray | np.generic) or isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must be an array without a mask; got {_checks.short(value)}.")
    array: NDArray[Any] = np.asarray(value)  # NumPy makes a number of an array without axes
    if array.dtype.kind not in (_KINDS[np.dtype(kind).kind] if kind is not Any else "biufU"):
        raise TypeError(f"{name} must be an array of {np.dtype(kind)}; got one of {array.dtype}.")
    if not gaps and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite; got {_checks.short(value)}.")


def _match(name: str, value: Any, axes: list[str], lengths: dict[str, tuple[int, str]]) -> None:
    """Refuse a shape that does not go with those before; `lengths` has what these are, and of which field."""
    shape = own = tuple(value.shape)
    if axes[0] == "...":
        axes, own = axes[1:], shape[max(0, len(shape) - len(axes) + 1) :]
    known = {axis: (int(axis), "") for axis in axes if axis.isdigit()} | lengths
    fits = [known.get(axis, (n, ""))[0] == n for axis, n in zip(axes, own, strict=False)]
    if len(own) != len(axes) or not all(fits):
        wanted = ", ".join(f"{axis} {known[axis][0]} as {known[axis][1]}" if axis in lengths else axis for axis in axes)
        raise ValueError(f"{name} must have shape ({wanted}); got {shape}.")
    for axis, n in zip(axes, own, strict=True):
        lengths.setdefault(axis, (n, name.rpartition(".")[2]))
