"""Texts, dates and gaps of tables as numbers: the same ones in all tables that are used together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from mtlbook_lib.command_line.reading import TableError, option
from mtlbook_lib.command_line.tables import LARGEST, Table, is_numeric, other_columns, too_large

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEW = 0.1  # of the cells of a column of numbers may be none
FEWEST_OF_LEVEL = 5  # rows of all tables: rarer levels are one level together
MOST_LEVELS = 20  # of a column; the most frequent ones, all others are one level together
RARE, MISSING = "(rare)", "(missing)"
LIMIT = re.compile(r"[<>]=?\s*(?=[-+.\d])")  # of what an instrument can tell: <0.5
DATE = re.compile(r"\d{4}[-/]\d\d[-/]\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?\s*(Z|[-+]\d\d:?\d\d)?")
OTHER_DATE = re.compile(r"\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b.*")
IDENTITY = re.compile(r"(^|[\W_])[iI][dD]$|[a-z](Id|ID)$")


@dataclass
class _Column:
    """A column of all tables that have it: its values by the tables' places, and those that decide."""

    name: str
    values: dict[int, Series]
    tables: Sequence[Table]
    deciding: int
    notes: list[str] = field(default_factory=list)

    def training(self, columns: dict[int, Series]) -> Series:
        """Rows of the deciding tables, one below the other."""
        import pandas

        return pandas.concat([column for place, column in columns.items() if place < self.deciding])


def in_numbers(tables: list[Table], new: Sequence[Table] = ()) -> tuple[list[Table], tuple[str, ...]]:
    """Tables of numbers in the columns of the first one, and notes about the files; `new` ones decide on nothing."""
    notes = [note for table in (*tables, *new) for note in table.notes]
    notes += [note for table in tables[1:] for note in other_columns(tables[0], table)]
    numbers, told = encoded([*tables, *new], deciding=len(tables))
    return numbers, (*notes, *told)


def encoded(tables: list[Table], deciding: int | None = None) -> tuple[list[Table], tuple[str, ...]]:
    """Tables of numbers in the columns of the first one, and sentences that say what was made of what.

    A column of texts becomes one 0/1 column for each level, rare ones together; a missing text is a level of its own. A
    date becomes days. A cell that is no number, in a column where few are none, is missing. A missing number becomes
    the mean of those that are there, and a 0/1 column says where. Where a table lacks a column, its rows have the
    others' mean. A column that would be constant, or has another text or number of identity in each row, is left out.

    The first `deciding` tables, by default all, decide on all this. In the others a level that is not there counts as a
    rare one; where none is rare, all columns of its levels are 0.
    """
    import pandas

    deciding = len(tables) if deciding is None else deciding
    made: list[dict[str, Series]] = [{} for _ in tables]
    notes = []
    for name in tables[0].inputs.columns:
        values = {place: table.inputs[name] for place, table in enumerate(tables) if name in table.inputs.columns}
        column = _Column(str(name), values, tables, deciding)
        parts = _parts(column)
        for key, part in parts.items():
            while key in made[0]:  # a file may have any names
                key += "'"
            mean = float(column.training(part).mean())
            for place, table in enumerate(tables):
                made[place][key] = part.get(place, pandas.Series(mean, index=table.inputs.index))
        notes += [f"{name!r}, {', '.join(column.notes)}"] if column.notes else []
    if not made[0]:
        raise TableError(f"{tables[0].path} has no column that varies; all inputs are constant.")
    frames: list[DataFrame] = [pandas.DataFrame(columns) for columns in made]
    found = [replace(table, inputs=frame) for table, frame in zip(tables, frames, strict=True)]
    return found, (f"Encoded: {'; '.join(notes)}.",) if notes else ()


def _parts(column: _Column) -> dict[str, dict[int, Series]]:
    """Columns of numbers by their names."""
    if all(map(is_numeric, column.values.values())) and not any(one.isna().any() for one in column.values.values()):
        return {} if _identity(column, column.values) else {column.name: column.values}
    there = column.training(column.values).dropna()
    if there.empty:
        column.notes.append("no values: left out")
        return {}
    for numbers in (_numbers, _days):
        found = {place: numbers(one) for place, one in column.values.items()}
        if float(column.training(found).isna().to_numpy()[column.training(column.values).notna()].mean()) <= FEW:
            return {} if _identity(column, found) else _filled(column, found)
    return _levels(column)


def _numbers(column: Series) -> Series:
    """Numbers, with those of limits; others are missing."""
    import pandas

    if is_numeric(column):
        return column.astype(np.float64)
    texts = column.astype(object).where(column.notna()).map(lambda value: LIMIT.sub("", str(value)), na_action="ignore")
    found = pandas.to_numeric(texts, errors="coerce").astype(np.float64)
    return found.where(found.abs() <= LARGEST)


def _days(column: Series) -> Series:
    """Days since 1970 of dates such as 2024-01-31 or 2024-01-31 12:00; others are missing."""
    import pandas

    texts = [str(value).strip() if there else "" for value, there in zip(column, column.notna(), strict=True)]
    dates = [text.replace("/", "-") if DATE.fullmatch(text) else None for text in texts]
    times = pandas.Series(pandas.to_datetime(dates, format="ISO8601", utc=True, errors="coerce"), column.index)
    return (times - pandas.Timestamp(0, tz="UTC")) / pandas.Timedelta(days=1)


