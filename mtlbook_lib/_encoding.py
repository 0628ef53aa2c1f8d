"""Categories and missing values of tables, as numbers: the same ones in all tables that are used together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mtlbook_lib._reading import TableError
from mtlbook_lib._tables import Table, check_same_columns, is_numeric

if TYPE_CHECKING:
    from pandas import DataFrame, Series

FEWEST_OF_LEVEL = 5  # rows of all tables: rarer levels are one level together
MOST_LEVELS = 20  # of a column; the most frequent ones, all others are one level together
RARE, MISSING = "(rare)", "(missing)"


def encoded(tables: list[Table]) -> tuple[list[Table], tuple[str, ...]]:
    """Tables of numbers, and sentences that say what was made of what.

    A column of texts becomes one 0/1 column for each level, rare ones together; a missing text is a level of its own. A
    missing number becomes the mean of those that are there in all tables, and a 0/1 column says where.
    """
    import pandas

    for table in tables[1:]:
        check_same_columns(tables[0], table)
    made: list[dict[str, Series]] = [{} for _ in tables]
    notes = []
    for name in tables[0].inputs.columns:
        columns = [table.inputs[name] for table in tables]
        numeric = {is_numeric(column) or bool(column.isna().all()) for column in columns}
        if len(numeric) > 1:
            number, text = sorted(tables, key=lambda table: not is_numeric(table.inputs[name]))[:: len(tables) - 1]
            raise TableError(f"column {name!r} holds numbers in {number.path} and texts in {text.path}.")
        parts, note = (_filled if numeric == {True} else _dummies)(str(name), columns)
        for whole, part in zip(made, parts, strict=True):
            whole.update(part)
        notes += [note] if note else []
    frames: list[DataFrame] = [pandas.DataFrame(columns) for columns in made]
    found = [replace(table, inputs=frame) for table, frame in zip(tables, frames, strict=True)]
    return found, (f"Encoded: {'; '.join(notes)}.",) if notes else ()


def _filled(name: str, columns: list[Series]) -> tuple[list[dict[str, Series]], str]:
    """Numbers, with their mean where one is missing, and a column that says so."""
    lacking = [column.isna() for column in columns]
    n_missing = int(sum(part.sum() for part in lacking))
    if not n_missing:
        return [{name: column} for column in columns], ""
    there = np.concatenate([column.dropna().to_numpy(dtype=np.float64) for column in columns])
    mean = float(there.mean()) if there.size else 0.0
    parts = [{name: column.astype(np.float64).fillna(mean), f"{name} {MISSING}": part.astype(np.float64)}
             for column, part in zip(columns, lacking, strict=True)]  # fmt: skip
    return parts, f"{name!r}, {n_missing} missing values: their mean, and a column that says where"


def _dummies(name: str, columns: list[Series]) -> tuple[list[dict[str, Series]], str]:
    """A 0/1 column for each level of all tables."""
    import pandas

    texts = [column.astype(object).where(column.notna(), MISSING).astype(str).str.strip() for column in columns]
    sizes = pandas.concat(texts).value_counts()
    frequent = sizes[sizes >= FEWEST_OF_LEVEL].index[:MOST_LEVELS]
    kept = sorted({*frequent, *([MISSING] if MISSING in sizes.index else [])})
    rare = len(sizes) - len(kept)
    merged = [text.where(text.isin(kept), RARE) for text in texts] if rare else texts
    levels = [*kept, *([RARE] if rare else [])]
    parts = [{f"{name} = {level}": (text == level).astype(np.float64) for level in levels} for text in merged]
    together = f", {rare} rare levels together" if rare > 1 else ", 1 of them rare" if rare else ""
    return parts, f"{name!r}, {len(sizes)} levels: {len(levels)} columns{together}"
