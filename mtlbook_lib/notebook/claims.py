"""Check a claim of the register by id: the measurement must agree with the recorded verdict, and is shown as a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import bounded, count, instance, mapping
from mtlbook_lib.notebook import _own_run, card, register
from mtlbook_lib.notebook import comparison as comparisons
from mtlbook_lib.notebook._entry import (
    AGREES,
    BOUNDS,
    ELSEWHERE,
    NOT_JUDGED,
    OTHERWISE,
    STATISTICAL,
    TOO_COARSE,
    TOO_FEW,
)
from mtlbook_lib.notebook._mime import CLAIM as MIME_TYPE
from mtlbook_lib.notebook._show import building, quick, reporting, show, single
from mtlbook_lib.notebook.comparison import Comparison, cases
from mtlbook_lib.notebook.register import Claim


class ClaimError(AssertionError):
    """A measurement contradicts the verdict that the register records, or could not have seen a contradiction."""


@dataclass(frozen=True)
class Outcome:
    """A claim with its measurement.

    Attributes
    ----------
    claim : Claim
    comparison : ~mtlbook_lib.notebook.comparison.Comparison
        The statement (for a correction: the corrected one; for "holds in part": where it holds).
    contrast : ~mtlbook_lib.notebook.comparison.Comparison or None
        The comparison that must be missed: the printed value of a correction, or the setting outside the part.
    judged : bool
        The run is large enough to decide (only the quick profile may have runs that are not), and as precise as it
        has to be.
    agrees : bool
        The measurement agrees with the recorded verdict, and would have seen a deviation as small as the claim says.
    cases : dict
        The numbers of the single cases, of the statement and of its contrast.
    elsewhere : str
        Where it was measured, if the claim is about another case.
    """

    claim: Claim
    comparison: Comparison
    contrast: Comparison | None
    judged: bool
    agrees: bool
    cases: dict[str, Any]
    elsewhere: str = ""

    @property
    def finding(self) -> str:
        """Agreement of this measurement with the verdict on record: it agrees, says otherwise, or cannot tell."""
        if self.elsewhere:
            return ELSEWHERE
        if not self.judged or self.agrees:
            return AGREES if self.judged else TOO_COARSE if self.claim.precision and single() else NOT_JUDGED
        parts = [part for part in (self.comparison, self.contrast) if part is not None]
        clear = self.claim.asserted != "fails" and self.comparison.missed
        return OTHERWISE if clear or all(part.resolved for part in parts) else TOO_FEW

    def __str__(self) -> str:
        return card.text(self.claim, self.comparison, self.contrast, self.finding, self.elsewhere)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {
            "text/plain": str(self),
            "text/html": card.html(self.claim, self.comparison, self.contrast, self.finding, self.elsewhere),
            MIME_TYPE: self.record(),
        }

    def record(self) -> dict[str, Any]:
        """The numbers as plain JSON, for the scoreboard."""
        contrast = None if self.contrast is None else asdict(self.contrast)
        tolerance = self.claim.tolerance
        return {
            "id": self.claim.id,
            "verdict": self.claim.asserted,
            "judged": self.judged,
            "agrees": self.agrees,
            "kind": self.claim.check,
            "tolerance": list(tolerance) if isinstance(tolerance, tuple) else tolerance,
            "allowance": self.claim.allowance,
            "scope": self.claim.scope,
            "conditions": self.claim.conditions,
            **asdict(self.comparison),
            "cases": self.cases,
            "printed": contrast if self.claim.asserted == "holds as corrected" else None,
            "outside": contrast if self.claim.asserted == "holds in part" else None,
        }


def check(
    claim_id: str,
    measured: ArrayLike,
    expected: ArrayLike = 0.0,
    *,
    standard_error: ArrayLike | None = None,
    printed: ArrayLike | None = None,
    outside: Sequence[ArrayLike] | None = None,
    of: int | None = None,
    at: Mapping[str, ArrayLike] | None = None,
) -> None:
    r"""Check a registered claim and show the result.

    Parameters
    ----------
    claim_id : str
        The id of an entry of the register, which gives the kind of check, the tolerance and the verdict.
    measured : array_like
        One entry per case; the worst case decides. Kinds ``at-most``, ``at-least`` and ``range`` use it alone.
    expected, standard_error : array_like, scalars or of the shape of `measured`
        One entry per case, or one for all.
    printed : array_like, for verdict "holds as corrected"
        The printed value of what `expected` has corrected; for the three kinds above, `measured` for the printed form.
    outside : sequence (measured, expected[, standard_error]), for verdict "holds in part"
        The same numbers in a setting where the statement is missed (for the three kinds above: ``(measured,)``).
    of : int, optional, for the three kinds above
        How many things were counted, where `measured` is a share of them: it is then shown as a count, "0 of 400".
    at : mapping of str to array_like, for entries that say ``at``
        Where it was measured: values of what varies, by name. A claim about ratio 1 gives no verdict on ratio 2.

    Raises
    ------
    ClaimError
        Only where the book is built or tested (``MTLBOOK_BUILD`` is set): if the measurement contradicts the recorded
        verdict, or its standard error is too large to see the deviation that the claim says it resolves. With
        ``MTLBOOK_PROFILE=quick`` a run that is too small to decide is shown as not judged instead, and so is one in
        single precision (``MTLBOOK_DTYPE``) of a claim that needs double. With
        ``MTLBOOK_CONTRADICTIONS=report``, which is for runs with other seeds, a contradiction is shown and published.
        Elsewhere a reader has changed something: the card says what this run shows, beside the verdict on record.
    RegisterError
        If the id is not registered, or the register is not valid.
    ValueError
        If the numbers cannot be compared in the way that the entry asks for.
    TypeError
        If an argument holds something other than real numbers; a boolean is none.
    """
    outcome = evaluate(_registered(claim_id), measured, expected, standard_error, printed, outside, of, at)
    if building() and outcome.judged and not outcome.agrees and not reporting():
        raise ClaimError(_contradiction(outcome))
    show(outcome)


def compare(claim_id: str, measured: ArrayLike, predicted: ArrayLike = 0.0, standard_error: ArrayLike = 0.0) -> None:
    """Print what a run of the reader's own, of any size, says of a registered claim.

    It agrees, it says otherwise, or it has too few seeds to judge. Nothing is registered by it: the verdict on record
    rests on :func:`check` with the experiment's seeds.

    Parameters
    ----------
    claim_id : str
        The id of an entry of the register.
    measured : array_like
        One entry per case.
    predicted, standard_error : array_like, scalars or of the shape of `measured`
        What theory says, and the run's standard error: 0 where nothing is drawn, NaN where one run alone knows none.

    Raises
    ------
    RegisterError
        If the id is not registered.
    """
    print(_own_run.finding(_registered(claim_id), measured, predicted, standard_error))


def _registered(claim_id: str) -> Claim:
    claims = register.load()
    if instance("claim_id", claim_id, str) not in claims:
        raise register.RegisterError(f"claim_id {claim_id!r} is not registered: add it to its chapter's claims.yml.")
    return claims[claim_id]


def evaluate(
    claim: Claim,
    measured: ArrayLike,
    expected: ArrayLike = 0.0,
    standard_error: ArrayLike | None = None,
    printed: ArrayLike | None = None,
    outside: Sequence[ArrayLike] | None = None,
    of: int | None = None,
    at: Mapping[str, ArrayLike] | None = None,
) -> Outcome:
    """Compare a measurement with a claim and its verdict (the arguments of ``check``), without showing anything."""
    if instance("claim", claim, Claim).asserted == "not checked":
        raise ValueError(f"claim {claim.id!r} is recorded as 'not checked': change its verdict to check it.")
    _check_contrast(claim, "printed", "holds as corrected", printed is not None)
    _check_contrast(claim, "outside", "holds in part", outside is not None)
    comparison = comparisons.compare(claim, measured, expected, standard_error, against=claim.asserted == "fails")
    other: Sequence[Any] | None = None
    if printed is not None:
        other = (printed,) if claim.check in BOUNDS else (measured, printed, standard_error)
    elif outside is not None:
        other = _outside(claim, outside)
    contrast = None if other is None else comparisons.compare(claim, *other, against=True)
    if of is not None:
        comparison = _counted(claim, comparison, of)
        contrast = None if contrast is None else _counted(claim, contrast, of)
    shown = {"statement": cases(claim, measured, expected, standard_error)}
    if other is not None:
        shown["contrast"] = cases(claim, *other)
    elsewhere = _elsewhere(claim, {} if at is None else mapping("at", at))
    agrees = (
        not elsewhere and _shown(claim, comparison) and comparison.resolved and (contrast is None or contrast.missed)
    )
    # What a paper prints is judged by the error of the statement; another setting has an error of its own.
    parts = [comparison] if contrast is None or outside is None else [comparison, contrast]
    return Outcome(claim, comparison, contrast, bool(elsewhere) or _judged(claim, parts), agrees, shown, elsewhere)


def _elsewhere(claim: Claim, at: dict[str, ArrayLike]) -> str:
    """Where a measurement was made, if that is not where the claim is about."""
    wanted = dict(claim.at)
    if wanted.keys() != at.keys():
        names = ", ".join(wanted) or "nothing"
        raise ValueError(
            f"at of claim {claim.id!r} must name {names}, as its entry does; got {', '.join(at) or 'none'}."
        )
    places = {name: bounded(f"at[{name!r}] of claim {claim.id!r}", value).ravel() for name, value in at.items()}
    other = [
        name
        for name, value in places.items()
        if value.size != len(wanted[name]) or not np.allclose(value, wanted[name], rtol=1e-9, atol=0)
    ]
    return "; ".join(f"{name} {_listed(places[name])}, not {_listed(wanted[name])}" for name in other)


def _listed(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _shown(claim: Claim, comparison: Comparison) -> bool:
    return comparison.missed if claim.asserted == "fails" else comparison.met


def _judged(claim: Claim, parts: Sequence[Comparison]) -> bool:
    """Whether a run can decide: precise enough; of the quick profile, if all parts see enough, or without seeds."""
    if claim.precision and single():
        return False
    if not quick():
        return True
    if claim.check in STATISTICAL:
        return claim.resolves is not None and all(part.resolved for part in parts)
    return not claim.sampled


def _check_contrast(claim: Claim, argument: str, verdict: str, given: bool) -> None:
    if given and claim.asserted != verdict:
        raise ValueError(f"{argument} belongs to verdict {verdict!r}; claim {claim.id!r} is recorded: {claim.judged}.")
    if not given and claim.asserted == verdict:
        raise ValueError(f"claim {claim.id!r} has verdict {verdict!r}, which needs the argument {argument}.")


def _outside(claim: Claim, outside: Sequence[ArrayLike]) -> Sequence[ArrayLike]:
    shortest = 1 if claim.check in BOUNDS else 2
    if not isinstance(outside, tuple | list) or not shortest <= len(outside) <= 3:
        raise ValueError(f"outside of claim {claim.id!r} must be (measured, expected[, standard_error]).")
    return outside


def _counted(claim: Claim, comparison: Comparison, of: int) -> Comparison:
    """The comparison with its share known as a count out of `of`; a share that is no such count is an error."""
    if claim.check not in BOUNDS:
        raise ValueError(f"of belongs to {', '.join(BOUNDS)}; claim {claim.id!r} is checked by {claim.check!r}.")
    hits = comparison.measured * count("of", of)
    if abs(hits - round(hits)) > 1e-6:
        raise ValueError(f"measured of claim {claim.id!r} must be a share of {of} things; got {comparison.measured!r}.")
    return replace(comparison, of=of)


def _contradiction(outcome: Outcome) -> str:
    claim, verdict, found = outcome.claim, outcome.claim.asserted, outcome.comparison
    remedy = "A miss is a finding: change the verdict in the chapter's claims.yml or find the error."
    if outcome.elsewhere:
        what = f"it is measured at another case: {outcome.elsewhere}"
        remedy = "Measure it where it is about, or change statement and at in the chapter's claims.yml."
    elif not _shown(claim, found) and verdict == "fails":
        what = "the recorded failure is not shown: the statement is not missed by more than its tolerance"
    elif not _shown(claim, found):
        what = "the statement is not met within its tolerance"
    elif not found.resolved:
        what = f"a deviation below {found.seen:.4g} would not have been seen; it resolves {claim.resolves}"
        what += f", which is {found.resolves:.4g} in this case"
        remedy = "Take more seeds, or a larger resolves where the statement bears it; where 0 is expected, a number."
    else:
        form = "printed form" if verdict == "holds as corrected" else "statement outside its part"
        what = f"the {form} is not missed by more than the tolerance"
    return (
        f"claim {claim.id!r} is recorded as {verdict!r}, but {what}.\n"
        f"  statement: {claim.statement}\n"
        f"  {outcome}\n"
        f"{remedy}"
    )
