"""Verdict of a reader's own run on a claim: it agrees, it says otherwise, or it has too few seeds to judge."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, reals
from mtlbook_lib.notebook._entry import BOUNDS, STATISTICAL
from mtlbook_lib.notebook._show import single
from mtlbook_lib.notebook.comparison import Comparison
from mtlbook_lib.notebook.comparison import compare as compared
from mtlbook_lib.notebook.register import Claim

FEW = 3.0  # a run that would only see deviations so many times larger than the claim's cannot judge it


def finding(claim: Claim, measured: ArrayLike, predicted: ArrayLike = 0.0, standard_error: ArrayLike = 0.0) -> str:
    """Return the sentence that puts a run beside a claim.

    The claim's own check decides, with the run's errors in place of those on record. A check without standard errors
    allows for four of the run's.

    Parameters
    ----------
    claim : Claim
    measured : array_like
        One entry per case.
    predicted, standard_error : array_like, scalars or of the shape of `measured`
        An error that is not finite is none: one run alone cannot judge. Nor does a case without spread contradict.
    """
    m = bounded("measured", measured)
    expected, error = bounded("predicted", predicted), reals("standard_error", standard_error)
    for name, given in {"predicted": expected, "standard_error": error}.items():
        if given.ndim and given.shape != m.shape:
            raise ValueError(f"{name} must be one number or have the shape of measured, {m.shape}; got {given.shape}.")
    expected, error = np.broadcast_to(expected, m.shape), np.broadcast_to(error, m.shape)
    said = f"the claim {claim.id}, on record as: {claim.asserted}"
    if claim.precision and single():
        return f"Single precision cannot judge {said}."
    if not np.isfinite(error).all() or (claim.check in STATISTICAL and not error.any()):
        return f"Too few seeds to judge {said}."
    found, drawn = _compared(claim, m, expected, error), error > 0
    if found.missed and claim.check in STATISTICAL:  # a count that few seeds share has no spread, and no weight
        found = _compared(claim, m[drawn], expected[drawn], error[drawn])
        if not found.missed:
            return f"Too few seeds to judge {said}."
    if found.missed:
        beside = "" if found.expected is None else f", predicted {found.expected:.3g}"
        spread = f" ± {found.standard_error:.2g}" if found.standard_error else ""
        return f"Your run says otherwise than {said}. It measured {found.measured:.3g}{spread}{beside}."
    if not found.met or (found.seen is not None and found.resolves and found.seen > FEW * found.resolves):
        return f"Too few seeds to judge {said}."
    return f"Your run agrees with {said}."


def _compared(claim: Claim, m: Array, expected: Array, error: Array) -> Comparison:
    """The comparison that the claim asks for; where it knows no errors, the numbers are nearer by four of them."""
    if claim.check in STATISTICAL:
        return compared(claim, m, expected, np.where(error > 0, error, np.finfo(float).tiny))
    low, high = _wanted(claim, expected)
    near = m + np.clip(np.clip(m, low, high) - m, -4 * error, 4 * error)
    return replace(compared(claim, near, 0.0 if claim.check in BOUNDS else expected), measured=float(m.flat[0]))


def _wanted(claim: Claim, expected: Array) -> tuple[Array | float, Array | float]:
    """The interval of numbers that meet a check without standard errors."""
    if isinstance(claim.tolerance, tuple):
        return claim.tolerance
    if claim.check in ("at-most", "at-least"):
        return (-np.inf, claim.tolerance or 0.0) if claim.check == "at-most" else (claim.tolerance or 0.0, np.inf)
    return expected, expected
