"""Columns of two tables: the same ones in the same order, by name where they have names, and in comparable units."""

import warnings
from collections import Counter
from typing import Any

import numpy as np

from mtlbook_lib._checks import Array, as_given, real_array, varies

Names = tuple[Any, ...]  # texts, or numbers, dates, pairs of a level and a sublevel
NAMED = 12  # columns that a message names at most


def names_of(x: Any) -> Names | None:
    """Names of the columns of a data frame or an Arrow table, of whatever type; None for what has none."""
    columns = getattr(x, "column_names", None)  # an Arrow table's `columns` are the columns themselves
    if columns is None:
        columns = getattr(x, "columns", None)
    if columns is None or not len(columns):
        return None
    return tuple(columns)


def numbers_of(label: str, x: Any, names: Names | None) -> Array:
    """Inputs as an array of floats, columns in the order of `names` where they have some; `label` is the argument."""
    own = names_of(x)
    if own is None or (names is None and len(set(own)) < len(own)):
        raw = as_given(label, x)
        if raw.dtype.kind != "O" or raw.ndim != 2:
            return real_array(label, raw, ndim=2)
        return np.stack([_column(f"{label}, column {place},", column) for place, column in enumerate(raw.T)], axis=1)
    numbers = np.empty((len(x), len(own)))  # filled column by column: a list of all would be another table
    for place, name in enumerate(names or own):
        numbers[:, place] = _column(f"{label}, column {name!r},", x[name])
    return numbers


def same_names(label_a: str, a: Names | None, label_b: str, b: Names | None, stacklevel: int = 5) -> Names | None:
    """The order of columns for both tables: that of the first; None where one of them has no names."""
    # A frame made of an array numbers its columns: these are names only beside the same ones in another order.
    same = a is not None and b is not None and set(a) == set(b)
    a, b = (None if names is not None and not same and _is_numbered(names) else names for names in (a, b))
    for label, names in ((label_a, a or ()), (label_b, b or ())):
        twice = next((name for name, times in Counter(names).items() if times > 1), None)
        if twice is not None:
            raise ValueError(f"{label} has two columns of the name {twice!r}; rename one.")
    if (a is None) != (b is None):
        having, lacking = (label_a, label_b) if b is None else (label_b, label_a)
        told = f"{having} has column names and {lacking} has none: columns are taken in the order in which they stand."
        warnings.warn(told, UserWarning, stacklevel=stacklevel)
        return None
    if a is not None and b is not None and set(a) != set(b):
        in_a, in_b = set(a), set(b)
        lacks, more = [repr(name) for name in a if name not in in_b], [repr(name) for name in b if name not in in_a]
        parts = [f"{label_b} lacks {listed(lacks)}."] if lacks else []
        parts += [f"{label_b} has {listed(more)} besides."] if more else []
        raise ValueError(f"{label_a} and {label_b} must have the same columns. {' '.join(parts)}")
    return a


def same_order(label_x: str, x: Any, label_y: str, y: Any) -> None:
    """Refuse labels that have the rows' index in another order: positions and not indices say what belongs together."""
    rows: Any = getattr(x, "index", None)
    labels: Any = getattr(y, "index", None)
    if not (hasattr(rows, "equals") and hasattr(labels, "isin")) or rows.equals(labels):
        return
    if len(rows) == len(labels) and rows.is_unique and labels.isin(rows).all():
        told = f"{label_y} must have the rows of {label_x} in their order; its index has them in another"
        raise ValueError(f"{told}. Pass {label_y}.loc[{label_x}.index], or {label_y}.to_numpy() to keep its order.")


def _is_numbered(names: Names) -> bool:
    return names == tuple(range(len(names)))


def listed(names: list[str]) -> str:
    """Some of the names, and how many more there are."""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + rest


def standardised(tables: list[Array]) -> list[Array]:
    """Each column in units of its spread over the rows of all tables; one that never varies becomes 0."""
    rows = np.concatenate(tables)
    spread = rows.std(axis=0)
    units = np.where(varies(rows) & (spread > 0), spread, np.inf)
    return [(one - rows.mean(axis=0)) / units for one in tables]


def _column(label: str, values: Any) -> Array:
    raw = as_given(label, values)
    if raw.dtype.kind == "O":
        try:
            raw = raw.astype(np.float64)
        except (TypeError, ValueError):
            found = next((place, value) for place, value in enumerate(raw) if not _is_number(value))
            raise TypeError(f"{label} row {found[0] + 1} must be a number; got {found[1]!r}.") from None
    return real_array(label, raw, ndim=1)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
