"""How the outcome of a claim reads: one or two lines of text, and a card of HTML.

Numbers are rounded and roundoff is shown as a bound, so that the same chapter reads the same on every machine.
"""

import re
from html import escape

from mtlbook_lib.notebook._entry import (
    AGREES,
    BOUNDS,
    ELSEWHERE,
    JUDGED_ON,
    NOT_JUDGED,
    OTHERWISE,
    PAPERS,
    STATISTICAL,
    SYMBOLS,
    TOO_COARSE,
    TOO_FEW,
    remark,
)
from mtlbook_lib.notebook.comparison import Comparison
from mtlbook_lib.notebook.register import Claim

ROUNDOFF = 1e-10  # differences below this are shown as a bound
# The page's style sheet has these and a second set for its dark theme; the card brings them to every other notebook.
COLOURS = {
    "holds": "#00662f",
    "holds as corrected": "#0b4f74",
    "holds in part": "#6a4a00",
    "fails": "#a3123a",
    "not checked": "#48566b",
    NOT_JUDGED: "#48566b",
    TOO_COARSE: "#48566b",
    TOO_FEW: "#48566b",
    OTHERWISE: "#a3123a",
    ELSEWHERE: "#48566b",
}
SIGNS = {NOT_JUDGED: "–", TOO_COARSE: "–", TOO_FEW: "–", OTHERWISE: "≠", ELSEWHERE: "–"}
UNDECIDED = (NOT_JUDGED, TOO_COARSE)  # findings of a run that cannot decide
COLUMNS = ("measured", "expected", "deviation", "allowed", "seen from", "case")
_MATH = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


def text(
    claim: Claim, comparison: Comparison, contrast: Comparison | None, finding: str = AGREES, elsewhere: str = ""
) -> str:
    """The outcome in plain text; `elsewhere` says at which other case it was measured."""
    seen = "" if comparison.seen is None else f"; would have seen {number(comparison.seen)}"
    numbers = f"{_numbers(claim, comparison)} ({_required(claim, comparison.of)}{seen})"
    lines = [f"{claim.id}: {_told(claim, finding)}{f', at {elsewhere}' if elsewhere else ''}: {numbers}"]
    if contrast is not None and finding not in UNDECIDED:
        lines.append(f"{_contrast_name(claim)}: {_numbers(claim, contrast)}")
    return "\n".join(lines)


def html(
    claim: Claim, comparison: Comparison, contrast: Comparison | None, finding: str = AGREES, elsewhere: str = ""
) -> str:
    """The outcome as a card; on a page the classes ``mtl-claim`` and ``mtl-verdict-...`` give its colours.

    Its badge is what this measurement shows: the verdict on record only where the two agree.
    """
    shown = claim.verdict if finding == AGREES else finding
    colour = f"var(--mtl-verdict,{COLOURS[shown]})"
    symbol = SYMBOLS[claim.verdict] if finding == AGREES else SIGNS[finding]
    identity = escape(claim.id)
    # The build typesets the formulas of a page; the class asks MathJax to do it where a notebook is shown by itself.
    # What only supports another claim has no card on a page: the build puts it into the fold of that claim.
    check = f' data-supports="{escape(claim.supports)}"' if claim.supports else ""
    why = remark(claim.weight, claim.judged_on, claim.outcome) if finding == AGREES else ""
    instead = JUDGED_ON[claim.judged_on].capitalize() if claim.outcome else "Instead"
    return (
        f'<div class="mtl-claim mtl-verdict-{shown.replace(" ", "-")} tex2jax_process mathjax_process" '
        f'id="claim-{identity}"{check} role="group" aria-label="Claim {identity}: {shown}" '
        f'style="border-left:.3rem solid {colour};margin:.5rem 0;padding:.5rem .75rem">'
        f'<p class="mtl-claim-statement">{_badge(shown, symbol, why)} '
        f'<span class="mtl-claim-source">{_lead(claim)}.</span> {_prose(claim.statement)}</p>'
        + (f'<p class="mtl-claim-correction">{instead}: {_prose(claim.holds)}</p>' if claim.holds else "")
        + _against_record(claim, comparison, contrast, finding, elsewhere)
        + _details(claim, comparison, contrast if finding not in UNDECIDED else None)
        + "</div>"
    )


def _badge(words: str, symbol: str, why: str = "") -> str:
    style = f"background:var(--mtl-verdict,{COLOURS[words]});color:var(--mtl-on-verdict,#fff)"
    return (
        f'<strong class="mtl-verdict" style="{style};padding:.05rem .5rem;border-radius:.25rem">'
        f'<span aria-hidden="true">{symbol}</span> {words}{why}</strong>'
    )


def _told(claim: Claim, finding: str) -> str:
    """What the line of text says first: the verdict, or what stands in its way."""
    known = {AGREES: claim.judged} | {one: one for one in UNDECIDED}
    return known.get(finding, f"{finding} (on record: {claim.judged})")


