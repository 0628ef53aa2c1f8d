"""Compare what a cell showed with its reference: every number to what it can repeat, everything else to the letter.

This is the one place where it is decided how far a number may move from machine to machine. The rule follows from how
the number is printed, or from what its claim publishes:

- ``value ± error`` is sampled. It may move by `PART` of its error, the error by `PART` of itself.
- ``k/n`` and ``k of n`` are counts. A tie can fall either way: `k` may move by one where `n` is at least `MANY`.
- ``62 %`` and every number with decimals is rounded. It may move by one unit of the last digit that is printed.
- A size below `RESIDUAL` is roundoff. It is compared with that bound, and ``< 1e-10`` is such a number.
- Any other whole number is exact.
- A figure is compared by what is drawn where: centres, ends and corners may move by `SHIFT` of their axis.
- A claim is compared case by case, not by the case that happens to be the worst: with a standard error as a sampled
  number, without one to the four digits that its card shows, and as a residual to the bound that it was checked with.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mtlbook_lib.notebook._mime import CLAIM as CLAIM_MIME
from mtlbook_lib.notebook._mime import FIGURE as FIGURE_MIME

PART = 0.25  # of a standard error
MANY = 20
RESIDUAL = 1e-7  # the square root of what float64 resolves, and a little more: the angle between equal directions
DIGITS = 4  # of a claim's numbers
LARGEST_RESIDUAL_BOUND = 1e-3  # an upper bound up to this is a claim that something vanishes

SHIFT = 0.05  # of the length of an axis
# The tests of the site look at widgets. Of a slider is compared what its first frame, its last and the one shown first
# draw and say; of other widgets nothing.
WIDGET = "application/vnd.jupyter.widget-view+json"

# A number inside text; one glued to a letter or underscore (as in "W21" or "t_2") is part of a name.
_NUMBER = r"[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_0-9])"
NUMBER = re.compile(
    rf"(?P<bound><\s*)?(?<![A-Za-z_0-9.])(?P<value>{_NUMBER})"
    rf"(?:\s*±\s*(?P<error>{_NUMBER})|\s*(?P<of>/|of)\s*(?P<total>\d+)(?![\d.])|\s*(?P<percent>%))?"
)
REMEDY = (
    "Was the chapter meant to show something else now? Then look at the change and rewrite its reference with "
    '`make references CHAPTERS="..."`. Was nothing changed, but the machine is new? Then please report this cell with '
    "the processor and the versions: a number that another machine cannot repeat should be printed with its error."
)


@dataclass(frozen=True)
class Shown:
    """One output: its text and, where it is a claim or a figure, what that publishes."""

    text: str
    claim: dict[str, Any] | None = None
    figure: list[dict[str, Any]] | None = None


def shown(outputs: list[Any]) -> list[Shown]:
    """The outputs that are compared: streams, and displayed objects that have a text.

    A kernel may send what a cell prints in several pieces, before or after what it displays, depending on how fast it
    runs: all that is printed is one text, which comes first.
    """
    printed = "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")
    data = [output.get("data", {}) for output in outputs]
    displayed = [
        Shown(_tidy("".join(one["text/plain"])), one.get(CLAIM_MIME), one.get(FIGURE_MIME))
        for one in data
        if "text/plain" in one and (WIDGET not in one or FIGURE_MIME in one)
    ]
    return [Shown(_tidy(printed)), *displayed] if printed.strip() else displayed


def differences(measured: list[Shown], reference: list[Shown]) -> list[str]:
    """One line for each place where outputs and reference differ; empty when they agree."""
    if len(measured) != len(reference):
        texts = [[output.text for output in outputs] for outputs in (measured, reference)]
        return [f"{len(measured)} outputs, but the reference has {len(reference)}: {texts[0]} against {texts[1]}"]
    found = [line for new, old in zip(measured, reference, strict=True) for line in _differences(new, old)]
    return [*found, REMEDY] if found else []


def _differences(new: Shown, old: Shown) -> Iterator[str]:
    if new.claim and old.claim and "cases" in new.claim and "cases" in old.claim:
        yield from _claim_differences(new.claim, old.claim)
        return
    yield from _text_differences(new.text, old.text)
    if old.figure is not None:
        yield from _figure_differences(new.figure or [], old.figure)


def _figure_differences(new: list[dict[str, Any]], old: list[dict[str, Any]]) -> Iterator[str]:
    """Where other things are drawn, or elsewhere."""
    if len(new) != len(old):
        yield f"{len(new)} panels are drawn, the reference has {len(old)}"
    for number, (now, then) in enumerate(zip(new, old, strict=False), start=1):
        yield from _text_differences(now.get("alt", ""), then.get("alt", ""))
        for name, a, b in zip("xy", now["ends"], then["ends"], strict=True):
            if max(abs(p - q) for p, q in zip(a, b, strict=True)) > SHIFT * max(abs(b[1] - b[0]), 1e-12):
                yield f"panel {number}: the {name} axis is from {a[0]:g} to {a[1]:g}, not from {b[0]:g} to {b[1]:g}"
        if [len(place) for place in now["places"]] != [len(place) for place in then["places"]]:
            yield f"panel {number}: {len(now['places'])} things are drawn, the reference has {len(then['places'])}"
            continue
        for which, (a, b) in enumerate(zip(now["places"], then["places"], strict=True), start=1):
            if max((abs(p - q) for p, q in zip(a, b, strict=True)), default=0) > SHIFT:
                yield f"panel {number}: what is drawn as number {which} lies at {a}, the reference has {b}"


def _text_differences(new: str, old: str) -> Iterator[str]:
    numbers_now, numbers_then = list(NUMBER.finditer(new)), list(NUMBER.finditer(old))
    if _words(new) != _words(old):
        yield f"the text differs:\n  now:       {new}\n  reference: {old}"
        return
    for a, b in zip(numbers_now, numbers_then, strict=True):
        rule = _broken(a, b)
        if rule:
            yield f"{a[0].strip()} instead of {b[0].strip()} ({rule}) in: {_line(old, b.start())}"


def _broken(new: re.Match[str], old: re.Match[str]) -> str | None:
    """The rule that a number breaks."""
    a, b = _value(new["value"]), _value(old["value"])
    if abs(a) <= RESIDUAL and abs(b) <= RESIDUAL:
        return None
    unit = max(_unit(new["value"]), _unit(old["value"]))
    if old["error"]:
        error, unit = _value(old["error"]), max(unit, _unit(old["error"]))
        moved = abs(_value(new["error"]) - error)
        if abs(a - b) > PART * error + _rounding(unit) or moved > PART * error + _rounding(unit):
            return f"a sampled number may move by {PART:g} of its standard error"
        return None
    if old["of"] and "." not in old["value"]:
        near = new["total"] == old["total"] and abs(a - b) <= (int(old["total"]) >= MANY)
        return None if near else f"a count may move by one tie, and only out of {MANY} or more"
    if old["percent"] or not _whole(old["value"]) or not _whole(new["value"]):
        near = abs(a - b) <= _rounding(unit)
        return None if near else "a rounded number may move by one unit of its last digit"
    return None if a == b else "a whole number must be equal"


def _claim_differences(new: dict[str, Any], old: dict[str, Any]) -> Iterator[str]:
    """Where a claim's cases differ."""
    name = old["id"]
    for key in ("id", "verdict", "judged"):
        if new[key] != old[key]:
            yield f"claim {name}: {key} is {new[key]!r}, the reference has {old[key]!r}"
            return
    floor = _floor(old)
    for part, cases in old["cases"].items():
        now = new["cases"].get(part)
        if now is None or now["n"] != cases["n"]:
            yield f"claim {name}, {part}: {now and now['n']} cases instead of {cases['n']}"
            continue
        for column in ("measured", "expected", "standard_error"):
            yield from _column_differences(f"claim {name}, {part}, {column}", now, cases, column, floor)


