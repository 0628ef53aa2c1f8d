"""Numbers against numbers: is a statement met, and is it missed by more than its tolerance?

The two questions are not each other's opposite. A significant inequality (kind ``exceeds``) that lacks significance is
not met, yet nothing has contradicted it: it counts as missed only when the opposite inequality is significant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, as_given, bounded, flag, instance, nonnegative
from mtlbook_lib.notebook._entry import BOUNDS, STATISTICAL
from mtlbook_lib.notebook.register import Claim

SHOWN_CASES = 64


@dataclass(frozen=True)
class Comparison:
    """The deciding case of a comparison, and how many cases there were.

    Attributes
    ----------
    measured, expected, standard_error : float or None
        The numbers of the deciding case (`expected` is None for kinds that compare with the tolerance alone).
    deviation : float or None
        ``measured - expected``, for kind ``relative`` divided by `expected`; None for a bound.
    z : float or None
        What the check judges, for the kinds that use a standard error: the deviation beyond the allowance, in standard
        errors. An excess (kind ``exceeds``) is counted above the allowance, so it is negative below it.
    allowed : float or None
        For the same kinds ``tolerance * standard_error + allowance``, which the deviation is compared with.
    seen, resolves : float or None
        In the case that sees least, the smallest deviation that it would have seen, and the one that it has to see.
    n_cases, n_missed : int
        The number of cases, and of those that miss the statement by more than the tolerance.
    case : int
        Which case decides, counted from 1 in the order of the arguments' entries.
    met : bool
        Every case meets the statement.
    of : int or None
        How many things were counted, where `measured` is a share of them.
    """

    measured: float
    expected: float | None
    standard_error: float | None
    deviation: float | None
    z: float | None
    allowed: float | None
    seen: float | None
    resolves: float | None
    n_cases: int
    n_missed: int
    case: int
    met: bool
    of: int | None = None

    @property
    def missed(self) -> bool:
        """At least one case misses the statement by more than the tolerance: one counterexample suffices."""
        return self.n_missed > 0

    @property
    def resolved(self) -> bool:
        """Every case would have seen the deviation that the claim says it resolves (true where it says none)."""
        return self.resolves is None or (self.seen is not None and self.seen <= self.resolves)


def compare(
    claim: Claim,
    measured: ArrayLike,
    expected: ArrayLike = 0.0,
    standard_error: ArrayLike | None = None,
    *,
    against: bool = False,
) -> Comparison:
    r"""Compare numbers in the way that a claim asks for; the worst case decides.

    Parameters
    ----------
    claim : Claim
        Gives the kind of check, the tolerance and the allowance.
    measured : array_like
        One entry per case.
    expected, standard_error : array_like, scalars or of the shape of `measured`
        One entry per case, or one for all.
    against : bool
        False reports the case that is nearest to a miss, True the case that misses most clearly (they differ for
        ``exceeds`` only).

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If a number is not finite, a shape is another one than that of `measured`, there is no case, a standard error
        is missing or 0, or an argument is given that this kind of check does not use.
    TypeError
        If an argument holds something other than real numbers; a boolean is none.
    """
    instance("claim", claim, Claim)
    against = flag("against", against)
    m, e, se = _cases(claim, measured, expected, standard_error)
    beyond = _beyond(claim, m, e, se)
    # The opposite inequality, e above m, is significant where an inequality is missed.
    contradicts = -_beyond(claim, e, m, se) if claim.check == "exceeds" else beyond
    worst = int(np.argmax(contradicts if against else beyond))
    bound = claim.check in BOUNDS
    difference = float(m[worst] - e[worst])
    allowed = None if se is None or claim.check not in STATISTICAL else _allowed(claim, se)
    seen, resolves = _sight(claim, m, e, allowed)
    return Comparison(
        measured=float(m[worst]),
        expected=None if bound else float(e[worst]),
        standard_error=None if se is None else float(se[worst]),
        deviation=None if bound else difference / float(e[worst]) if claim.check == "relative" else difference,
        z=None if se is None or allowed is None else float(_z(claim, m, e, se)[worst]),
        allowed=None if allowed is None else float(allowed[worst]),
        seen=seen,
        resolves=resolves,
        n_cases=m.size,
        n_missed=int(np.count_nonzero(contradicts > 0)),
        case=worst + 1,
        met=bool(np.all(beyond <= 0)),
    )


def cases(
    claim: Claim, measured: ArrayLike, expected: ArrayLike = 0.0, standard_error: ArrayLike | None = None
) -> dict[str, Any]:
    """The numbers of the single cases as plain JSON, to six digits: what another machine has to find again.

    Of more than `SHOWN_CASES` as many are shown, evenly spread.
    """
    m, e, se = _cases(instance("claim", claim, Claim), measured, expected, standard_error)
    chosen = np.unique(np.linspace(0, m.size - 1, min(m.size, SHOWN_CASES)).astype(int))
    columns = {"measured": m, "expected": None if claim.check in BOUNDS else e, "standard_error": se}
    digits = {name: None if x is None else [float(f"{v:.6g}") for v in x[chosen]] for name, x in columns.items()}
    return {"n": m.size, **digits}


def _cases(
    claim: Claim, measured: ArrayLike, expected: ArrayLike, standard_error: ArrayLike | None
) -> tuple[Array, Array, Array | None]:
    """The arguments as flat arrays of equal length."""
    where = f"of claim {claim.id!r}"
    given = {"measured": measured, "expected": expected}
    if standard_error is not None:
        given["standard_error"] = standard_error
    for name, value in given.items():
        _check_numbers(f"{name} {where}", value)
    m = bounded(f"measured {where}", measured)
    flat = [m.ravel(), *(_like(m, f"{name} {where}", given[name]) for name in given if name != "measured")]
    if standard_error is not None:
        nonnegative(f"standard_error {where}", standard_error)
    _check_use(claim, where, *flat)
    return flat[0], flat[1], flat[2] if len(flat) == 3 else None


def _check_numbers(name: str, value: ArrayLike) -> None:
    """Raise for a truth value, which would count as 0 or 1: a check that compares nothing would look like one."""
    given = as_given(name, value)
    entries = given if isinstance(value, np.ndarray) else np.asarray(value, dtype=object)
    if entries.dtype == bool or (entries.dtype == object and any(isinstance(x, bool | np.bool_) for x in entries.flat)):
        raise TypeError(f"{name} must be numbers; got booleans. Pass what was measured, or count the cases.")


def _like(measured: Array, name: str, value: ArrayLike) -> Array:
    """`value` for each case of `measured`: one number for all, or one for each; anything else fits by accident."""
    array = bounded(name, value)
    if array.ndim and array.shape != measured.shape:
        must = f"must be one number or have the shape of measured, {measured.shape}"
        raise ValueError(f"{name} {must}; got {array.shape}.")
    return np.broadcast_to(array, measured.shape).ravel()


def _check_use(claim: Claim, where: str, m: Array, e: Array, se: Array | None = None) -> None:
    if m.size == 0:
        raise ValueError(f"measured {where} has no entries: there is nothing to check.")
    if claim.check in STATISTICAL and se is None:
        raise ValueError(f"check {claim.check!r} {where} needs standard_error.")
    if claim.check in STATISTICAL and se is not None and np.any(se == 0):
        raise ValueError(f"standard_error {where} must be greater than 0: do the seeds really differ?")
    if claim.check in BOUNDS and np.any(e != 0):
        raise ValueError(f"check {claim.check!r} {where} compares measured with the tolerance alone; pass no expected.")
    if claim.check == "relative" and np.any(e == 0):
        raise ValueError(f"check 'relative' {where} divides by expected, which must not be 0.")


def _beyond(claim: Claim, m: Array, e: Array, se: Array | None) -> Array:
    """By how much each case is beyond the tolerance, in the units of the tolerance; it is met where this is <= 0."""
    if isinstance(claim.tolerance, tuple):
        low, high = claim.tolerance
        return np.maximum(low - m, m - high)
    if claim.tolerance is None:
        raise ValueError(f"claim {claim.id!r} has no tolerance.")
    match claim.check, se:
        case "close", _:
            return np.abs(m - e) - claim.tolerance
        case "relative", _:
            return np.abs(m / e - 1) - claim.tolerance
        case "at-most", _:
            return m - claim.tolerance
        case "at-least", _:
            return claim.tolerance - m
        case "z-score", np.ndarray():
            return (np.abs(m - e) - claim.allowance) / se - claim.tolerance
        case "exceeds", np.ndarray():
            return claim.tolerance - (m - e - claim.allowance) / se
    raise ValueError(f"claim {claim.id!r} cannot be compared by check {claim.check!r}.")


def _z(claim: Claim, m: Array, e: Array, se: Array) -> Array:
    """The deviation beyond the allowance, in standard errors."""
    if claim.check == "exceeds":
        return (m - e - claim.allowance) / se
    return np.sign(m - e) * np.maximum(np.abs(m - e) - claim.allowance, 0.0) / se


def _allowed(claim: Claim, se: Array) -> Array:
    if not isinstance(claim.tolerance, float | int):
        raise ValueError(f"tolerance of claim {claim.id!r} must be one number; got {claim.tolerance!r}.")
    return claim.tolerance * se + claim.allowance


def _sight(claim: Claim, m: Array, e: Array, allowed: Array | None) -> tuple[float | None, float | None]:
    """What the case that sees least would have seen, and what it has to see."""
    if allowed is None or claim.resolves is None:
        return None, None
    due = claim.resolves.at(m if claim.check == "exceeds" else e)
    blindest = int(np.argmax(np.divide(allowed, due, out=np.full_like(allowed, np.inf), where=due > 0)))
    return float(allowed[blindest]), float(due[blindest])
