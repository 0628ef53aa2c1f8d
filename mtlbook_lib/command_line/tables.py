"""Tables of the command line, as two tasks in the same columns; what is wrong is named by file, column and row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
    read_frame,
    separator_hint,
    sign_hint,
    ungrouped,
)

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEWEST_ROWS = 3
LARGEST = 1e50  # beyond, squares and products of numbers leave float64
NAMED = 12  # columns or classes that a message names at most


@dataclass(frozen=True)
class Asked:
    """What the command line says about a file's columns and rows; with `classes`, labels may be any number of texts."""

    target: str
    dropped: tuple[str, ...] = ()
    positive: str | None = None
    sample: int | None = None
    shape: Format = POINT
    encode: bool = False
    classes: bool = False

    @property
    def option(self) -> str:
        """How the option for one class of this file is called."""
        return f"--positive{self.shape.suffix}"


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
    """What all commands are told about the tables that they read."""
    parser.add_argument("--drop", action="append", default=[], metavar="COLUMN", help="leave out; may be repeated")
    parser.add_argument("--encode", action="store_true",
                        help="make 0/1 columns of texts, rare levels together, and fill in missing inputs")  # fmt: skip
    parser.add_argument("--separator", metavar="CHAR", help="between columns of text (default: as the ending says)")
    parser.add_argument("--decimal", default=".", metavar="CHAR", help="decimal mark of text files (default: .)")
    parser.add_argument("--thousands", metavar="CHAR", help="mark between thousands in text files (default: none)")
    for option in ("separator", "decimal", "thousands"):
        parser.add_argument(f"--{option}-b", metavar="CHAR", help="the same in the auxiliary files, if another")


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
        raise TableError(has + separator_hint(path, frame, asked.shape))
    there = frozenset(dropped & set(frame.columns) - {target})
    frame = frame[[name for name in frame.columns if name not in there]] if there else frame
    if frame.shape[1] == 1:
        raise TableError(f"{path} has no column besides the target {asked.target!r}; it must have inputs too.")
    if len(frame) < FEWEST_ROWS:
        raise TableError(f"{path} has {len(frame)} rows; at least {FEWEST_ROWS} are needed.")
    inputs = as_inputs(path, frame.drop(columns=target), asked)
    labels = _labels(path, ungrouped(frame[target], asked.shape), asked)
    chosen = _sample(inputs, asked.sample)
    table = Table(path, inputs, labels, len(frame), there, (*read.notes, *_numbering(path, inputs)))
    return table if chosen is None else replace(table, inputs=inputs.iloc[chosen], labels=labels[chosen])


def _numbering(path: Path, inputs: DataFrame) -> list[str]:
    """What is said of columns that rise by 1 from row to row, as years may, and numbers of rows that say nothing."""
    rising = [name for name in inputs.columns if inputs[name].dtype.kind in "iu" and (np.diff(inputs[name]) == 1).all()]
    message = "rises by 1 from row to row, and is an input. If it only numbers the rows, leave it out:"
    return [f"Column {name!r} of {path} {message} --drop {_quoted(repr(name))}" for name in rising]


def check_dropped(asked: Asked, tables: Iterable[Table]) -> None:
    """A column that is to be left out must stand in some file, and need not stand in all of them."""
    there = frozenset[str]().union(*(table.dropped for table in tables))
    lost = [name for name in asked.dropped if composed(name) not in there]
    if lost:
        raise TableError(f"--drop: no file has a column {lost[0]!r} besides the target.")


def in_same_columns(target: Table, others: list[Table]) -> tuple[DataFrame, list[DataFrame]]:
    """Inputs of all tables in the target's order of columns, without columns that are the same in all rows."""
    names = list(target.inputs.columns)
    for other in others:
        check_same_columns(target, other)
    frames = [target.inputs, *(table.inputs[names] for table in others)]
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


def check_same_columns(target: Table, other: Table) -> None:
    """Both have the same names, in any order."""
    names, has = dict.fromkeys(target.inputs.columns), dict.fromkeys(other.inputs.columns)
    missing, extra = [name for name in names if name not in has], [name for name in has if name not in names]
    if missing or extra:
        raise TableError(f"{other.path} and {target.path} must have the same columns. {_difference(missing, extra)}")


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


def as_inputs(path: Path, frame: DataFrame, asked: Asked) -> DataFrame:
    """The inputs as numbers, or as they are if they will be encoded; of what is wrong all columns are named at once."""
    changed = {}
    for name in frame.columns:
        if not is_numeric(frame[name]):
            changed[name] = as_numbers(ungrouped(frame[name], asked.shape))
    frame = frame.assign(**changed) if changed else frame
    wrong = [message for name in frame.columns if (message := _problem(frame[name], asked))]
    if wrong:
        remedies = sorted({remedy for _, remedy in wrong if remedy}, reverse=True)
        columns = [message for message, _ in wrong]
        said = f"{columns[0]}." if len(columns) == 1 else "".join(f"\n  {message}" for message in columns[:NAMED])
        rest = f"\n  and {len(columns) - NAMED} more columns" if len(columns) > NAMED else ""
        end = "\n" if len(columns) > 1 else " "
        drops = " ".join(f"--drop {_quoted(message.split(': ', 1)[0])}" for message in columns[:NAMED])
        start = " " if len(columns) == 1 else ""
        raise TableError(f"{path},{start}{said}{rest}{end}{' '.join([*remedies, 'Or leave out:'])} {drops}")
    return frame


def _problem(column: Series, asked: Asked) -> tuple[str, str] | None:
    """What is wrong with a column of inputs, and the remedy."""
    called, encode = f"column {column.name!r}", "--encode makes numbers of all texts, and fills in what is missing."
    missing = np.flatnonzero(column.isna())
    if missing.size and not asked.encode:
        where = f"{missing.size} of {len(column)} values, the first in row {missing[0] + 1}"
        return f"{called}: missing {where}", encode
    if not is_numeric(column):
        texts = [str(value) for value in column.dropna()]
        hint = decimal_hint(texts, asked.shape, certain=asked.encode) or sign_hint(texts)
        if asked.encode and not hint:
            return None
        place = first_text(column)
        message = f"{called}: {column.iloc[place]!r} in row {place + 1} is no number.{hint}".removesuffix(".")
        return message, "" if hint else encode
    value = _too_large(column.dropna())
    return (f"{called}: {value}", "Correct it, or choose other units.") if value else None


def _quoted(called: str) -> str:
    name = called.removeprefix("column ")
    return name if " " in name or not name[1:-1].isidentifier() else name[1:-1]


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
        return _one_class(called, column, asked.positive, asked.option)
    missing = np.flatnonzero(column.isna())
    if missing.size:
        where = f"missing {missing.size} of {len(column)} values, the first in row {missing[0] + 1}"
        raise TableError(f"{called} {where}. Fill them in, or leave these rows out of the file.")
    column = as_numbers(column)
    if is_numeric(column):
        value = _too_large(column)
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
        of_one = f"take one class against the rest: {asked.option} {texts[place]!r}."
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


def _too_large(column: Series) -> str:
    """What is wrong with the size of numbers, or nothing."""
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


def _difference(missing: list[str], extra: list[str]) -> str:
    lacks = f"It lacks {_listed(map(repr, missing))}. " if missing else ""
    more = f"It has {_listed(map(repr, extra))} besides." if extra else ""
    drops = " ".join(f"--drop {_quoted(repr(name))}" for name in (missing + extra)[:NAMED])
    return f"{lacks}{more} Leave out, in whichever file has it: {drops}".replace("  ", " ").strip()
