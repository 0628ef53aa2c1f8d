"""Tables of the command line, as two tasks in the same columns; what is wrong is named by file, column and row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._reading import POINT, Format, TableError, decimal_hint, read_frame, separator_hint

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEWEST_ROWS = 3
LARGEST = 1e50  # beyond, squares and products of numbers leave float64


@dataclass(frozen=True)
class Asked:
    """What the command line says about a file's columns and rows."""

    target: str
    dropped: tuple[str, ...] = ()
    positive: str | None = None
    sample: int | None = None
    shape: Format = POINT


@dataclass(frozen=True)
class Table:
    """Inputs by column name, in the file's order, the labels, and how many rows the file has."""

    path: Path
    inputs: DataFrame
    labels: NDArray[Any]
    rows_of_file: int


def read_table(path: Path, asked: Asked) -> Table:
    """A file with one row for each example: numbers, and the target's column."""
    frame = read_frame(path, asked.shape)
    for name in (asked.target, *asked.dropped):
        if name not in frame.columns:
            has = f"{path} has no column {name!r}; it has {', '.join(map(repr, frame.columns))}."
            raise TableError(has + separator_hint(path, frame, asked.shape))
    frame = frame.drop(columns=[name for name in asked.dropped if name != asked.target])
    if frame.shape[1] == 1:
        raise TableError(f"{path} has no column besides the target {asked.target!r}; it must have inputs too.")
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"{path} has {len(frame)} rows; at least {FEWEST_ROWS} are needed.")
    inputs = frame.drop(columns=asked.target)
    for name in inputs.columns:
        _check_input(path, inputs[name], asked)
    labels = _labels(path, frame[asked.target], asked)
    chosen = _sample(len(frame), asked.sample)
    if chosen is None:
        return Table(path, inputs, labels, len(frame))
    return Table(path, inputs.iloc[chosen], labels[chosen], len(frame))


def in_same_columns(target: Table, others: list[Table]) -> tuple[DataFrame, list[DataFrame]]:
    """Inputs of all tables in the target's order of columns, each in units of its spread over all rows.

    A column that is the same everywhere says nothing and is left out.
    """
    import pandas

    names = list(target.inputs.columns)
    for other in others:
        check_same_columns(target, other)
    rows = [table.inputs[names].to_numpy(dtype=np.float64, copy=True) for table in (target, *others)]
    total = sum(map(len, rows))
    mean = np.asarray(sum(table.sum(axis=0) for table in rows)) / total
    size = np.max([np.maximum(table.max(axis=0), -table.min(axis=0)) for table in rows], axis=0)
    squares = np.zeros(len(names))
    for table in rows:
        table -= mean
        squares += np.einsum("ij,ij->j", table, table)
    spread = np.sqrt(squares / total)
    kept = spread > 1e-12 * size
    if not kept.any():
        raise TableError(f"{target.path} has no column that varies; all inputs are constant.")
    for table in rows:
        table /= np.where(kept, spread, 1.0)
    called = [name for name, stays in zip(names, kept, strict=True) if stays]
    framed = [pandas.DataFrame(table if kept.all() else table[:, kept], columns=called) for table in rows]
    return framed[0], framed[1:]


def check_same_columns(target: Table, other: Table) -> None:
    """Both have the same names, in any order."""
    names, has = list(target.inputs.columns), list(other.inputs.columns)
    missing, extra = [name for name in names if name not in has], [name for name in has if name not in names]
    if missing or extra:
        raise TableError(f"{other.path} and {target.path} must have the same columns. {_difference(missing, extra)}")


def _sample(n_rows: int, most: int | None) -> NDArray[np.int64] | None:
    """Rows at random, in their order, always the same ones of as many; None for all."""
    if most is None or n_rows <= most:
        return None
    return np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))


def _check_input(path: Path, column: Series, asked: Asked) -> None:
    remedy = f"or --drop {column.name}."
    _check_complete(path, column, f"Fill them in, {remedy}")
    if not _is_numeric(column):
        place = _first_text(column)
        text = column.iloc[place]
        told = f"{text!r} in row {place + 1} is no number.{decimal_hint(text, asked.shape)}"
        raise TableError(
            f"{path}, column {column.name!r}: {told} Make it numbers (one 0/1 column for each class), {remedy}"
        )
    _check_size(path, column, f"Correct it, choose other units, {remedy}")


def _labels(path: Path, column: Series, asked: Asked) -> NDArray[Any]:
    """Numbers as they are, two classes as text, or one class against the rest."""
    called = f"{path}, column {column.name!r}:"
    _check_complete(path, column, "Fill them in, or leave these rows out of the file.")
    texts: NDArray[Any] = column.astype(str).to_numpy(dtype=object)
    if asked.positive is not None:
        found = texts == asked.positive
        if not 0 < found.sum() < len(found):
            raise TableError(f"{called} {'all' if found.all() else 'no'} rows are {asked.positive!r}; see --positive.")
        return np.asarray(found)
    if _is_numeric(column):
        _check_size(path, column, "Correct it, or choose other units.")
        labels: NDArray[Any] = column.to_numpy()
        if not np.ptp(labels.astype(float)) > 1e-12 * np.abs(labels.astype(float)).max():
            raise TableError(f"{called} all labels are {labels[0]!s}; a target must vary.")
        return labels
    classes = np.unique(texts.astype(str))
    if len(classes) == 1:
        raise TableError(f"{called} all labels are {texts[0]!r}; a target must vary.")
    if len(classes) > 2:
        place = _first_text(column)
        told = f"{len(classes)} different texts, the first {texts[place]!r} in row {place + 1}, are neither numbers nor"
        remedy = f"Make them numbers, or take one class against the rest: --positive {texts[place]!r}."
        raise TableError(f"{called} {told} two classes.{decimal_hint(texts[place], asked.shape)} {remedy}")
    return texts


def _check_complete(path: Path, column: Series, remedy: str) -> None:
    missing = np.flatnonzero(column.isna())
    if missing.size:
        where = f"{missing.size} of {len(column)} values, the first in row {missing[0] + 1}"
        raise TableError(f"{path}, column {column.name!r}: missing {where}. {remedy}")


def _check_size(path: Path, column: Series, remedy: str) -> None:
    values = column.to_numpy(dtype=np.float64)
    wrong = np.flatnonzero(~(np.abs(values) <= LARGEST))
    if wrong.size:
        value = values[wrong[0]]
        told = "is not finite" if not np.isfinite(value) else f"is too large to compute with ({value:g})"
        raise TableError(f"{path}, column {column.name!r}: row {wrong[0] + 1} {told}. {remedy}")


def _first_text(column: Series) -> int:
    """Place of the first value that is no number."""
    import pandas

    numbers = pandas.to_numeric(column.astype(str), errors="coerce")
    texts = np.flatnonzero(numbers.isna())
    return int(texts[0]) if texts.size else 0


def _is_numeric(column: Series) -> bool:
    return column.dtype.kind in "biuf"


def _difference(missing: list[str], extra: list[str]) -> str:
    lacks = f"It lacks {', '.join(map(repr, missing))}. " if missing else ""
    has = f"It has {', '.join(map(repr, extra))} besides: --drop them, or add them to the other." if extra else ""
    return (lacks + has).strip()
