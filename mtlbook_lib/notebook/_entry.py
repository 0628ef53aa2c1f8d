"""Fields of an entry of the register, their values, and which of them a verdict needs."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mtlbook_lib._checks import Array
from mtlbook_lib._fields import Checked
from mtlbook_lib.notebook import _promise

PAPERS = {
    "lampinen-ganguli": "Lampinen & Ganguli (2019)",
    "lee-ndirango": "Lee & Ndirango (2019)",
    "wu-zhang-re": "Wu, Zhang & Ré (2020)",
    "lindsey-lippl": "Lindsey & Lippl (2023)",
    "beyond": "Beyond the papers",
}
KINDS = ("close", "relative", "z-score", "exceeds", "at-most", "at-least", "range")
VERDICTS = ("holds", "holds as corrected", "holds in part", "fails", "not checked")
# What the sentence rests on: a theorem with its regime, an argument with a step unproved, or what was seen alone.
STATUSES = ("proved", "derived", "measured")
STATISTICAL = ("z-score", "exceeds")  # the kinds that need a standard error and may have an allowance
BOUNDS = ("at-most", "at-least", "range")  # the kinds that compare a measured value with the tolerance alone

SYMBOLS = {"holds": "✓", "holds as corrected": "✓*", "holds in part": "◐", "fails": "✗", "not checked": "–"}
# What a measurement says beside the verdict on record. The last five are shown in place of it.
AGREES = "agrees"
NOT_JUDGED = "not judged at this size"  # by the quick profile
TOO_COARSE = "not judged in single precision"
TOO_FEW = "too few seeds to judge"
OTHERWISE = "your run says otherwise"
ELSEWHERE = "your run is another case"

STANDARD_ERRORS = 4.0  # laxer than this needs a reason: more for a z-score, fewer for exceeds
FEWEST, MOST = 2.0, 10.0  # no reason is good enough for standard errors outside these
# The quantities of the book are of order one, a few of its counts and times of order ten: nothing larger is a check.
LARGEST = {"close": 1.0, "relative": 1.0, "at-most": 100.0, "at-least": 100.0, "range": 100.0}
LARGEST_ALLOWANCE = 1.0
LARGEST_RESOLVES = 100.0  # where it is a number; a fraction is at most 100 %

MISSED = VERDICTS[1:4]  # what does not hold as it stands
# What a correction corrects: something that one would use; a step of a proof; a slip that the paper itself has right
# elsewhere, so that nothing follows from it.
WEIGHTS = ("result", "proof", "misprint")
# On what a paper's statement was judged, where that is not the paper's setting. An experiment that was not run is not
# checked; what its stand-in shows is the outcome beside it.
JUDGED_ON = {"reduced size": "at reduced size", "other data": "on other data"}
OUTCOMES = ("holds", "holds in part", "fails")
# What a run has to compute in, where single precision cannot decide: in it the claim is not judged.
PRECISIONS = ("double",)

_REQUIRED = ("id", "paper", "place", "verdict")
TEXTS = ("statement", "printed", "holds", "scope", "quantity", "why", "wider", "reason", "conditions")
_MORE = ("check", "tolerance", "allowance", "resolves", "sampled", "status", "proof", "supports", "at", "precision")
_FIELDS = (*_REQUIRED, *_MORE, *TEXTS, "weight", "judged_on", "outcome")
_OPTIONS = (
    ("paper", tuple(PAPERS)),
    ("check", KINDS),
    ("verdict", VERDICTS),
    ("status", STATUSES),
    ("judged_on", tuple(JUDGED_ON)),
    ("outcome", OUTCOMES),
    ("weight", WEIGHTS),
    ("precision", PRECISIONS),
)
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PROOF = re.compile(r"(thm|prop|rem|eq)-[a-z0-9]+(-[a-z0-9]+)*")  # a label of the claim's own chapter
_PATTERNS = (
    ("id", _ID, "noise-spectrum-edge"),
    ("proof", _PROOF, "thm-marchenko-pastur"),
    ("supports", _ID, "noise-spectrum-edge"),
)


@dataclass(frozen=True)
class Resolution(Checked):
    """How small a deviation a check would have seen: a size, or a fraction of the number that it is relative to."""

    size: float
    relative: bool

    def at(self, scale: Array) -> Array:
        """The deviation for each case; `scale` holds the numbers that a fraction is relative to."""
        return abs(scale) * self.size if self.relative else 0.0 * scale + self.size

    def __str__(self) -> str:
        return f"{100 * self.size:g} %" if self.relative else f"{self.size:g}"


def is_head(entry: Any) -> bool:
    """Whether an entry is no claim, but says what the claims of its chapter share: conditions, and precision."""
    return isinstance(entry, dict) and "conditions" in entry and "id" not in entry


def head_problems(head: dict[str, Any]) -> Iterator[str]:
    """Problems of an entry that states conditions, one message each."""
    text = head["conditions"]
    if head.keys() - {"conditions", "precision"} or not isinstance(text, str) or not text.strip():
        must = "must hold conditions, as text, alone or with precision"
        yield f"conditions: their entry {must}; got {', '.join(head)}: {text!r}"


def problems(entry: Any) -> Iterator[str]:
    """Everything that is wrong with one entry."""
    if not isinstance(entry, dict):
        yield f"must be a mapping of fields; got {entry!r}"
        return
    yield from (f"unknown field {key!r}; the fields are {', '.join(_FIELDS)}" for key in entry if key not in _FIELDS)
    yield from (f"{key} is missing" for key in _REQUIRED if entry.get(key) in (None, "", []))
    yield from _values(entry)
    yield from _wording(entry)
    yield from _judged(entry)
    yield from _sizes(entry)
    yield from _seeds(entry)
    yield from _due(entry)
    yield from _promised(entry)
    if asserted(entry) != "not checked":
        yield from _checked(entry)
    if (entry.get("verdict") == "not checked") != ("reason" in entry):
        yield "reason (the missing datum, or the measured cost) is due for verdict 'not checked', and for no other"


def said(entry: dict[str, Any]) -> str:
    """The claim in words: what a paper prints and is missed as it stands, or else the statement."""
    return str(entry.get("printed", entry.get("statement", ""))).strip()


def asserted(entry: dict[str, Any]) -> str:
    """The verdict that a check asserts, or the outcome in another setting, where the paper's was not run."""
    return str(entry.get("outcome", entry.get("verdict")))