def _identity(column: _Column, numbers: dict[int, Series]) -> bool:
    """Whether these are numbers of identity: called so, whole, and another one in each row."""
    training = [one.dropna() for place, one in numbers.items() if place < column.deciding]
    found = IDENTITY.search(column.name) and all(one.is_unique and (one % 1 == 0).all() for one in training)
    column.notes += ["another one in each row: left out"] if found else []
    return bool(found)


def _filled(column: _Column, numbers: dict[int, Series]) -> dict[str, dict[int, Series]]:
    """Numbers, with their mean where one is missing, and a column that says where."""
    _tell_cells(column, numbers)
    lacking = {place: one.isna() for place, one in numbers.items()}
    n_missing = int(sum(one.sum() for one in lacking.values()))
    if not n_missing:
        return {column.name: numbers}
    mean = float(column.training(numbers).mean())
    found = {column.name: {place: one.fillna(mean) for place, one in numbers.items()}}
    flagged = column.training(lacking).any()
    if flagged:
        found[f"{column.name!r} {MISSING}"] = {place: one.astype(np.float64) for place, one in lacking.items()}
    says = ", and a column that says where" if flagged else ""
    column.notes.append(f"{n_missing} missing values: their mean{says}")
    return found


def _tell_cells(column: _Column, numbers: dict[int, Series]) -> None:
    """Note the cells that are no numbers; refuse a table of texts beside one of numbers."""
    days = limits = 0
    odd: list[str] = []
    for place, one in column.values.items():
        table, number = column.tables[place], numbers[place]
        if wrong := too_large(number.dropna()):
            raise TableError(f"{table.path}, column {column.name!r}: {wrong}. Correct it, or choose other units.")
        if is_numeric(one):
            continue
        none = np.flatnonzero(one.notna() & number.isna())
        if len(none) > 2 and 2 * len(none) > one.notna().sum():
            others = next(other for at, other in enumerate(column.tables) if at != place and at in column.values)
            raise TableError(_two_kinds(column.name, others, table))
        odd += [f"{one.iloc[row]!r} in row {one.index[row] + 1} of {table.path}" for row in none]
        texts = one.dropna().astype(str)
        limits += int(texts.str.contains(LIMIT).sum())
        days += int(texts.str.fullmatch(DATE).sum())
    column.notes += ["dates: days"] if days else []
    column.notes += [f"{limits} limits such as <1: the number itself"] if limits else []
    if odd:
        rest = f" and {len(odd) - 3} more" if len(odd) > 3 else ""
        column.notes.append(f"no number, so missing: {', '.join(odd[:3])}{rest}")


def _two_kinds(name: str, number: Table, text: Table) -> str:
    told = f"column {name!r} holds numbers in {number.path} and texts in {text.path}"
    return f"{told}. Write it in one way, or leave it out: {option('drop', name)}"


def _levels(column: _Column) -> dict[str, dict[int, Series]]:
    """A 0/1 column for each level."""
    _refuse_numbers(column)
    texts = {place: _texts(one) for place, one in column.values.items()}
    training = column.training(texts)
    sizes = training.value_counts()
    frequent = sizes[sizes >= FEWEST_OF_LEVEL].index[:MOST_LEVELS]
    kept = sorted({*frequent, *([MISSING] if MISSING in sizes.index else [])})
    rare = len(sizes) - len(kept)
    if len(sizes) == 1 or not len(frequent) or 2 * len(sizes) > len(training):
        dates = ", where dates are read as in 2024-01-31" if training.str.fullmatch(OTHER_DATE).mean() > FEW else ""
        column.notes.append(f"{len(sizes)} texts in {len(training)} rows: left out{dates}")
        return {}
    merged = {place: one.where(one.isin(kept), RARE) for place, one in texts.items()}
    levels = [*kept, *([RARE] if rare else [])]
    together = f", {rare} rare levels together" if rare > 1 else ", 1 of them rare" if rare else ""
    unseen = {level for one in texts.values() for level in one.unique()} - {*sizes.index}
    more = f", {len(unseen)} that training rows do not have" if unseen else ""
    column.notes.append(f"{len(sizes)} levels: {len(levels)} columns{together}{more}")
    sets = [{*one.unique()} - {MISSING} for place, one in texts.items() if place < column.deciding]
    if len(sets) > 1 and not any(sets[0] & other for other in sets[1:]):
        column.notes.append("of which no partner has one of the target's")
    return {
        f"{column.name!r} = {level!r}": {place: (one == level).astype(np.float64) for place, one in merged.items()}
        for level in levels
    }


def _refuse_numbers(column: _Column) -> None:
    """Texts in some tables, and numbers alone in another."""
    training = {place: one for place, one in column.values.items() if place < column.deciding and one.notna().any()}
    texts = {place: float(_numbers(one)[one.notna()].isna().mean()) > FEW for place, one in training.items()}
    if not all(texts.values()):
        number, text = (next(place for place, said in texts.items() if said == kind) for kind in (False, True))
        raise TableError(_two_kinds(column.name, column.tables[number], column.tables[text]))


def _texts(column: Series) -> Series:
    """Texts as they are, and whole numbers as such: 2 and 2.0 are one level."""
    texts = column.astype(object).where(column.notna(), MISSING).astype(str).str.strip()
    return texts.str.replace(r"^([-+]?\d+)\.0+$", r"\1", regex=True)
