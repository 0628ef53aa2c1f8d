"""What an entry of the register may say: the fields, their values, and which of them a verdict needs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

PAPERS = {
    "lampinen-ganguli": "Lampinen & Ganguli (2019)",
    "lee-ndirango": "Lee & Ndirango (2019)",
    "wu-zhang-re": "Wu, Zhang & Ré (2020)",
    "lindsey-lippl": "Lindsey & Lippl (2023)",
    "beyond": "Beyond the papers",
}
KINDS = ("close", "relative", "z-score", "exceeds", "at-most", "at-least", "range")
VERDICTS = ("holds", "holds as corrected", "holds in part", "fails", "not checked")
STATISTICAL = ("z-score", "exceeds")  # the kinds that need a standard error and may have an allowance
BOUNDS = ("at-most", "at-least", "range")  # the kinds that compare a measured value with the tolerance alone

_REQUIRED = ("id", "paper", "place", "statement", "chapter", "verdict")
_FIELDS = (*_REQUIRED, "check", "tolerance", "allowance", "why", "correction", "reason")
_TEXTS = ("statement", "why", "correction", "reason")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CHAPTER = re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+)*")


def problems(entry: Any) -> Iterator[str]:
    """Everything that is wrong with one entry."""
    if not isinstance(entry, dict):
        yield f"must be a mapping of fields; got {entry!r}"
        return
    yield from (f"unknown field {key!r}; the fields are {', '.join(_FIELDS)}" for key in entry if key not in _FIELDS)
    yield from (f"{key} is missing" for key in _REQUIRED if entry.get(key) in (None, "", []))
    yield from _values(entry)
    yield from _sizes(entry)
    if entry.get("verdict") != "not checked":
        yield from _checked(entry)
    elif "reason" not in entry:
        yield "verdict 'not checked' needs a reason (the missing datum, or the measured cost)"


def number(value: Any) -> float:
    """`value` as a finite float; YAML reads 1e-10 (without a dot) as text, so text that is a number is accepted."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"must be a number; got {value!r}")
    try:
        result = float(value)
    except ValueError:
        raise ValueError(f"must be a number; got {value!r}") from None
    if not math.isfinite(result):
        raise ValueError(f"must be finite; got {value!r}")
    return result


def tolerance(value: Any) -> float | tuple[float, float]:
    """One number, or the two ends of a range."""
    if not isinstance(value, list):
        return number(value)
    if len(value) != 2:
        raise ValueError(f"must be one number or [low, high]; got {value!r}")
    return number(value[0]), number(value[1])


def _values(entry: dict[str, Any]) -> Iterator[str]:
    for key, options in (("paper", tuple(PAPERS)), ("check", KINDS), ("verdict", VERDICTS)):
        if key in entry and entry[key] not in options:
            yield f"unknown {key} {entry[key]!r}; it must be one of {', '.join(options)}"
    for key, pattern, example in (("id", _ID, "noise-spectrum-edge"), ("chapter", _CHAPTER, "part1/noise-spectrum")):
        if entry.get(key) and not (isinstance(entry[key], str) and pattern.fullmatch(entry[key])):
            yield f"{key} must look like {example!r}; got {entry[key]!r}"
    for key in _TEXTS:
        if key in entry and not (isinstance(entry[key], str) and entry[key].strip()):
            yield f"{key} must be text; got {entry[key]!r}"
    place = entry.get("place")
    if place and not (isinstance(place, list) and all(isinstance(p, str) and p.strip() for p in place)):
        yield f"place must be a list such as [Fig. 8, App. D]; got {place!r}"


def _checked(entry: dict[str, Any]) -> Iterator[str]:
    if "check" not in entry:
        yield f"check is missing; it must be one of {', '.join(KINDS)}"
    if "tolerance" not in entry:
        yield "tolerance is missing"
    if "why" not in entry:
        yield "why is missing: say why the tolerance has this size"
    if entry.get("verdict") == "holds as corrected" and "correction" not in entry:
        yield "verdict 'holds as corrected' needs a correction (the corrected statement)"
    if entry.get("verdict") == "holds" and "correction" in entry:
        yield "verdict 'holds' has no correction"
    if "reason" in entry:
        yield "reason belongs to verdict 'not checked'; say the rest in why"


def _sizes(entry: dict[str, Any]) -> Iterator[str]:
    if "tolerance" in entry and entry.get("check") in KINDS:
        yield from _tolerance(entry["check"], entry["tolerance"])
    if "allowance" in entry:
        yield from _allowance(entry.get("check"), entry["allowance"])


def _tolerance(kind: str, value: Any) -> Iterator[str]:
    try:
        size = tolerance(value)
    except ValueError as error:
        yield f"tolerance {error}"
        return
    if kind == "range":
        if not isinstance(size, tuple) or size[0] >= size[1]:
            yield f"tolerance of a range must be [low, high] with low < high; got {value!r}"
    elif isinstance(size, tuple):
        yield f"tolerance of {kind!r} must be one number; got {value!r}"
    elif kind not in BOUNDS and size <= 0:
        yield f"tolerance of {kind!r} must be greater than 0; got {value!r}"


def _allowance(kind: Any, value: Any) -> Iterator[str]:
    if kind in KINDS and kind not in STATISTICAL:
        yield f"allowance belongs to {' and '.join(STATISTICAL)}, not to {kind!r}"
    try:
        if number(value) < 0:
            yield f"allowance must be 0 or greater; got {value!r}"
    except ValueError as error:
        yield f"allowance {error}"