def remark(weight: str = "", judged_on: str = "", outcome: str = "") -> str:
    """Words behind a verdict: the weight of a correction, and on what it was judged."""
    where = f", {JUDGED_ON[judged_on]}" if judged_on else ""
    return (f": {weight}" if weight else "") + where + (f": {outcome}" if outcome else "")


def _judged(entry: dict[str, Any]) -> Iterator[str]:
    where, verdict, outcome = entry.get("judged_on"), entry.get("verdict"), entry.get("outcome")
    if where and entry.get("paper") == "beyond":
        yield "judged_on belongs to the statement of a paper: ours is about what was run"
    if outcome and not (where and verdict == "not checked"):
        yield "outcome belongs to verdict 'not checked' with judged_on: it is what was seen in that other setting"
    elif where and verdict == "not checked" and not outcome:
        yield f"judged_on {where!r} needs an outcome beside 'not checked': {', '.join(OUTCOMES)}"
    elif verdict in {"other data": VERDICTS[:4], "reduced size": ("fails",)}.get(str(where), ()):
        yield f"verdict {verdict!r} is not earned with judged_on {where!r}: 'not checked', and this as its outcome"


def _wording(entry: dict[str, Any]) -> Iterator[str]:
    """What a paper prints, and what holds, have fields of their own, so that neither can stand for the other."""
    verdict, of_paper = entry.get("verdict"), entry.get("paper") != "beyond"
    mine, other = ("printed", "statement") if of_paper and verdict in MISSED else ("statement", "printed")
    if other in entry:
        whose = "of a paper that is" if of_paper else "of ours that is"
        yield f"{other} does not belong to a statement {whose} recorded as {verdict!r}: say it in {mine}"
    elif not entry.get(mine):
        yield f"{mine} is missing" + (" (what the paper prints, in our words)" if mine == "printed" else "")
    due = {"holds as corrected": "the right form", "holds in part": "where the statement holds"}
    found = asserted(entry)
    if found in due and "holds" not in entry:
        yield f"verdict {found!r} needs holds ({due[found]})"
    if "holds" in entry and found in VERDICTS and found not in MISSED:
        yield f"holds belongs to a statement that is missed, not to verdict {verdict!r}"
    if ("weight" in entry) != (verdict == "holds as corrected"):
        yield f"weight ({', '.join(WEIGHTS)}) is due for verdict 'holds as corrected', and for no other"


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


