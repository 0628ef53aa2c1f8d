"""How a performance figure is measured and printed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Row:
    """Two routes to the same numbers, in CPU seconds for each item, with the error of both against a third."""

    what: str
    baseline: str
    unit: str
    ours: float
    theirs: float
    our_error: float
    their_error: float
    flops: float | None = None  # of the matrix products of our route, for each item


def timed(function: Callable[[], Any], items: int, repeats: int = 3) -> tuple[Any, float]:
    """The value, and CPU seconds for each item in the fastest of several calls, which other work disturbs least."""
    seconds = []
    for _ in range(repeats):
        start = process_time()
        value = function()
        seconds.append(process_time() - start)
    return value, min(seconds) / items


def at_accuracy(
    route: Callable[[float], Any], settings: Iterable[float], error: Callable[[Any], float], wanted: float, items: int
) -> tuple[float, float, float]:
    """The first setting whose error is as small as wanted, else the last; its error, and seconds for each item."""
    for setting in settings:
        value, seconds = timed(lambda setting=setting: route(setting), items, repeats=1)
        found = error(value)
        if found <= wanted:
            break
    _, again = timed(lambda: route(setting), items, repeats=1)
    return setting, found, min(seconds, again)


def product_rate(size: int = 1000) -> float:
    """Operations per second of a product of large float64 matrices on one thread: what the machine can do."""
    matrix = np.random.default_rng(0).standard_normal((size, size))
    _, seconds = timed(lambda: matrix @ matrix, 2 * size**3, repeats=5)
    return 1 / seconds


def largest_difference(value: Any, exact: Any) -> float:
    return float(np.abs(np.asarray(value) - np.asarray(exact)).max())


def table(rows: Sequence[Row], rate: float) -> str:
    """The rows in aligned columns; ratios above 1 are in our favour."""
    cells = [("what", "item", "ours s", "baseline s", "ratio", "our error", "its error", "share", "the baseline is")]
    cells += [_cells(row, rate) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def _cells(row: Row, rate: float) -> tuple[str, ...]:
    numbers = f"{row.ours:.2e}", f"{row.theirs:.2e}", f"{row.theirs / row.ours:.2f}"
    errors = f"{row.our_error:.0e}", f"{row.their_error:.0e}"
    share = "" if row.flops is None else f"{row.flops / row.ours / rate:.0%}"
    return (row.what, row.unit, *numbers, *errors, share, row.baseline)
