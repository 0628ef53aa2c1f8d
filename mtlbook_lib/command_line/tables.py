"""Tables of the command line, as two tasks in the same columns; what is wrong is named by file, column and row."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import varies
from mtlbook_lib.command_line.reading import (
    NO_VALUES,
    POINT,
    Format,
    TableError,
    composed,
    decimal_hint,
    option,
    read_frame,
    separator_hint,
    sign_hint,
    ungrouped,
)

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEWEST_ROWS = 3
LARGEST = 1e50  # beyond, squares and products of numbers leave float64
NUMBER, MOST = re.compile(r"[^\d<>]{0,2}\d[\d.,'\s\u2019]*\D{0,2}"), 0.9  # of a column of numbers look so
DROP_OR_KEEP = (
    "--repeats drop to leave out what stands there twice, or --repeats keep if these are different examples that look "
    "alike."
)
NAMED = 12  # columns or classes that a message names at most


@dataclass(frozen=True)
class Asked:
    """Options about a file's columns and rows; with `classes`, labels may be any number of texts."""

    target: str
    dropped: tuple[str, ...] = ()
    positive: str | None = None
    sample: int | None = None
    shape: Format = POINT
    classes: bool = False

    def option(self, name: str) -> str:
        """The option for one class of this file."""
        return option(f"positive{self.shape.suffix}", name)


@dataclass(frozen=True)
class Table:
    """Inputs by column name, in the file's order, the labels, and how many rows the file has.

    `dropped` are the columns that were there and left out as asked, `notes` sentences about what else was.
    """

    path: Path
    inputs: DataFrame
    labels: NDArray[Any]
    rows_of_file: int
    dropped: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def add_reading_options(parser: Any) -> None:
    """Add the options that all commands have for the tables that they read."""
    parser.add_argument("--target", required=True, metavar="COLUMN", help="column of the labels")
    parser.add_argument("--target-b", metavar="COLUMN", help="column of the labels in the auxiliary files, if another")
    parser.add_argument("--repeats", choices=("error", "drop", "keep"), default="error",
                        help="rows that stand in two files, or in one twice (default: error)")  # fmt: skip
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="leave out; may be repeated")
    parser.add_argument("--encode", action="store_true", help=argparse.SUPPRESS)  # what is now so without it
    parser.add_argument("--separator", metavar="CHAR", help="between columns of text (default: as the ending says)")
    parser.add_argument("--decimal", default=".", metavar="CHAR", help="decimal mark of text files (default: .)")
    parser.add_argument("--thousands", metavar="CHAR", help="mark between thousands in text files (default: none)")
    for mark in ("separator", "decimal", "thousands"):
        parser.add_argument(f"--{mark}-b", metavar="CHAR", help="the same in the auxiliary files, if another")


def formats(given: Any) -> tuple[Format, Format]:
    """How the target's file is written, and how the auxiliary ones are."""
    shape = Format(given.separator, given.decimal, given.thousands)
    own = {name: getattr(given, f"{name}_b") for name in ("separator", "decimal", "thousands")}
    return shape, replace(shape, suffix="-b", **{name: mark for name, mark in own.items() if mark is not None})


def read_table(path: Path, asked: Asked) -> Table:
    """A file with one row for each example: numbers, and the target's column."""
    target, dropped = composed(asked.target), {composed(name) for name in asked.dropped}
    read = read_frame(path, asked.shape, target if asked.positive is not None else None)
    if asked.classes and target in read.columns and read.columns[target].dtype.kind == "b":
        read = read_frame(path, asked.shape, target)  # classes are called as in the file: TRUE, and not True
    frame = read.columns
    if target not in frame.columns:
        has = f"{path} has no column {asked.target!r}; it has {_listed(map(repr, frame.columns))}."
        near = [name for name in frame.columns if _plain(name) == _plain(target)]
        near = near or get_close_matches(target, frame.columns, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise TableError(has + (separator_hint(path, frame, asked.shape) or meant))
    there = frozenset(dropped & set(frame.columns) - {target})
    frame = frame[[name for name in frame.columns if name not in there]] if there else frame
    if frame.shape[1] == 1:
        raise TableError(f"{path} has no column besides the target {asked.target!r}; it must have inputs too.")
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"{path} has {len(frame)} rows; at least {FEWEST_ROWS} are needed.")
    inputs = as_inputs(path, frame.drop(columns=target), asked.shape)
    labels = _labels(path, ungrouped(frame[target], asked.shape), asked)
    chosen = _sample(inputs, asked.sample)
    table = Table(path, inputs, labels, len(frame), there, (*read.notes, *_numbering(path, inputs)))
    return table if chosen is None else replace(table, inputs=inputs.iloc[chosen], labels=labels[chosen])