def resolution(value: Any) -> Resolution:
    """A number in the units of the statement, or text such as "2 %"."""
    if isinstance(value, str) and value.rstrip().endswith("%"):
        return Resolution(number(value.rstrip().removesuffix("%")) / 100, relative=True)
    return Resolution(number(value), relative=False)


def _values(entry: dict[str, Any]) -> Iterator[str]:
    for key, options in _OPTIONS:
        if key in entry and entry[key] not in options:
            yield f"unknown {key} {entry[key]!r}; it must be one of {', '.join(options)}"
    for key, pattern, example in _PATTERNS:
        if entry.get(key) and not (isinstance(entry[key], str) and pattern.fullmatch(entry[key])):
            yield f"{key} must look like {example!r}; got {entry[key]!r}"
    if "proof" in entry and entry.get("status") != "proved":
        yield f"proof belongs to status 'proved', not to {entry.get('status')!r}"
    for key in TEXTS:
        if key in entry and not (isinstance(entry[key], str) and entry[key].strip()):
            yield f"{key} must be text; got {entry[key]!r}"
    if "supports" in entry and (entry.get("paper"), entry.get("verdict")) != ("beyond", "holds"):
        yield "supports belongs to a statement of ours that holds: what a paper states, and what is missed, has a card"
    yield from _cases(entry.get("at", {}))
    place = entry.get("place")
    if place and not (isinstance(place, list) and all(isinstance(p, str) and p.strip() for p in place)):
        yield f"place must be a list such as [Fig. 8, App. D]; got {place!r}"


def settings(value: dict[str, Any]) -> dict[str, tuple[float, ...]]:
    """Where a claim is measured: by name of what varies, the values of its cases."""
    return {name: tuple(map(number, one if isinstance(one, list) else [one])) for name, one in value.items()}


def _cases(value: Any) -> Iterator[str]:
    if not isinstance(value, dict) or not all(isinstance(name, str) and name for name in value):
        yield f"at must name what varies, such as {{ratio: 1}}; got {value!r}"
        return
    try:
        settings(value)
    except ValueError as error:
        yield f"at {error}"


def _checked(entry: dict[str, Any]) -> Iterator[str]:
    if "check" not in entry:
        yield f"check is missing; it must be one of {', '.join(KINDS)}"
    if "tolerance" not in entry:
        yield "tolerance is missing"
    if "why" not in entry:
        yield "why is missing: say why the tolerance has this size"


def _due(entry: dict[str, Any]) -> Iterator[str]:
    if entry.get("check") in STATISTICAL:
        if "resolves" not in entry:
            yield f"check {entry['check']!r} needs resolves"
        if not {"scope", "conditions"} & entry.keys():
            yield f"check {entry['check']!r} needs scope"  # or the conditions of its chapter