def _against_record(claim: Claim, c: Comparison, contrast: Comparison | None, finding: str, elsewhere: str) -> str:
    """Beside a badge that is not the verdict on record: the record, the numbers of this run, and what decides."""
    if finding == AGREES:
        return ""
    record = f"On record: {SYMBOLS[claim.verdict]} {claim.judged}."
    if finding == NOT_JUDGED:
        words = _too_small(claim, c)
    elif finding == TOO_COARSE:
        words = "Single precision cannot decide this claim: it needs MTLBOOK_DTYPE=float64."
    elif finding == ELSEWHERE:
        words = f"This run is at {_prose(elsewhere)}, which says nothing of the claim: {_prose(_numbers(claim, c))}."
    elif finding == TOO_FEW:
        blind = c if not c.resolved or contrast is None else contrast
        seen, needed = _size(blind.seen), _size(blind.resolves)
        words = f"This run would have seen {seen}; the claim needs {needed}: take more seeds."
    elif contrast is not None and c.met and claim.asserted != "fails":
        words = f"This run: the statement is met, but {_contrast_name(claim)} too: {_prose(_numbers(claim, contrast))}."
    else:
        met = "met" if c.met else "missed" if c.missed else "neither met nor missed"
        words = f"This run: the statement is {met}: {_prose(_numbers(claim, c))}."
    return f'<p class="mtl-claim-record">{words} {record}</p>'


def _size(value: float | None) -> str:
    return "no deviation" if value is None else f"a deviation of {number(value)}"


def count(share: float, of: int) -> str:
    """How many of how many, where a check counts."""
    return f"{round(share * of)} of {of}"


def number(value: float, cutoff: float = 0.0) -> str:
    """`value` to four significant digits, or a bound where it is smaller in size than `cutoff`."""
    if abs(value) < cutoff:
        return f"< {cutoff:g}"
    return f"{value + 0.0:.4g}"


def _numbers(claim: Claim, c: Comparison) -> str:
    """The numbers of one comparison, and the number of cases."""
    parts = [] if _is_roundoff_of_many(claim, c) else [_measured(claim, c)]
    if c.z is not None:
        parts.append(_z(claim, c.z))
    elif c.deviation is not None:
        parts.append(_difference(claim, c))
    if c.n_cases > 1:
        named = "" if _is_roundoff_of_many(claim, c) else f" (case {c.case})"
        parts.append(f"worst of {c.n_cases} cases{named}" + (f", {c.n_missed} missed" if c.n_missed else ""))
    return ", ".join(parts)


def _difference(claim: Claim, c: Comparison) -> str:
    kind = "relative difference" if claim.check == "relative" else "difference"
    return f"{kind} {number(abs(c.deviation or 0.0), _cutoff(claim))}"


def _measured(claim: Claim, c: Comparison) -> str:
    """The measured value with its standard error, and what it is compared with."""
    # A relative check is about the size of small numbers, so they are not hidden behind a bound.
    cutoff = 0.0 if claim.check == "relative" else _cutoff(claim)
    error = "" if c.standard_error is None else f" ± {c.standard_error:.2g}"
    name = f"{claim.quantity}:" if claim.quantity else "measured"
    value = number(c.measured, cutoff) if c.of is None else count(c.measured, c.of)
    measured = f"{name} {value}{error}"
    if c.expected is None:
        return measured
    relation = "to exceed" if claim.check == "exceeds" else "expected"
    return f"{measured}, {relation} {'0' if abs(c.expected) < cutoff else number(c.expected)}"


def _is_roundoff_of_many(claim: Claim, c: Comparison) -> bool:
    """Which of many cases is the worst is chance when all differ by roundoff: its numbers are then left out."""
    return c.n_cases > 1 and c.z is None and c.deviation is not None and abs(c.deviation) < _cutoff(claim)


def _cutoff(claim: Claim) -> float:
    if claim.check == "at-most" and claim.tolerance == 0:
        return 0.0  # what must not be there at all is counted, and none of it reads 0
    if claim.check in ("close", "relative", "at-most") and isinstance(claim.tolerance, float) and claim.tolerance > 0:
        return min(ROUNDOFF, claim.tolerance)
    return ROUNDOFF


def _z(claim: Claim, z: float) -> str:
    size = f"{round(z, 2) + 0.0:.2f}" if abs(z) < 100 else f"{z:.4g}"
    return f"z = {size}{' beyond the allowance' if claim.allowance else ''}"


def _required(claim: Claim, of: int | None = None) -> str:
    """What the check asks for; of a count the share that it may be."""
    if of is not None:
        ends = claim.tolerance if isinstance(claim.tolerance, tuple) else (claim.tolerance or 0.0,)
        kind = "" if claim.check == "range" else f"{(claim.check or '').replace('-', ' ')} "
        return f"required: {kind}{' to '.join(number(100 * end) for end in ends)} %"
    if isinstance(claim.tolerance, tuple):
        return f"required: {number(claim.tolerance[0])} to {number(claim.tolerance[1])}"
    size = number(claim.tolerance or 0.0)
    if claim.check in BOUNDS:
        return f"required: {(claim.check or '').replace('-', ' ')} {size}"
    if claim.check in STATISTICAL:
        size += " standard errors" + (f" + {number(claim.allowance)}" if claim.allowance else "")
    return f"tolerance {size}"


