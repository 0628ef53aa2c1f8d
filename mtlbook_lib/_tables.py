"""Tables of the command line: CSV and Parquet files as two tasks in the same columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib._extras import require

if TYPE_CHECKING:
    from pandas import DataFrame, Series

READERS = {".csv": "read_csv", ".parquet": "read_parquet"}


class TableError(ValueError):
    """Something in a file of the user's, with the remedy."""


@dataclass(frozen=True)
class Table:
    """Inputs by column name, in the file's order, and the labels."""

    path: Path
    inputs: DataFrame
    labels: Any


def read_table(path: Path, target: str, dropped: tuple[str, ...] = ()) -> Table:
    """A file with one row for each example: numbers, and the target's column."""
    frame = _frame(path)
    for name in (target, *dropped):
        if name not in frame.columns:
            raise TableError(f"{path} has no column {name!r}; it has {', '.join(map(repr, frame.columns))}.")
    frame = frame.drop(columns=list(dropped))
    for name in frame.columns:
        _check_complete(path, frame[name])
    inputs = frame.drop(columns=target)
    if inputs.shape[1] == 0:
        raise TableError(f"{path} has no column besides the target {target!r}; it must have inputs too.")
    for name in inputs.columns:
        _check_numbers(path, inputs[name])
    labels = frame[target]
    return Table(
        path, inputs.astype(float), labels.to_numpy() if _is_numeric(labels) else labels.astype(str).to_numpy()
    )


def in_same_columns(target: Table, others: list[Table]) -> tuple[Array, list[Array]]:
    """Inputs of all tables in the target's order of columns, each in units of its spread over all rows.

    A column that is the same everywhere says nothing and is left out.
    """
    names = list(target.inputs.columns)
    for other in others:
        missing = [name for name in names if name not in other.inputs.columns]
        extra = [name for name in other.inputs.columns if name not in names]
        if missing or extra:
            raise TableError(
                f"{other.path} and {target.path} must have the same columns. {_difference(missing, extra)}"
            )
    rows = [table.inputs[names].to_numpy(dtype=float) for table in (target, *others)]
    pooled = np.concatenate(rows)
    spread = pooled.std(axis=0)
    kept = spread > 1e-12 * np.abs(pooled).max(axis=0)
    if not kept.any():
        raise TableError(f"{target.path} has no column that varies; all inputs are constant.")
    scaled = [(table[:, kept] - pooled[:, kept].mean(axis=0)) / spread[kept] for table in rows]
    return scaled[0], scaled[1:]


def _frame(path: Path) -> DataFrame:
    require("tables", "pandas", *(["pyarrow"] if path.suffix == ".parquet" else []))
    import pandas

    if path.suffix not in READERS:
        raise TableError(f"{path} must end in {' or '.join(READERS)}.")
    if not path.is_file():
        raise TableError(f"{path} is not there, or no file.")
    try:
        frame: DataFrame = getattr(pandas, READERS[path.suffix])(path)
    except (ValueError, OSError) as error:  # pandas' own errors of reading are among them
        raise TableError(f"{path} cannot be read: {error}") from None
    if frame.empty:
        raise TableError(f"{path} has no rows.")
    frame.columns = frame.columns.map(str)
    if not frame.columns.is_unique:
        raise TableError(f"{path} has two columns of one name; rename one.")
    return frame


def _check_complete(path: Path, column: Series) -> None:
    missing = np.flatnonzero(column.isna())
    if missing.size:
        where = f"{missing.size} of {len(column)} values, the first in row {missing[0] + 1}"
        raise TableError(f"{path}, column {column.name!r}: missing {where}. Fill them, or --drop {column.name}.")


def _check_numbers(path: Path, column: Series) -> None:
    if not _is_numeric(column):
        remedy = f"Make it numbers (one 0/1 column for each class), or --drop {column.name}."
        raise TableError(f"{path}, column {column.name!r}: {column.iloc[0]!r} in row 1 is no number. {remedy}")
    infinite = np.flatnonzero(~np.isfinite(column.to_numpy(dtype=float)))
    if infinite.size:
        raise TableError(f"{path}, column {column.name!r}: row {infinite[0] + 1} is not finite. --drop {column.name}?")


def _is_numeric(column: Series) -> bool:
    return column.dtype.kind in "biuf"


def _difference(missing: list[str], extra: list[str]) -> str:
    lacks = f"It lacks {', '.join(map(repr, missing))}. " if missing else ""
    has = f"It has {', '.join(map(repr, extra))} besides: --drop them, or add them to the other." if extra else ""
    return (lacks + has).strip()
