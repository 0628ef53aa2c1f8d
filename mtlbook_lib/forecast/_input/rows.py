"""Rows that stand in both tables, or twice in one: a forecast takes each row for another example."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array

CHUNK = 100_000
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Repeats:
    """Pairs of equal rows, shape (n, 2): (row, an earlier row) of one table, or (row of b, row of a)."""

    twice_a: NDArray[np.int64]
    twice_b: NDArray[np.int64]
    shared: NDArray[np.int64]

    def __bool__(self) -> bool:
        return any(len(pairs) for pairs in (self.twice_a, self.twice_b, self.shared))

    def sentence(self, a: str, b: str) -> str:
        """Report of the repeated rows, with an example of each kind; rows are counted from 1."""
        found = []
        if len(self.shared):
            row_b, row_a = self.shared[0] + 1
            what = f"the inputs of {_rows(self.shared)} of {b} stand in {a} too"
            found.append(f"{what}, such as row {row_b} of {b}, row {row_a} of {a}")
        for name, pairs in ((a, self.twice_a), (b, self.twice_b)):
            if len(pairs):
                row, earlier = pairs[0] + 1
                found.append(f"{_rows(pairs)} of {name} stood there before, label and all, such as {earlier} and {row}")
        return "; ".join(found)


def repeats_of(x_a: Array, y_a: Array, x_b: Array, y_b: Array, same_rows: bool) -> Repeats:
    """Rows with equal inputs in both tables (none where `same_rows` says that they are meant), and whole rows twice."""
    none = np.empty((0, 2), dtype=np.int64)
    return Repeats(_twice(x_a, y_a), _twice(x_b, y_b), none if same_rows else _shared(x_a, x_b))


def _rows(pairs: NDArray[np.int64]) -> str:
    n = len(np.unique(pairs[:, 0]))
    return "1 row" if n == 1 else f"{n} rows"


def _twice(x: Array, y: Array) -> NDArray[np.int64]:
    marks = _mixed(_fingerprints(x), y)
    order = np.argsort(marks, kind="stable")
    same = np.flatnonzero(marks[order][1:] == marks[order][:-1])
    pairs = np.stack([order[same + 1], order[same]], axis=1)
    kept = (x[pairs[:, 0]] == x[pairs[:, 1]]).all(axis=1) & (y[pairs[:, 0]] == y[pairs[:, 1]])
    return np.asarray(pairs[kept][np.argsort(pairs[kept, 0])])


def _shared(x_a: Array, x_b: Array) -> NDArray[np.int64]:
    marks_a, marks_b = _fingerprints(x_a), _fingerprints(x_b)
    order = np.argsort(marks_a, kind="stable")
    place = np.minimum(np.searchsorted(marks_a[order], marks_b), len(order) - 1)
    rows = np.flatnonzero(marks_a[order][place] == marks_b)
    pairs = np.stack([rows, order[place[rows]]], axis=1)
    return np.asarray(pairs[(x_b[pairs[:, 0]] == x_a[pairs[:, 1]]).all(axis=1)])


def _fingerprints(x: Array) -> NDArray[np.uint64]:
    """One number for each row, equal for equal rows; what has equal numbers is compared in full afterwards."""
    marks = np.zeros(len(x), dtype=np.uint64)
    for start in range(0, len(x), CHUNK):
        part = slice(start, start + CHUNK)
        for column in x[part].T:
            marks[part] = _mixed(marks[part], column)
    return marks


def _mixed(marks: NDArray[np.uint64], column: Array) -> NDArray[np.uint64]:
    bits = (np.ascontiguousarray(column) + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    mixed = (marks ^ bits) * _ODD  # wraps around, as is meant
    return np.asarray(mixed ^ (mixed >> np.uint64(29)))
