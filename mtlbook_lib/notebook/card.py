"""How the outcome of a claim reads: one or two lines of text, and a card of HTML.

Numbers are rounded and roundoff is shown as a bound, so that the same chapter reads the same on every machine.
"""

from __future__ import annotations

import re
from html import escape

from mtlbook_lib.notebook._entry import BOUNDS, NOT_JUDGED, PAPERS, STATISTICAL, SYMBOLS
from mtlbook_lib.notebook.comparison import Comparison
from mtlbook_lib.notebook.register import Claim

ROUNDOFF = 1e-10  # differences below this are shown as a bound
# The page's style sheet has these and a second set for its dark theme; the card brings them to every other notebook.
COLOURS = {
    "holds": "#00662f",
    "holds as corrected": "#0b4f74",
    "holds in part": "#6a4a00",
    "fails": "#a3123a",
    NOT_JUDGED: "#48566b",
}
SHORT_SCOPE = 120  # characters; a longer scope stands behind "How it was checked"
SURE = "an effect of {} would surely have been seen"
_MATH = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)


def text(claim: Claim, comparison: Comparison, contrast: Comparison | None, judged: bool = True) -> str:
    """The outcome in plain text."""
    required = _required(claim, comparison.of)
    numbers = f"{_numbers(claim, comparison)} ({'; '.join([required, *_sight(claim, 'would have seen {}')])})"
    lines = [f"{claim.id}: {claim.verdict if judged else NOT_JUDGED}: {numbers}"]
    if contrast is not None and judged:
        lines.append(f"{_contrast_name(claim)}: {_numbers(claim, contrast)}")
    return "\n".join(lines)


def html(claim: Claim, comparison: Comparison, contrast: Comparison | None, judged: bool = True) -> str:
    """The outcome as a card; on a page the classes ``mtl-claim`` and ``mtl-verdict-...`` give its colours."""
    verdict = claim.verdict if judged else NOT_JUDGED
    colour = f"var(--mtl-verdict,{COLOURS[verdict]})"
    badge = f"background:{colour};color:var(--mtl-on-verdict,#fff);padding:.05rem .5rem;border-radius:.25rem"
    symbol = SYMBOLS[claim.verdict if judged else "not checked"]
    identity = escape(claim.id)
    scope = f' <span class="mtl-claim-scope">{_scope(claim)}</span>' if 0 < len(claim.scope) <= SHORT_SCOPE else ""
    # The build typesets the formulas of a page; the class asks MathJax to do it where a notebook is shown by itself.
    return (
        f'<div class="mtl-claim mtl-verdict-{verdict.replace(" ", "-")} tex2jax_process mathjax_process" '
        f'id="claim-{identity}" role="group" aria-label="Claim {identity}: {verdict}" '
        f'style="border-left:.3rem solid {colour};margin:.5rem 0;padding:.5rem .75rem">'
        f'<p class="mtl-claim-statement"><strong class="mtl-verdict" style="{badge}">'
        f'<span aria-hidden="true">{symbol}</span> {verdict}</strong> '
        f'<span class="mtl-claim-source">{_lead(claim)}.</span> '
        f"{_prose(claim.statement)}{scope}</p>"
        + (f'<p class="mtl-claim-correction">What holds: {_prose(claim.correction)}</p>' if claim.correction else "")
        + f'<p class="mtl-claim-numbers">{"; ".join([_first(claim, comparison), *_sight(claim, SURE)])}.</p>'
        + (_contrast(claim, contrast) if judged else _too_small(claim, comparison))
        + _details(claim, comparison)
        + "</div>"
    )


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


def _first(claim: Claim, c: Comparison) -> str:
    """The numbers of the card, as HTML: what was measured, and how far from the statement it may be."""
    if c.allowed is not None and claim.check == "exceeds":
        allowed = _needed(c)
    elif c.allowed is not None:
        allowed = f"allowed deviation {number(c.allowed)}"
    else:
        kind = "allowed relative difference" if claim.check == "relative" else "allowed difference"
        allowed = _required(claim, c.of).replace("tolerance", kind)
    return _prose(_capital(_plain(claim, c))) + f"; {escape(allowed)}"


def _needed(c: Comparison) -> str:
    return f"needed more than {number((c.expected or 0.0) + (c.allowed or 0.0))}"


def _plain(claim: Claim, c: Comparison) -> str:
    """The numbers of one comparison for readers: no score, and no case by its number; both stand behind the fold."""
    parts = [] if _is_roundoff_of_many(claim, c) else [_measured(claim, c, claim.check != "exceeds")]
    if c.z is None and c.deviation is not None and (c.expected != 0 or not parts):
        parts.append(_difference(claim, c))
    if c.n_cases > 1:
        kind, missed = ("worst", f", {c.n_missed} missed") if c.n_missed else ("nearest to failing", "")
        parts.append(f"the {kind} of {c.n_cases} cases{missed}")
    return ", ".join(parts)


