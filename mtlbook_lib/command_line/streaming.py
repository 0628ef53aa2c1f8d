"""Large text files, read a block of rows at a time, so that a file is in memory once, as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pandas import DataFrame

BLOCK = 4_000_000  # bytes


def read_numbers(path: Path, separator: str, decimal: str) -> DataFrame | None:
    """A file of numbers alone, by pyarrow; None for any other one, which pandas is to read and to complain about."""
    import pandas
    from pyarrow import ArrowInvalid, default_memory_pool

    try:
        parts = list(_blocks(path, separator, decimal))
    except (ArrowInvalid, _NotNumbers):
        return None
    names, whole = parts[0]
    blocks = [columns for _, columns in parts[1:]]
    joined: dict[str, NDArray[Any]] = {}
    for place, name in enumerate(names):
        values = np.concatenate([columns[place] for columns in blocks])
        for columns in blocks:
            columns[place] = None  # so that both are in memory for one column only
        exact = bool(np.abs(values).max(initial=0.0) < 2**53 and (values == np.floor(values)).all())
        joined[name] = values.astype(np.int64) if whole[place] and exact else values
    default_memory_pool().release_unused()  # what blocks took is kept for later ones, which do not come
    return pandas.DataFrame(joined, copy=False)


class _NotNumbers(Exception):
    """A column of something else."""


def _blocks(path: Path, separator: str, decimal: str) -> Iterator[tuple[Any, Any]]:
    """First the names of the columns, and which ones seem to be whole numbers; then each block's columns."""
    from pyarrow import csv, float64, types

    reading, parsing = csv.ReadOptions(block_size=BLOCK), csv.ParseOptions(delimiter=separator)
    with csv.open_csv(path, reading, parsing, csv.ConvertOptions(decimal_point=decimal)) as reader:
        schema = reader.schema
    if not all(types.is_integer(kind) or types.is_floating(kind) for kind in schema.types):
        raise _NotNumbers
    yield schema.names, [types.is_integer(kind) for kind in schema.types]
    # Later blocks may have fractions where the first one has none.
    asked = csv.ConvertOptions(decimal_point=decimal, column_types=dict.fromkeys(schema.names, float64()))
    with csv.open_csv(path, reading, parsing, asked) as reader:
        for block in reader:
            yield None, [column.to_numpy(zero_copy_only=False) for column in block.columns]
