"""How the command line reads a file: once and whole, by what it holds, with the marks that it is told."""

from __future__ import annotations

import csv
import gzip
import io
import re
import shlex
import sys
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mtlbook_lib._extras import require

if TYPE_CHECKING:
    from pandas import DataFrame, Series

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": ","}
ENDINGS = (*SEPARATORS, *(f"{ending}.gz" for ending in SEPARATORS), ".parquet")
NAMES = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
NO_VALUES = {"", "#N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
             "NaN", "None", "n/a", "nan", "null"}  # what pandas reads as missing  # fmt: skip
UNNAMED = re.compile(r"__index_level_0__|Unnamed: \d+")  # how pandas calls a column without a name
MOST_COLUMNS = 100_000  # more are rows, or not separated as they are meant
THOUSANDS = (",", ".", "'", " ")
LOOK_ALIKE = str.maketrans({"\u2019": "'", "\u00a0": " ", "\u2009": " ", "\u202f": " "})  # apostrophes and spaces
SIGNS = "%\u2030$\u20ac\u00a3\u00a5\u2212"  # of shares and currencies, and the minus of print
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how such files begin, and others
BOM, GZIP, PARQUET, ZIP, EXCEL = b"\xef\xbb\xbf", b"\x1f\x8b", b"PAR1", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
SHOWN = 8  # fields of a row that a message shows at most
UNREADABLE = (ValueError, OSError, EOFError, zlib.error, csv.Error)  # pandas' own errors are ValueErrors


class TableError(ValueError):
    """Something in a file of the user's, with the remedy."""


@dataclass(frozen=True)
class Format:
    """Marks of a text file; None: the ending's own separator, a decimal point, no mark of thousands.

    `suffix` is the end of the options' names that are for this file: "" or "-b".
    """

    separator: str | None = None
    decimal: str = "."
    thousands: str | None = None
    suffix: str = ""

    def separator_of(self, usual: str) -> str:
        """As asked for, or the usual one; "tab" and "\\t" are the tabulator."""
        asked = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        self._check_mark("separator", asked)
        self._check_mark("decimal", self.decimal)
        self._check_mark("thousands", self.thousands)
        if self.thousands is not None and self.thousands in (self.decimal, asked):
            raise TableError(f"--thousands{self.suffix} must be another mark than --decimal and --separator.")
        return asked or usual

    def _check_mark(self, option: str, mark: str | None) -> None:
        if mark is not None and (len(mark) != 1 or mark.isalnum() or mark in '\r\n"+-'):
            or_tab = ", or tab" if option == "separator" else ""
            allowed = f"one character{or_tab}, no letter or digit"
            raise TableError(f"--{option}{self.suffix} must be {allowed}; got {mark!r}.")


POINT = Format()


@dataclass(frozen=True)
class Frame:
    """All columns of a file, names as text, and sentences about what was left out of it."""

    columns: DataFrame
    notes: tuple[str, ...] = ()