def _contrast_name(claim: Claim) -> str:
    return "as printed" if claim.asserted == "holds as corrected" else "outside its part"


def _too_small(claim: Claim, comparison: Comparison) -> str:
    """Why the quick profile gives no verdict."""
    if claim.check not in STATISTICAL:
        why = "the value depends on the number of seeds"
    elif claim.resolves is None:
        why = "the register does not say which deviation the check has to see"
    else:
        why = f"its standard error{' outside its part' if comparison.resolved else ''} is too large"
    return f"The quick profile cannot decide this claim: {why}."


def _details(claim: Claim, c: Comparison, contrast: Comparison | None) -> str:
    """What a reader who doubts needs: the numbers, what it was tested for, why so, and the row of the scoreboard."""
    row = f"{'../' * claim.chapter.count('/')}reference/scoreboard.html#claim-row-{escape(claim.id)}"
    reasons = [claim.why, f"Wider because: {claim.wider}" if claim.wider else ""]
    reasons += ["Simulated in double precision, which it needs." if claim.precision else ""]
    reasons += [f"Not checked in the paper's setting: {claim.reason}" if claim.reason else ""]
    return (
        '<details class="mtl-claim-how"><summary>How it was checked</summary>'
        + _table(claim, {"": c} if contrast is None else {"": c, _contrast_name(claim): contrast})
        + (f'<p class="mtl-claim-scope">{_scope(claim)}</p>' if claim.scope or claim.conditions else "")
        + f'<p class="mtl-claim-why">{" ".join(_prose(reason) for reason in reasons if reason)}</p>'
        f'<p class="mtl-claim-place"><a href="{row}"><code>{escape(claim.id)}</code></a></p></details>'
    )


def _table(claim: Claim, rows: dict[str, Comparison]) -> str:
    """Measured, expected, allowed, and from which size on a deviation would have been seen."""
    cells = {name: _cells(claim, c) for name, c in rows.items()}
    columns = [name for name in COLUMNS if any(found.get(name) for found in cells.values())]
    corner = "<td></td>" * (len(rows) > 1)
    head = corner + "".join(f'<th scope="col">{name}</th>' for name in columns)
    body = "".join(
        "<tr>"
        + (f'<th scope="row">{name or "the statement"}</th>' if len(rows) > 1 else "")
        + "".join(f"<td>{found.get(column, '')}</td>" for column in columns)
        + "</tr>"
        for name, found in cells.items()
    )
    quantity = f"<caption>{_prose(claim.quantity[:1].upper() + claim.quantity[1:])}</caption>" if claim.quantity else ""
    return f'<table class="mtl-claim-numbers">{quantity}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cells(claim: Claim, c: Comparison) -> dict[str, str]:
    """The numbers of the case that decides, by column."""
    cutoff = 0.0 if claim.check == "relative" else _cutoff(claim)
    error = "" if c.standard_error is None else f" ± {c.standard_error:.2g}"
    found = {"seen from": "" if c.seen is None else number(c.seen), "deviation": "" if c.z is None else _z(claim, c.z)}
    if not _is_roundoff_of_many(claim, c):
        found["measured"] = (number(c.measured, cutoff) if c.of is None else count(c.measured, c.of)) + error
        if c.expected is not None:
            found["expected"] = "0" if abs(c.expected) < cutoff else number(c.expected)
    if c.z is None and c.deviation is not None:
        found["deviation"] = _difference(claim, c)
    if c.allowed is None:
        found["allowed"] = re.sub(r"^(required: |tolerance )", "", _required(claim, c.of))
    elif claim.check == "exceeds":
        found["allowed"] = f"more than {number((c.expected or 0.0) + c.allowed)}"
    else:
        found["allowed"] = f"± {number(c.allowed)}"
    if c.n_cases > 1:
        kind, missed = ("worst", f", {c.n_missed} missed") if c.n_missed else ("nearest to failing", "")
        found["case"] = f"{kind} of {c.n_cases}{missed}"
    return {name: escape(value) for name, value in found.items()}


def _scope(claim: Claim) -> str:
    said = {"Tested for": claim.scope, "Unless said otherwise": claim.conditions}
    return " ".join(f"{lead}: {_prose(words.removesuffix('.'))}." for lead, words in said.items() if words)


def _lead(claim: Claim) -> str:
    """Whose statement it is, and what it rests on, with a link to the theorem or equation that proves it."""
    ours = "Also checked" if claim.supports else "Ours"
    source = ours if claim.paper == "beyond" else f"{PAPERS[claim.paper]}, {', '.join(claim.place)}"
    if claim.proof:
        anchor = f"equation-{claim.proof}" if claim.proof.startswith("eq-") else claim.proof
        return f'{escape(source)} · <a href="#{anchor}">{claim.status}</a>'
    return escape(source + (f" · {claim.status}" if claim.status else ""))


def _prose(words: str) -> str:
    r"""Escaped text where ``$...$`` is a formula (``\(...\)``), ``\$`` a dollar sign and a name in backticks code."""
    return _CODE.sub(r"<code>\1</code>", _MATH.sub(r"\\(\1\\)", escape(words))).replace(r"\$", "$")
