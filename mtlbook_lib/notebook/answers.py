"""A field for a reader's answer to an exercise, in a notebook: a cell that says whether a number is right."""

import base64
import binascii

from mtlbook_lib._checks import instance, scalar, short


def check(given: float | None, sealed: str) -> None:
    """Say whether an answer is right, or not yet.

    Parameters
    ----------
    given : float or None
        The answer, such as ``0.25`` or ``1/4``; with None nothing is said.
    sealed : str
        The right number and how far from it an answer may be, unreadable at a glance: two numbers in Base64.

    Raises
    ------
    ValueError
        If `sealed` does not hold two numbers.
    """
    right, within = _opened(instance("sealed", sealed, str))
    if given is not None:
        print("✓ Right." if abs(scalar("given", given) - right) <= within else "✗ Not yet.")


def _opened(sealed: str) -> tuple[float, float]:
    try:
        right, within = map(float, base64.b64decode(sealed, validate=True).decode().split())
    except (binascii.Error, ValueError):
        raise ValueError(f"sealed must be copied from the notebook as it is there; got {short(sealed)}.") from None
    return right, within