def _promised(entry: dict[str, Any]) -> Iterator[str]:
    """The sentence may not promise less than the check accepts; numbers that cannot be read are told elsewhere."""
    try:
        width = tolerance(entry["tolerance"]) if "tolerance" in entry else None
        seen = resolution(entry["resolves"]) if "resolves" in entry else None
    except ValueError:
        return
    yield from _promise.problems(entry, width, seen)


def _seeds(entry: dict[str, Any]) -> Iterator[str]:
    kind = entry.get("check")
    if "sampled" in entry and not isinstance(entry["sampled"], bool):
        yield f"sampled must be true or false; got {entry['sampled']!r}"
    if "sampled" in entry and kind in STATISTICAL:
        yield f"sampled does not belong to {kind!r}, which always depends on the number of seeds"
    for key in ("allowance", "resolves", "wider"):
        if key in entry and kind in KINDS and kind not in STATISTICAL:
            yield f"{key} belongs to {' and '.join(STATISTICAL)}, not to {kind!r}"


def _sizes(entry: dict[str, Any]) -> Iterator[str]:
    if "tolerance" in entry and entry.get("check") in KINDS:
        yield from _tolerance(entry["check"], entry["tolerance"], "wider" in entry)
    allowance = entry.get("allowance", 0.0)
    wrong = list(_allowance(allowance))
    yield from wrong
    if "resolves" in entry:
        yield from _resolves(entry["resolves"], 0.0 if wrong else number(allowance))


def _tolerance(kind: str, value: Any, explained: bool) -> Iterator[str]:
    try:
        size = tolerance(value)
    except ValueError as error:
        yield f"tolerance {error}"
        return
    ends = size if isinstance(size, tuple) else (size,)
    if kind == "range" and (len(ends) == 1 or ends[0] >= ends[1]):
        yield f"tolerance of a range must be [low, high] with low < high; got {value!r}"
    elif kind != "range" and len(ends) == 2:
        yield f"tolerance of {kind!r} must be one number; got {value!r}"
    elif kind in STATISTICAL:
        yield from _standard_errors(kind, ends[0], explained)
    elif kind not in BOUNDS and ends[0] <= 0:
        yield f"tolerance of {kind!r} must be greater than 0; got {value!r}"
    elif max(map(abs, ends)) > LARGEST[kind]:
        yield f"tolerance of {kind!r} must be at most {LARGEST[kind]:g} in size; got {value!r}"


def _standard_errors(kind: str, size: float, explained: bool) -> Iterator[str]:
    lax = size > STANDARD_ERRORS if kind == "z-score" else size < STANDARD_ERRORS
    if not FEWEST <= size <= MOST:
        yield f"tolerance of {kind!r} must be {FEWEST:g} to {MOST:g} standard errors; got {size:g}"
    elif lax and not explained:
        yield f"tolerance of {kind!r} is laxer than {STANDARD_ERRORS:g} standard errors; give the reason in wider"
    elif explained and not lax:
        yield f"wider explains a tolerance that is laxer than {STANDARD_ERRORS:g} standard errors; got {size:g}"


def _allowance(value: Any) -> Iterator[str]:
    try:
        if not 0 <= number(value) <= LARGEST_ALLOWANCE:
            yield f"allowance must be 0 or greater, and at most {LARGEST_ALLOWANCE:g}; got {value!r}"
    except ValueError as error:
        yield f"allowance {error}"


def _resolves(value: Any, allowance: float) -> Iterator[str]:
    try:
        found = resolution(value)
        largest = 1.0 if found.relative else LARGEST_RESOLVES
        if not 0 < found.size <= largest:
            yield f"resolves must be greater than 0 and at most {Resolution(largest, found.relative)}; got {value!r}"
        elif not found.relative and found.size <= allowance:
            yield f"resolves must be greater than the allowance, {allowance:g}; got {value!r}"
    except ValueError as error:
        yield f"resolves {error}"
