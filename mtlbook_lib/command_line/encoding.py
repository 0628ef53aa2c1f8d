"""Categories and missing values of tables, as numbers: the same ones in all tables that are used together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mtlbook_lib.command_line.reading import TableError
from mtlbook_lib.command_line.tables import Table, check_same_columns, is_numeric

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEWEST_OF_LEVEL = 5  # rows of all tables: rarer levels are one level together
MOST_LEVELS = 20  # of a column; the most frequent ones, all others are one level together
RARE, MISSING = "(rare)", "(missing)"


def encoded(tables: list[Table], deciding: int | None = None) -> tuple[list[Table], tuple[str, ...]]:
    """Tables of numbers, and sentences that say what was made of what.

    A column of texts becomes one 0/1 column for each level, rare ones together; a missing text is a level of its own. A
    missing number becomes the mean of those that are there in all tables, and a 0/1 column says where.

    The first `deciding` tables, by default all, decide on levels, means and columns. In the others a level that is not
    there counts as a rare one; where none is rare, all columns of its levels are 0.
    """
    import pandas

    for table in tables[1:]:
        check_same_columns(tables[0], table)
    made: list[dict[str, Series]] = [{} for _ in tables]
    notes = []
    for name in tables[0].inputs.columns:
        columns = [table.inputs[name] for table in tables]
        known = [place for place, column in enumerate(columns[:deciding]) if column.notna().any()]
        numbers = [place for place in known if is_numeric(columns[place])]
        if 0 < len(numbers) < len(known):
            texts = next(place for place in known if place not in numbers)
            _refuse(name, tables[numbers[0]], tables[texts])
        if not known:  # what training rows never have says nothing
            columns = [column.astype(object).where(column.isna()).astype(np.float64) for column in columns]
        numeric = len(numbers) == len(known)
        for table, column in zip(tables, columns, strict=True):
            if numeric and not is_numeric(column) and column.notna().any():
                _refuse(name, tables[numbers[0]], table)
        parts, note = (_filled if numeric else _dummies)(str(name), columns, deciding)
        for whole, part in zip(made, parts, strict=True):
            whole.update(part)
        notes += [note] if note else []
    frames: list[DataFrame] = [pandas.DataFrame(columns) for columns in made]
    found = [replace(table, inputs=frame) for table, frame in zip(tables, frames, strict=True)]
    return found, (f"Encoded: {'; '.join(notes)}.",) if notes else ()


def _refuse(name: str, number: Table, text: Table) -> None:
    raise TableError(f"column {name!r} holds numbers in {number.path} and texts in {text.path}.")


def _filled(name: str, columns: list[Series], deciding: int | None) -> tuple[list[dict[str, Series]], str]:
    """Numbers, with their mean where one is missing, and a column that says so."""
    lacking = [column.isna() for column in columns]
    flagged = any(part.any() for part in lacking[:deciding])
    n_missing = int(sum(part.sum() for part in lacking))
    if not n_missing:
        return [{name: column} for column in columns], ""
    there = np.concatenate([column.dropna().to_numpy(dtype=np.float64) for column in columns[:deciding]])
    mean = float(there.mean()) if there.size else 0.0
    parts = [{name: column.astype(np.float64).fillna(mean)} for column in columns]
    if flagged:
        for part, missing in zip(parts, lacking, strict=True):
            part[f"{name} {MISSING}"] = missing.astype(np.float64)
    says = ", and a column that says where" if flagged else ""
    return parts, f"{name!r}, {n_missing} missing values: their mean{says}"


def _dummies(name: str, columns: list[Series], deciding: int | None) -> tuple[list[dict[str, Series]], str]:
    """A 0/1 column for each level."""
    import pandas

    texts = [_texts(column) for column in columns]
    sizes = pandas.concat(texts[:deciding]).value_counts()
    frequent = sizes[sizes >= FEWEST_OF_LEVEL].index[:MOST_LEVELS]
    kept = sorted({*frequent, *([MISSING] if MISSING in sizes.index else [])})
    rare = len(sizes) - len(kept)
    merged = [text.where(text.isin(kept), RARE) for text in texts]
    levels = [*kept, *([RARE] if rare else [])]
    parts = [{f"{name} = {level}": (text == level).astype(np.float64) for level in levels} for text in merged]
    together = f", {rare} rare levels together" if rare > 1 else ", 1 of them rare" if rare else ""
    unseen = {level for text in texts for level in text.unique()} - {*sizes.index}
    more = f", {len(unseen)} that training rows do not have" if unseen else ""
    return parts, f"{name!r}, {len(sizes)} levels: {len(levels)} columns{together}{more}"


def _texts(column: Series) -> Series:
    """Texts as they are; whole numbers, where other tables have texts too, as they stand in a file."""
    if column.dtype.kind == "f" and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    return column.astype(object).where(column.notna(), MISSING).astype(str).str.strip()
