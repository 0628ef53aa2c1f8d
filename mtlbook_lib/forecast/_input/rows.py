"""Rows that stand in both tables, or twice in one: a forecast takes each row for another example."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array


@dataclass(frozen=True)
class Repeats:
    """Pairs of equal rows, shape (n, 2): (row, an earlier row) of one table, or (row of b, row of a)."""

    twice_a: NDArray[np.int64]
    twice_b: NDArray[np.int64]
    shared: NDArray[np.int64]

    def __bool__(self) -> bool:
        return any(len(pairs) for pairs in (self.twice_a, self.twice_b, self.shared))

    def sentence(self, a: str, b: str) -> str:
        """What was found, with an example of each kind; rows are counted from 1."""
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
    last: dict[bytes, int] = {}
    pairs = []
    for place, row in enumerate(_bytes(np.column_stack([x, y]))):
        if row in last:
            pairs.append((place, last[row]))
        last[row] = place
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _shared(x_a: Array, x_b: Array) -> NDArray[np.int64]:
    first: dict[bytes, int] = {}
    for place, row in enumerate(_bytes(x_a)):
        first.setdefault(row, place)
    pairs = [(place, first[row]) for place, row in enumerate(_bytes(x_b)) if row in first]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _bytes(x: Array) -> list[bytes]:
    """Each row's; 0.0 is added so that -0.0 is 0.0."""
    rows = np.ascontiguousarray(x + 0.0)
    return [row.tobytes() for row in rows]