def _score(claim: Claim, c: Comparison) -> str:
    """What a statistician asks next: the deviation in standard errors, and which case it is."""
    parts = [] if c.z is None else [_z(claim, c.z)]
    if c.n_cases > 1 and not _is_roundoff_of_many(claim, c):
        parts.append(f"case {c.case} of {c.n_cases}")
    return f" ({', '.join(parts)})" if parts else ""


def _sight(claim: Claim, words: str) -> list[str]:
    """How small a deviation the check would have seen, in `words`; nothing where the claim does not say it."""
    return [] if claim.resolves is None else [words.format(claim.resolves)]


def _measured(claim: Claim, c: Comparison, compared: bool = True) -> str:
    """The measured value with its standard error and, unless that is said elsewhere, what it is compared with."""
    # A relative check is about the size of small numbers, so they are not hidden behind a bound.
    cutoff = 0.0 if claim.check == "relative" else _cutoff(claim)
    error = "" if c.standard_error is None else f" ± {c.standard_error:.2g}"
    name = f"{claim.quantity}:" if claim.quantity else "measured"
    value = number(c.measured, cutoff) if c.of is None else count(c.measured, c.of)
    measured = f"{name} {value}{error}"
    if c.expected is None or not compared:
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
    return "as printed" if claim.verdict == "holds as corrected" else "outside its part"


def _contrast(claim: Claim, contrast: Comparison | None) -> str:
    if contrast is None:
        return ""
    printed = claim.verdict == "holds as corrected"
    form = "The printed form fails" if printed else "Outside these conditions the statement fails"
    needed = f"; {_needed(contrast)}" if claim.check == "exceeds" and contrast.allowed is not None else ""
    return f'<p class="mtl-claim-contrast">{form}: {_prose(_plain(claim, contrast) + needed)}.</p>'


def _too_small(claim: Claim, comparison: Comparison) -> str:
    """Why the quick profile gives no verdict."""
    if claim.check not in STATISTICAL:
        why = "the value depends on the number of seeds"
    elif claim.resolves is None:
        why = "the register does not say which deviation the check has to see"
    else:
        why = f"its standard error{' outside its part' if comparison.resolved else ''} is too large"
    words = f"The quick profile cannot decide this claim: {why}. The recorded verdict is: {escape(claim.verdict)}."
    return f'<p class="mtl-claim-contrast">{words}</p>'


def _details(claim: Claim, c: Comparison) -> str:
    """What a reader who doubts needs: source, row of the scoreboard, kind and size of the check, and its reasons."""
    row = f"{'../' * claim.chapter.count('/')}reference/scoreboard.html#claim-row-{escape(claim.id)}"
    check = escape((claim.check or "") + _score(claim, c))
    reasons = [claim.why, f"Wider because: {claim.wider}" if claim.wider else ""]
    return (
        '<details class="mtl-claim-how"><summary>How it was checked</summary>'
        f'<p class="mtl-claim-place"><a href="{row}"><code>{escape(claim.id)}</code></a></p>'
        f'<p class="mtl-claim-why">Check: {check}. {_sentence(_required(claim))} '
        f"{' '.join(_prose(reason) for reason in reasons if reason)}</p>"
        + (f'<p class="mtl-claim-scope">{_scope(claim)}</p>' if len(claim.scope) > SHORT_SCOPE else "")
        + "</details>"
    )


def _scope(claim: Claim) -> str:
    return f"Tested for: {_prose(claim.scope.removesuffix('.'))}."


def _lead(claim: Claim) -> str:
    """Whose statement it is, and what it rests on, with a link to the theorem or equation that proves it."""
    source = "Ours" if claim.paper == "beyond" else f"{PAPERS[claim.paper]}, {', '.join(claim.place)}"
    if claim.proof:
        anchor = f"equation-{claim.proof}" if claim.proof.startswith("eq-") else claim.proof
        return f'{escape(source)} · <a href="#{anchor}">{claim.status}</a>'
    return escape(source + (f" · {claim.status}" if claim.status else ""))


def _sentence(words: str) -> str:
    return f"{escape(_capital(words))}."


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _prose(words: str) -> str:
    r"""Escaped text in which ``$...$`` is a formula (``\(...\)``) and ``\$`` a dollar sign."""
    return _MATH.sub(r"\\(\1\\)", escape(words)).replace(r"\$", "$")
