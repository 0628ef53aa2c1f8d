"""How a performance figure is measured and printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Figure:
    """Items per second of ours and of a baseline, timed in the same run on the same machine."""

    name: str
    unit: str
    ours: float
    baseline: float
    baseline_name: str


def rate(function: Callable[[], object], items: int, repeats: int = 3) -> float:
    """Items per second of the fastest of several calls, after one that is not timed."""
    function()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return items / min(times)


def table(figures: Sequence[Figure]) -> str:
    """The figures in aligned columns."""
    rows = [("figure", "unit", "ours", "baseline", "ratio", "the baseline is")]
    rows += [
        (f.name, f"{f.unit}/s", f"{f.ours:.3g}", f"{f.baseline:.3g}", f"{f.ours / f.baseline:.1f}", f.baseline_name)
        for f in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])
