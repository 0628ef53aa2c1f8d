"""The figures on record, `results/performance.json`, and the tables of *How far to trust it* that are made from it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.growth import Growth
from benchmarks.timing import Row
from bookbuild.chapters import ROOT
from bookbuild.trials import measure

RECORD = ROOT / "results" / "performance.json"
PAGE = ROOT / "book" / "reference" / "trust.md"
APART = ("figure", "open run")  # units of rows that the table of the page leaves out


def write(rows: Sequence[Row], growth: Iterable[Growth], rate: float, gigabytes: float) -> None:
    """Put what was measured on record, and into the page."""
    found = {**measure.machine(), "rate": rate, "gigabytes": round(gigabytes, 2)}
    found |= {"rows": [asdict(row) for row in rows], "growth": [asdict(one) for one in growth]}
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf8")), encoding="utf8")


def with_tables(text: str) -> str:
    """The page with its marked paragraphs made anew from the record."""
    found = json.loads(RECORD.read_text(encoding="utf8"))
    made = {"where": where(found), "routes": routes(found), "growth": growths(found)}
    return measure.filled(text, made.__getitem__)


def where(found: dict[str, Any]) -> str:
    """The machine, and what it can do."""
    return (
        f"Measured on {found['date']} on one thread of {found['processor']}, with {found['rate'] / 1e9:.0f} GFlop/s in "
        f"large products. Seconds are those of the processor. At most {found['gigabytes']:.1f} GB were taken."
    )


def routes(found: dict[str, Any]) -> str:
    """Each engine beside what one would write without it."""
    head = ["What", "Instead of", "Times faster", "Here, ms", "There, ms", "For each", "Error here", "There"]
    # Rows of a whole figure compare training with where it ends in a limit: their errors are of that limit.
    return _table(head, [_route(Row(**row)) for row in found["rows"] if row["unit"] not in APART])


def _route(row: Row) -> list[str]:
    ours, theirs = _plain(1000 * row.ours), _plain(1000 * row.theirs)
    errors = f"{row.our_error:.0e}", f"{row.their_error:.0e}"
    return [row.what, row.baseline, f"**{_plain(row.theirs / row.ours)}**", ours, theirs, row.unit, *errors]


def _plain(value: float) -> str:
    """Two digits, in words of a reader: 160 and not 1.6e+02."""
    rounded = float(f"{value:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"


def growths(found: dict[str, Any]) -> str:
    """Seconds as the work grows, and the exponent at its end."""
    cells = []
    for kept in found["growth"]:
        one = Growth(**kept)
        times = ", ".join(f"{size}: {_plain(seconds)}" for size, seconds in zip(one.sizes, one.seconds, strict=True))
        cells.append([one.what, one.axis, times, f"{one.exponent:.1f}"])
    return _table(["What", "What grows", "Size: seconds", "Exponent at the end"], cells)


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
