"""Columns that two tables may have in different units, or with different levels: by their rows alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, varies
from mtlbook_lib.forecast._input.columns import Names, listed

SURE = 4.0  # standard errors; and a constant column is no chance if its probability is below
CHANCE = 1e-4
FAR, WIDE = 2.0, 2.0  # spreads between two levels, and ratio of two spreads, that are told
# The page that reads two tables has these words, too.
UNIT, LEVELS = "{columns}: {b} looks like another unit.", "{columns}: {a} and {b} have few values in common."


def unlike(a: Array, b: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each column, whether level or spread are others, and whether values are; by more than sampling does."""
    tables = a, b
    values = [[len(np.unique(column)) for column in rows.T] for rows in tables]
    numbers, constant = np.min(values, axis=0) > 2, [~varies(rows) for rows in tables]
    apart = np.zeros(len(numbers), dtype=bool)
    for rows, other, same in ((a, b, constant[0]), (b, a, constant[1])):
        share = np.mean(other == rows[0], axis=0)
        apart |= same & (share ** len(rows) < CHANCE)
    means, variances = ([one(rows, axis=0) for rows in tables] for one in (np.mean, np.var))
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.abs(means[0] - means[1])
        of_level = np.sqrt(sum(v / len(rows) for v, rows in zip(variances, tables, strict=True)))
        log_ratio = np.abs(np.log(variances[0] / variances[1]))
        of_ratio = np.sqrt(sum(_of_log_variance(*one) for one in zip(tables, means, variances, strict=True)))
        level = (far > SURE * of_level) & (far > FAR * np.sqrt(np.maximum(*variances)))
        spread = (log_ratio > SURE * of_ratio) & (log_ratio > 2 * np.log(WIDE))
    return numbers & (level | spread), apart


def notes_of(a: Array, b: Array, names: Names | None, of_a: str, of_b: str) -> tuple[str, ...]:
    """A sentence for each kind of columns that are unlike."""
    called = [f"column {place}" for place in range(a.shape[1])] if names is None else list(map(str, names))
    columns = [[called[place] for place in np.flatnonzero(found)] for found in unlike(a, b)]
    return tuple(
        words.format(columns=listed(which), a=of_a, b=of_b)
        for words, which in zip((UNIT, LEVELS), columns, strict=True)
        if which
    )


def notes_of_tables(tables: Sequence[Array], target: int, tasks: Sequence[Any], names: Names | None) -> tuple[str, ...]:
    """The same of a target and each of its partners."""
    own, others = repr(tasks[target]), [place for place in range(len(tasks)) if place != target and len(tables[place])]
    told = [notes_of(tables[target], tables[place], names, own, repr(tasks[place])) for place in others]
    return tuple(note for notes in told for note in notes)


def _of_log_variance(rows: Array, mean: Array, variance: Array) -> Array:
    """Variance of the logarithm of a sample's variance."""
    fourth = np.power(rows - mean, 4).mean(axis=0)
    return np.asarray((fourth / np.square(variance) - 1) / len(rows))