def read_frame(path: Path, shape: Format = POINT, as_text: str | None = None) -> Frame:
    """All columns of a file, a pipe, or standard input ("-"); `as_text` names one whose entries are kept as they stand.

    What it holds decides how it is read, and its ending only on the separator.
    """
    ending = next((known for known in ENDINGS if path.name.lower().endswith(known)), None)
    if ending is None and path.suffix:
        raise TableError(f"{path} must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    notes: tuple[str, ...] = ()
    with _named(path):
        data = _content(path)
        require("tables", "pandas", *(["pyarrow"] if data.startswith(PARQUET) else []))
        if data.startswith(PARQUET):
            frame = _parquet(data)
        else:
            frame, notes = _text(path, data, SEPARATORS.get((ending or "").removesuffix(".gz"), ","), shape, as_text)
    if frame.empty:
        raise TableError(f"{path} has no rows.")
    frame.columns = [composed(str(name)) for name in frame.columns]
    twice = [name for name, times in Counter(frame.columns).items() if times > 1]
    if twice:
        raise TableError(f"{path} has two columns of the name {twice[0]!r}; rename one.")
    _refuse_units(path, frame)
    found = _without_index(path, frame)
    return Frame(found.columns, (*notes, *found.notes))


def _content(path: Path) -> bytes:
    """The bytes of a file, read once, as a pipe allows, and unpacked."""
    if str(path) == "-":
        data = sys.stdin.buffer.read()
    elif path.is_dir() or not path.exists():
        raise TableError(f"{path}: {'this is a folder' if path.is_dir() else 'file not found'}.")
    else:
        data = path.read_bytes()
    data = gzip.decompress(data) if data.startswith(GZIP) else data
    if data.startswith((ZIP, EXCEL)):
        raise TableError("it is an Excel workbook, or another archive. Save its sheet as CSV in UTF-8.")
    return data.removeprefix(BOM)


def option(name: str, value: str) -> str:
    """An option as a shell takes it: quoted, and behind = where the value would be taken for an option."""
    return f"--{name}{'=' if value.startswith('-') else ' '}{shlex.quote(value)}"


def composed(name: str) -> str:
    """A name as it looks: files write accented letters as one sign or as two, and put spaces around."""
    return unicodedata.normalize("NFC", name).strip()


def shown(value: Any) -> str:
    """A text as a terminal may have it: names from files can hold signs that move its cursor or change its colours."""
    kept = "\n\t"
    return "".join(sign if sign in kept or unicodedata.category(sign) not in ("Cc", "Cf", "Cs") else
                   sign.encode("unicode_escape").decode("ascii") for sign in str(value))  # fmt: skip


def separator_hint(path: Path, frame: DataFrame, shape: Format) -> str:
    """Where a table has one column only: the separator that its name seems to hold."""
    name = str(frame.columns[0])
    separator = next((mark for mark in NAMES if mark in name), None)
    if frame.shape[1] > 1 or separator is None:
        return ""
    return _pass_separator(separator, shape)


def decimal_hint(texts: list[str], shape: Format, certain: bool = False) -> str:
    """Where texts of a column are numbers with another decimal mark, or with marks between thousands.

    With `certain` only where all of them are; without, one that looks like a number with a decimal comma is enough.
    """
    other, texts = "." if shape.decimal == "," else ",", [text.translate(LOOK_ALIKE).strip() for text in texts]
    number = re.compile(rf"[-+]?\d+({re.escape(other)}\d+)?")
    decimals = any(other in text for text in texts) and all(number.fullmatch(text) for text in texts)
    for decimal, mark in product((shape.decimal, other), THOUSANDS):
        if mark != decimal and _in_threes(texts, mark, decimal):
            option = f"--decimal{shape.suffix} '{other}' " if decimal == other else ""
            either = f", or --decimal{shape.suffix} '{other}' if it is the decimal mark" if decimals else ""
            quoted = f'"{mark}"' if mark == "'" else f"'{mark}'"
            asked = f"{option}--thousands{shape.suffix} {quoted}"
            return f" Digits in threes are thousands: pass {asked}{either}."
    marked = [text for text in texts if other in text]
    seems = other == "," and any(re.fullmatch(r"[-+]?\d+,\d{1,2}", text) for text in marked[:1])
    return f" Pass --decimal{shape.suffix} '{other}'." if decimals or (seems and not certain) else ""


def sign_hint(texts: list[str]) -> str:
    """Where all texts would be numbers but for one sign in some of them, such as that of percent."""
    signs = {sign for sign in SIGNS for text in texts if sign in text}
    number = re.compile(r"[-+]?\d[\d.,' ]*")
    plain = (text.translate(LOOK_ALIKE).replace(sign, "").strip() for sign in signs for text in texts)
    if len(signs) != 1 or not all(map(number.fullmatch, plain)):
        return ""
    (sign,) = signs
    return " Write '-' for the minus of print." if sign == "\u2212" else f" Take {sign!r} out of the numbers."


def _in_threes(texts: list[str], mark: str, decimal: str) -> bool:
    """Whether all texts are numbers, some of them with this mark between thousands."""
    plain, grouped = (re.compile(rf"[-+]?{whole}({re.escape(decimal)}\d*)?")
                      for whole in (r"\d+", rf"\d{{1,3}}({re.escape(mark)}\d{{3}})+"))  # fmt: skip
    return any(mark in text for text in texts) and all(plain.fullmatch(t) or grouped.fullmatch(t) for t in texts)


def ungrouped(column: Series, shape: Format) -> Series:
    """A column of texts as numbers, where all of them are numbers with the mark of thousands; else as it is.

    Of single cells the decimal mark is read as it is meant; pandas leaves it where another cell is no number.
    """
    if column.dtype.kind in "biufc":
        return column
    if shape.thousands is not None:
        mark = shape.thousands.translate(LOOK_ALIKE)
        there = column.dropna().astype(str).str.translate(LOOK_ALIKE).str.strip()
        if _in_threes(list(there), mark, shape.decimal):
            plain = there.str.replace(mark, "", regex=False).str.replace(shape.decimal, ".", regex=False)
            return plain.astype(np.float64).reindex(column.index)
    if shape.decimal != ".":
        number = re.compile(rf"\s*[-+]?\d*{re.escape(shape.decimal)}\d+\s*")
        return column.map(lambda value: float(value.replace(shape.decimal, "."))
                          if isinstance(value, str) and number.fullmatch(value) else value)  # fmt: skip
    return column


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors while a file is read name it, and the remedy."""
    try:
        yield
    except UnicodeDecodeError as error:
        message = "it is no text" if b"\x00" in error.object[:1000] and not _is_utf_16(error.object) else ""
        remedy = f"it is no UTF-8 text. Save it as UTF-8, as by: {_recoding(path, error.object)}"
        raise TableError(f"{path} cannot be read: {message or remedy}") from None
    except ModuleNotFoundError:
        raise
    except UNREADABLE as error:
        message = str(error).splitlines()[0] if str(error) else type(error).__name__
        if isinstance(error, OSError) and error.strerror:
            message = error.strerror
        if isinstance(error, TableError) and message.startswith((str(path), "--")):
            raise
        raise TableError(f"{_short(path)} cannot be read: {message}") from None


def _is_utf_16(data: bytes) -> bool:
    return data.startswith(UTF_16)


def _recoding(path: Path, data: bytes) -> str:
    """A command that writes a file in UTF-8 beside the one that is not."""
    packed = path.name.lower().endswith(".gz")
    old = shlex.quote(str(path))
    new = shlex.quote(str(path.with_name(f"utf-8-{path.name[: -3 if packed else None]}")))
    convert = f"iconv -f {'utf-16' if _is_utf_16(data) else 'cp1252'} -t utf-8"
    return f"gunzip -c {old} | {convert} > {new}" if packed else f"{convert} {old} > {new}"


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _parquet(data: bytes) -> DataFrame:
    """With the columns that pandas keeps as the names of rows, where they have a name."""
    import pandas

    frame: DataFrame = pandas.read_parquet(io.BytesIO(data))
    named = [name for name in frame.index.names if name is not None]
    return frame.reset_index(level=named) if named else frame


def _text(path: Path, data: bytes, usual: str, shape: Format, as_text: str | None) -> tuple[DataFrame, tuple[str, ...]]:
    """Columns of a text, and what stood before its header."""
    import pandas

    said = re.match(rb'"?sep=(.)"?\r?\n', data)  # a line that Excel writes and understands
    data = data[said.end() :] if said else data
    separator = shape.separator_of(said[1].decode() if said else usual)
    data, notes = _without_comments(path, data, separator)
    names = _header(data, separator)
    _check_rows(data, separator, shape, len(names))
    options = _as_it_stands(names, as_text)
    try:  # whole: in parts a column could be numbers in one and texts in another
        frame: DataFrame = pandas.read_csv(io.BytesIO(data), sep=separator, decimal=shape.decimal, index_col=False,
                                           low_memory=False, encoding="utf-8", **options)  # fmt: skip
    except ValueError as error:
        raise TableError(f"{str(error).splitlines()[0]}{_hint(data, separator, shape)}") from None
    frame.columns = names
    return frame, notes


def _without_comments(path: Path, data: bytes, separator: str) -> tuple[bytes, tuple[str, ...]]:
    """Without leading lines that begin with #, but for one that has the columns' names."""
    lines, rest = [], data
    while rest.startswith(b"#"):
        line, _, rest = rest.partition(b"\n")
        lines.append(line)
    first, mark = rest.split(b"\n", 1)[0], separator.encode()
    if lines and mark in first and lines[-1].count(mark) == first.count(mark):
        rest = lines.pop() + b"\n" + rest
    told = "1 line that begins" if len(lines) == 1 else f"{len(lines)} lines that begin"
    return rest, (f"Left out of {path}: {told} with #.",) if lines else ()


def _as_it_stands(names: list[str], as_text: str | None) -> dict[str, Any]:
    """Options of pandas with which one column keeps its texts, also those that stand for no value."""
    if as_text is None:
        return {}
    places = {composed(name): place for place, name in enumerate(names)}
    missing = {place: sorted(NO_VALUES) for name, place in places.items() if name != as_text}
    texts = {places[as_text]: str} if as_text in places else {}
    named = {"names": range(len(names)), "header": 0}
    return {**named, "dtype": texts, "keep_default_na": False, "na_values": missing}


def _lines(data: bytes) -> Any:
    return io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")


def _header(data: bytes, separator: str) -> list[str]:
    """The names as they stand in the file; of two equal ones pandas would rename one without a word."""
    names = next(filter(None, csv.reader(_lines(data), delimiter=separator)), [])
    if len(names) > MOST_COLUMNS:
        raise TableError(f"it has {len(names)} columns; at most {MOST_COLUMNS} are read.")
    twice = [name for name, times in Counter(names).items() if times > 1 and name]
    if twice:
        raise TableError(f"two columns have the name {twice[0]!r}; rename one.")
    return names


def _check_rows(data: bytes, separator: str, shape: Format, n_columns: int) -> None:
    """Every row has as many fields as the header: with more, pandas would move all columns or cut the row."""
    rows = filter(None, csv.reader(_lines(data), delimiter=separator))
    next(rows, None)
    for number, row in enumerate(rows, 1):
        if len(row) == n_columns or (n_columns == 1 and not "".join(row).strip()):
            continue
        message = f"row {number} has {len(row)} fields, the header {n_columns}: {_fields(row, separator)}."
        raise TableError(message + (_hint(data, separator, shape) or _remedy_of_length(row, n_columns, separator)))


def _fields(row: list[str], separator: str) -> str:
    text = separator.join(row[:SHOWN]) + (separator + "..." if len(row) > SHOWN else "")
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _remedy_of_length(row: list[str], n_columns: int, separator: str) -> str:
    if len(row) == n_columns + 1 and not row[-1].strip():
        return " It ends in a separator; take it away."
    if any("\n" in field for field in row):
        return " It holds a line break: a quotation mark opens there and is not closed."
    if not "".join(row).strip():
        return " It is blank; take it away."
    if row[0].startswith("#"):
        return " It begins with #, as a remark does; take it away."
    if len(row) < n_columns:
        return " Write an empty field for each value that is missing."
    named = " If its first field is the name of the row, the header must have one for it." * (len(row) == n_columns + 1)
    if separator == ",":
        return f" A number or a text with a comma in it needs quotes around it.{named}"
    return f" A text with {NAMES.get(separator, repr(separator))} in it needs quotes around it.{named}"


def _without_index(path: Path, frame: DataFrame) -> Frame:
    """Without what a program saved besides the data: columns without a name that are empty or count the rows."""
    notes, kept = [], list(range(frame.shape[1]))
    for place, name in enumerate(frame.columns):
        if name and not UNNAMED.fullmatch(name):
            continue
        column = frame.iloc[:, place]
        if column.isna().all():
            kept.remove(place)
        elif _counts(column):
            kept.remove(place)
            notes.append(f"Left out of {path}: column {place + 1}, which has no name and counts the rows.")
        else:
            raise TableError(f"{path}: column {place + 1} has no name; give it one, or take it out of the file.")
    return Frame(frame if len(kept) == frame.shape[1] else frame.iloc[:, kept], tuple(notes))


def _counts(column: Series) -> bool:
    """Whether it holds different whole numbers in rising order, as an index does, also of chosen rows."""
    if column.dtype.kind not in "iu":
        return False
    return bool((np.diff(column.to_numpy()) > 0).all() and column.iloc[0] >= 0)


def _hint(data: bytes, separator: str, shape: Format) -> str:
    """A line of other length than the first often means another separator."""
    header = next(_lines(data), "")
    counts = {mark: header.count(mark) for mark in NAMES}
    most = max(counts, key=lambda mark: counts[mark])
    return "" if counts[most] == 0 or most == separator else _pass_separator(most, shape)


def _refuse_units(path: Path, frame: DataFrame) -> None:
    """A first row of units makes texts of columns that are numbers from the second row on."""
    import pandas

    texts = [name for name in frame.columns if frame[name].dtype.kind not in "biufM"]
    numbers = {name: pandas.to_numeric(frame[name], errors="coerce").notna() for name in texts}
    gaps = {name: frame[name].isna() for name in texts}
    there = [name for name in texts if numbers[name].iloc[1:].any() and (numbers[name] | gaps[name]).iloc[1:].all()]
    units = [str(frame[name].iloc[0]) for name in there if not (numbers[name] | gaps[name]).iloc[0]]
    if len(units) > 1 and len(texts) == frame.shape[1]:
        raise TableError(f"{path}: row 1 seems to have units ({', '.join(map(repr, units[:SHOWN]))}). Take it out.")


def _pass_separator(mark: str, shape: Format) -> str:
    sign = "tab" if mark == "\t" else mark
    return f" Its columns seem to be separated by {NAMES[mark]}: pass --separator{shape.suffix} '{sign}'."
