"""Rows in an order of their own, and some of many: by what stands in them, wherever they stand in the table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array

_STEP = np.uint64(0x9E3779B97F4A7C15)


def subsample(x: Array, y: Array, most: int, seed: int) -> NDArray[np.int64]:
    """Places of at most `most` rows.

    Each row has a random number that its contents and the seed determine, and those of the smallest are chosen: another
    order of the rows or of the columns changes nothing, and a row more or less changes hardly more than one of the
    chosen. Only rows with one label and the same values in other columns, such as zeros and ones, are told apart by the
    order of the columns.
    """
    start = _mixed(np.zeros(1, dtype=np.uint64), np.array([seed], dtype=np.uint64))
    contents, ordered = np.zeros(len(y), dtype=np.uint64), np.repeat(start, len(y))
    for column in x.T:
        contents += _mixed(start, _bits(column))  # a sum, which has no order
        ordered = _mixed(ordered, _bits(column))
    marks = _mixed(_mixed(start, _bits(y)), contents)
    order = np.lexsort((ordered, marks))
    marks, ordered = marks[order], ordered[order]
    begins, alike = _runs(marks)
    ends = np.append(begins[1:], len(y)) - 1
    differ = (ordered[begins] != ordered[ends])[alike]
    marks = np.where(differ, _mixed(marks, ordered), marks)
    begins, alike = _runs(marks)
    marks = _mixed(marks, (np.arange(len(y)) - begins[alike]).astype(np.uint64))  # copies of a row get different ones
    return np.asarray(order[np.argsort(marks, kind="stable")[:most]])


def subsample_notes(rows: Sequence[NDArray[np.int64]], names: Sequence[Any], target: int, most: int) -> tuple[str, ...]:
    """Note for the user where a task has more rows than a covariance matrix can hold; else none."""
    if max(map(len, rows)) <= most:
        return ()
    n = len(rows[target])
    judged = f"; errors on rows left out are those of {most} of the {n} rows of {names[target]!r}" if n > most else ""
    return (f"All rows are learned from, through {most} of a task{judged}, chosen as if at random.",)


def _runs(marks: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where runs of equal marks begin, and for each mark the run that it is of."""
    new = np.concatenate([[True], marks[1:] != marks[:-1]])
    return np.flatnonzero(new), np.cumsum(new) - 1


def _bits(column: Array) -> NDArray[np.uint64]:
    return (np.ascontiguousarray(column) + 0.0).view(np.uint64)  # -0.0 becomes 0.0


def _mixed(marks: NDArray[np.uint64], bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser; products wrap around, as is meant."""
    mixed = (marks ^ bits) + _STEP
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
