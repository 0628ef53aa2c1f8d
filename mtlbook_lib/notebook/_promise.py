"""A sentence that says "to within 0.02" promises a width; the check behind it may not accept a wider one.

What a check accepts is known before it runs: the tolerance, or for a check with standard errors the field ``resolves``,
since a run whose tolerance times standard error plus allowance is larger than that is refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "twentieth": 20,
    "fiftieth": 50,
    "hundredth": 100,
    "thousandth": 1000,
}
_NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_PROMISE = re.compile(
    # "within four standard errors, at most 0.15" promises the number at its end
    r"\b(?:within|changes by less than) (?:(?:\w+|\d+) standard errors, at most )?(?:about |one )?"
    rf"(?:(?P<percent>{_NUMBER}|{'|'.join(_COUNTS)})\s*(?:%|per ?cent\b)"
    rf"|(?P<plain>{_NUMBER})(?![\d%]|\s*%| standard errors)"
    rf"|(?:an? )?(?P<part>{'|'.join(_PARTS)})\b)"
)


@dataclass(frozen=True)
class Promise:
    """A width that a sentence states, as it stands there and as a number; `relative` where it is called a fraction."""

    words: str
    size: float
    relative: bool


def promises(sentence: str) -> list[Promise]:
    """The widths that a sentence states, as in "to within 0.02", "within 5 %" or "to within a tenth"."""
    return [Promise(found.group(), _size(found), not found["plain"]) for found in _PROMISE.finditer(sentence)]


def problems(entry: dict[str, Any], tolerance: Any, resolves: Any) -> Iterator[str]:
    """The promises of an entry that its check does not keep; `tolerance` and `resolves` as they were read."""
    promised = [promise for text in _kept(entry) for promise in promises(text)]
    width = _accepted(entry.get("check"), tolerance, resolves)
    if width is None:
        return
    field = "resolves" if entry.get("check") == "z-score" else "tolerance"
    for promise in promised:
        if resolves is not None and resolves.relative and not promise.relative:
            yield f'the sentence says "{promise.words}", but resolves is a fraction, {resolves}: say both in one unit'
        elif width > promise.size * (1 + 1e-9):
            yield (
                f'the sentence says "{promise.words}", but its check accepts {width:g} ({field}): '
                "let the sentence say what is accepted, or draw more and accept less"
            )


def _kept(entry: dict[str, Any]) -> list[str]:
    """The sentences that the check stands for; one that fails is missed the more clearly, the more is accepted."""
    statement, holds = (str(entry.get("printed", entry.get("statement", ""))), str(entry.get("holds", "")))
    return {
        "holds": [statement],
        "holds in part": [statement, holds],
        "holds as corrected": [holds],
    }.get(str(entry.get("outcome", entry.get("verdict"))), [])


def _accepted(kind: Any, tolerance: Any, resolves: Any) -> float | None:
    """The largest deviation that a check of this kind accepts, where the entry says it."""
    if kind == "z-score":
        return None if resolves is None else float(resolves.size)
    if kind in ("close", "relative", "at-most") and isinstance(tolerance, float):
        return tolerance
    if kind == "range" and isinstance(tolerance, tuple) and tolerance[0] > 0:
        return float(max(abs(end - 1) for end in tolerance))  # a ratio, which the sentence calls a fraction
    return None


def _size(match: re.Match[str]) -> float:
    if match["percent"]:
        return float(_COUNTS.get(match["percent"], match["percent"])) / 100
    return float(match["plain"]) if match["plain"] else 1 / _PARTS[match["part"]]