def _numbering(path: Path, inputs: DataFrame) -> list[str]:
    """Notes about columns that rise by 1 from row to row: years, or numbers of rows."""
    rising = [name for name in inputs.columns if inputs[name].dtype.kind in "iu" and (np.diff(inputs[name]) == 1).all()]
    message = "rises by 1 from row to row, and is an input. If it only numbers the rows, leave it out:"
    return [f"Column {name!r} of {path} {message} {option('drop', name)}" for name in rising]


def check_dropped(asked: Asked, tables: Iterable[Table]) -> None:
    """A column that is to be left out must stand in some file, and need not stand in all of them."""
    there = frozenset[str]().union(*(table.dropped for table in tables))
    lost = [name for name in asked.dropped if composed(name) not in there]
    if lost:
        raise TableError(f"--drop: no file has a column {lost[0]!r} besides the target.")


def in_same_columns(target: Table, others: list[Table]) -> tuple[DataFrame, list[DataFrame]]:
    """Inputs of all tables, in the same columns by now, without those that are the same in all rows."""
    frames = [table.inputs for table in (target, *others)]
    kept = varied(frames)
    if not kept.any():
        raise TableError(f"{target.path} has no column that varies; all inputs are constant.")
    if not kept.all():
        frames = [frame.loc[:, kept] for frame in frames]
    return frames[0], frames[1:]


def varied(frames: list[DataFrame]) -> NDArray[np.bool_]:
    """Which columns vary over the rows of all frames together."""
    ends = [end.to_numpy(dtype=float) for frame in frames for end in (frame.min(axis=0), frame.max(axis=0))]
    return varies(np.array(ends))


def other_columns(target: Table, other: Table) -> list[str]:
    """Sentences about columns that stand in one of two files only; a name that is written in two ways is refused."""
    names, has = target.inputs.columns, other.inputs.columns
    lacks, more = [name for name in names if name not in has], [name for name in has if name not in names]
    twins = [(one, two) for one in lacks for two in more if _plain(one) == _plain(two)]
    if twins or len(lacks) == len(names):
        written = f" Did you mean {twins[0][0]!r} by {twins[0][1]!r}? Rename one." if twins else ""
        what = "must have the same columns" if twins else "have no column in common"
        raise TableError(f"{other.path} and {target.path} {what}. It has {_listed(map(repr, has))}.{written}")
    told = [f"{other.path} has no {_listed(map(repr, lacks))}: its rows count as average there."] if lacks else []
    left = [f"Left out of {other.path}: {_listed(map(repr, more))}, which {target.path} has not."] if more else []
    return told + left


def _plain(name: str) -> str:
    """A name without what is easily written in another way: small and capital letters, spaces and signs."""
    return re.sub(r"[\W_]", "", name).casefold()


def is_numeric(column: Series) -> bool:
    """Whether pandas holds it as numbers."""
    return column.dtype.kind in "biuf"


def as_numbers(column: Series) -> Series:
    """A column of objects that are numbers, such as decimals of a database, as floats; any other one as it is."""
    if is_numeric(column):
        return column
    there = column.dropna()
    if any(isinstance(value, (str, bytes)) for value in there):
        return column
    try:
        return column.astype(np.float64)
    except (TypeError, ValueError):
        return column


def first_text(column: Series) -> int:
    """Place of the first value that is no number."""
    import pandas

    numbers = pandas.to_numeric(column.astype(str), errors="coerce")
    texts = np.flatnonzero(numbers.isna() & column.notna())
    return int(texts[0]) if texts.size else 0


def as_inputs(path: Path, frame: DataFrame, shape: Format) -> DataFrame:
    """The inputs, numbers where they can be; of numbers that must be written in another way all are named at once."""
    changed = {}
    for name in frame.columns:
        if not is_numeric(frame[name]):
            changed[name] = as_numbers(ungrouped(frame[name], shape))
    frame = frame.assign(**changed) if changed else frame
    wrong = {name: message for name in frame.columns if (message := _problem(frame[name], shape))}
    if wrong:
        lines = [f"column {name!r}: {message}" for name, message in wrong.items()][:NAMED]
        rest = [f"and {len(wrong) - NAMED} more columns"] if len(wrong) > NAMED else []
        drops = " ".join(option("drop", name) for name in list(wrong)[:NAMED])
        said = "\n  ".join([f"{path},", *lines, *rest]) + "\n" if rest or len(lines) > 1 else f"{path}, {lines[0]} "
        raise TableError(f"{said}Or leave out: {drops}")
    return frame


