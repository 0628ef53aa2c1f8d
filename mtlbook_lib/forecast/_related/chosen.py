"""Rows in an order of their own, and some of many: by what stands in them, wherever they stand in the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array

_STEP = np.uint64(0x9E3779B97F4A7C15)


def chosen_rows(x: Array, y: Array, most: int, seed: int) -> NDArray[np.int64]:
    """Places of at most `most` rows.

    Each row has a random number that its contents and the seed determine, and those of the smallest are chosen: another
    order of the rows changes nothing, and a row more or less changes at most one of the chosen.
    """
    marks = np.full(len(y), _mixed(np.zeros(1, dtype=np.uint64), np.array([seed], dtype=np.uint64))[0])
    for column in (y, *x.T):
        marks = _mixed(marks, (np.ascontiguousarray(column) + 0.0).view(np.uint64))  # -0.0 becomes 0.0
    order = np.argsort(marks, kind="stable")
    ordered = marks[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    start = np.maximum.accumulate(np.where(first, np.arange(len(y)), 0))
    marks = _mixed(ordered, (np.arange(len(y)) - start).astype(np.uint64))  # copies of a row get different ones
    return np.asarray(order[np.argsort(marks, kind="stable")[:most]])


def _mixed(marks: NDArray[np.uint64], bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's finaliser; products wrap around, as is meant."""
    mixed = (marks ^ bits) + _STEP
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