def _column_differences(
    where: str, new: dict[str, Any], old: dict[str, Any], column: str, floor: float
) -> Iterator[str]:
    if (new[column] is None) != (old[column] is None):
        yield f"{where}: there in one and not in the other"
        return
    errors = old["standard_error"] or [None] * len(old["measured"])
    for case, (a, b, error) in enumerate(zip(new[column] or [], old[column] or [], errors, strict=False), start=1):
        allowed = floor + 10.0 ** (_exponent(b) - DIGITS + 1) + (PART * error if error else 0.0)
        if abs(a - b) > allowed:
            yield f"{where}: {a:g} instead of {b:g} in case {case} of {old['n']}; it may move by {allowed:.2g}"


def _floor(claim: dict[str, Any]) -> float:
    """The size below which the numbers of a claim are roundoff."""
    if claim["kind"] == "relative":
        return 0.0  # such a claim is about the size of small numbers
    bound = claim["tolerance"]
    if claim["kind"] == "at-most" and 0 < bound <= LARGEST_RESIDUAL_BOUND:
        return max(RESIDUAL, bound)
    return RESIDUAL


def _words(text: str) -> str:
    """The text without its numbers, and without the padding that depends on how long they are."""
    return re.sub(r"(?<=\[) | (?=\])", "", re.sub(r"\s+", " ", NUMBER.sub(_skeleton, text)))


def _skeleton(number: re.Match[str]) -> str:
    bound = number["bound"] if number["bound"] and abs(_value(number["value"])) > RESIDUAL else ""
    rest = " ± #" if number["error"] else f"{number['of']}#" if number["of"] else number["percent"] or ""
    return f"{bound or ''}#{rest}"


def _line(text: str, position: int) -> str:
    return text[text.rfind("\n", 0, position) + 1 :].split("\n", 1)[0]


def _rounding(unit: float) -> float:
    return unit * (1 + 1e-9)


def _whole(text: str) -> bool:
    return not set(text) & set(".eE")


def _unit(text: str) -> float:
    """One unit of the last digit of a printed number."""
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _exponent(value: float) -> int:
    return math.floor(math.log10(abs(value))) if value else -DIGITS


def _value(text: str) -> float:
    return float(text.replace("−", "-"))


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