def _problem(column: Series, shape: Format) -> str:
    """Error about a column of inputs with its remedy, or ""; texts and gaps are encoded, and no errors."""
    if is_numeric(column):
        value = too_large(column.dropna())
        return f"{value}. Correct it, or choose other units." if value else ""
    there = column.dropna()
    like = [text for text in there if isinstance(text, str) and NUMBER.fullmatch(text.strip())]
    hint = len(like) >= MOST * len(there) and (decimal_hint(like, shape, certain=True) or sign_hint(like))
    place = first_text(column) if hint else 0
    return f"{column.iloc[place]!r} in row {place + 1} is no number.{hint}" if hint else ""


def _sample(inputs: DataFrame, most: int | None) -> NDArray[np.int64] | None:
    """Rows at random, in their order; what they hold decides, not where they stand. None for all."""
    if most is None or len(inputs) <= most:
        return None
    from pandas.util import hash_pandas_object

    inputs = inputs[sorted(inputs.columns)]
    return np.sort(np.argsort(hash_pandas_object(inputs, index=False).to_numpy(), kind="stable")[:most])


def _labels(path: Path, column: Series, asked: Asked) -> NDArray[Any]:
    """Numbers as they are, two classes as text, or one class against the rest."""
    called = f"{path}, column {column.name!r}:"
    if asked.positive is not None:
        return _one_class(called, column, asked.positive, f"--positive{asked.shape.suffix}")
    missing = np.flatnonzero(column.isna())
    if missing.size:
        where = f"missing {missing.size} of {len(column)} values, the first in row {missing[0] + 1}"
        raise TableError(f"{called} {where}. Fill them in, or leave these rows out of the file.")
    column = as_numbers(column)
    if is_numeric(column):
        value = too_large(column)
        if value:
            raise TableError(f"{called} {value}. Correct it, or choose other units.")
        labels: NDArray[Any] = column.to_numpy()
        if not varies(labels.astype(float)):
            raise TableError(f"{called} all labels are {labels[0]!s}; a target must vary.")
        return labels
    texts: NDArray[Any] = column.astype(str).to_numpy(dtype=object)
    classes = np.unique(texts.astype(str))
    if len(classes) == 1:
        raise TableError(f"{called} all labels are {texts[0]!r}; a target must vary. Leave out this file.")
    hint = decimal_hint([*map(str, texts)], asked.shape)
    if len(classes) > (len(texts) / 2 if asked.classes else 2) or (asked.classes and hint):
        place = first_text(column)
        what = f"{len(classes)} different texts, the first {texts[place]!r} in row {place + 1}, are neither numbers nor"
        of_one = f"take one class against the rest: {asked.option(str(texts[place]))}."
        remedy = "give each class two rows or more." if asked.classes else of_one
        several = "classes of several rows" if asked.classes else "two classes"
        hint = hint or sign_hint([*map(str, texts)])
        raise TableError(f"{called} {what} {several}.{hint} Make them numbers, or {remedy}")
    return texts


def _one_class(called: str, column: Series, positive: str, option: str) -> NDArray[Any]:
    """Whether each label is this class, as it stands in the file; what stands for no value is none of the rest."""
    texts: NDArray[Any] = np.array([composed(str(value)).strip() for value in column], dtype=object)
    wanted = composed(positive).strip()
    classes = sorted(set(texts))
    if column.dtype.kind == "b":  # of a format that keeps truth values, which people write in several ways
        wanted = {"true": "True", "false": "False"}.get(wanted.lower(), wanted)
    none = {text for text in classes if text in NO_VALUES} - {wanted}
    if none:
        rows = np.flatnonzero(np.isin(texts.astype(str), sorted(none)))
        message = f"missing {rows.size} of {len(texts)} values, the first in row {rows[0] + 1} ({texts[rows[0]]!r})"
        raise TableError(f"{called} {message}. Fill them in, or leave these rows out of the file.")
    belongs = texts == wanted
    if not 0 < belongs.sum() < len(belongs):
        message = f"{'all' if belongs.all() else 'no'} rows are {positive!r}; there are {_listed(map(repr, classes))}"
        raise TableError(f"{called} {message}. Name one of these by {option}.")
    return np.asarray(belongs)


def too_large(column: Series) -> str:
    """Error about the size of numbers, or ""."""
    values = column.to_numpy(dtype=np.float64)
    wrong = np.flatnonzero(~(np.abs(values) <= LARGEST))
    if not wrong.size:
        return ""
    value = values[wrong[0]]
    message = "is not finite" if not np.isfinite(value) else f"is too large to compute with ({value:g})"
    return f"row {column.index[wrong[0]] + 1} {message}"


def _listed(names: Iterable[str]) -> str:
    first = list(names)
    rest = f" and {len(first) - NAMED} more" if len(first) > NAMED else ""
    return ", ".join(first[:NAMED]) + rest
