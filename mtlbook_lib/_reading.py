"""How the command line reads a file: by its ending, with the separator and the decimal mark that it is told."""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtlbook_lib._extras import require
from mtlbook_lib._streaming import read_numbers

if TYPE_CHECKING:
    from pandas import DataFrame

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
ENDINGS = (*SEPARATORS, *(f"{ending}.gz" for ending in SEPARATORS), ".parquet")
NAMES = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
LARGE = 20_000_000  # bytes from which on blocks are read
DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


class TableError(ValueError):
    """Something in a file of the user's, with the remedy."""


@dataclass(frozen=True)
class Format:
    """What a file's ending does not say; None: the ending's own separator, and a decimal point."""

    separator: str | None = None
    decimal: str = "."

    def separator_of(self, ending: str) -> str:
        """As asked for, or as the ending says; "tab" and "\\t" are the tabulator."""
        asked = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        if asked is not None and len(asked) != 1:
            raise TableError(f"--separator must be one character, or tab; got {self.separator!r}.")
        return asked or SEPARATORS[ending.removesuffix(".gz")]


POINT = Format()


def read_frame(path: Path, shape: Format = POINT) -> DataFrame:
    """All columns of a file, names as text."""
    ending = next((known for known in ENDINGS if path.name.lower().endswith(known)), None)
    if ending is None:
        raise TableError(f"{path} must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    if not path.is_file():
        raise TableError(f"{path} is not there, or no file.")
    require("tables", "pandas", *(["pyarrow"] if ending == ".parquet" else []))
    try:
        frame = _parquet(path) if ending == ".parquet" else _text(path, ending, shape)
    except (ValueError, OSError, EOFError) as error:  # pandas' own errors of reading are among them
        raise TableError(f"{path} cannot be read: {str(error).splitlines()[0]}{_hint(path, ending, shape)}") from None
    if frame.empty:
        raise TableError(f"{path} has no rows.")
    frame.columns = frame.columns.map(str)
    if not frame.columns.is_unique:
        raise TableError(f"{path} has two columns of one name; rename one.")
    return frame


def separator_hint(path: Path, frame: DataFrame, shape: Format) -> str:
    """Where a table has one column only: the separator that its name seems to hold."""
    name = str(frame.columns[0])
    found = next((mark for mark in NAMES if mark in name), None)
    if frame.shape[1] > 1 or found is None:
        return ""
    told = "tab" if found == "\t" else found
    return f" Its columns seem to be separated by {NAMES[found]}: pass --separator '{told}'."


def decimal_hint(text: Any, shape: Format) -> str:
    """Where a text is a number with a decimal comma."""
    return " Pass --decimal ','." if shape.decimal != "," and DECIMAL_COMMA.fullmatch(str(text)) else ""


def _parquet(path: Path) -> DataFrame:
    import pandas

    frame: DataFrame = pandas.read_parquet(path)
    return frame


def _text(path: Path, ending: str, shape: Format) -> DataFrame:
    import pandas

    separator = shape.separator_of(ending)
    _check_header(path, ending, separator)
    frame: DataFrame | None = None
    if path.stat().st_size > LARGE and find_spec("pyarrow") is not None:
        frame = read_numbers(path, separator, shape.decimal)
    return pandas.read_csv(path, sep=separator, decimal=shape.decimal) if frame is None else frame


def _check_header(path: Path, ending: str, separator: str) -> None:
    """Two columns of one name, which pandas would rename without a word."""
    with (gzip.open if ending.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig", newline="") as lines:
        names = next(csv.reader(lines, delimiter=separator), [])
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TableError(f"two columns have the name {twice!r}; rename one.")


def _hint(path: Path, ending: str, shape: Format) -> str:
    """A line of other length than the first often means another separator."""
    if ending == ".parquet":
        return ""
    try:
        with (gzip.open if ending.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as lines:
            header = next(lines, "")
    except (OSError, ValueError):
        return ""
    counts = {mark: header.count(mark) for mark in NAMES}
    most = max(counts, key=lambda mark: counts[mark])
    if counts[most] == 0 or most == shape.separator_of(ending):
        return ""
    return f" Its columns seem to be separated by {NAMES[most]}: --separator says so."
