"""Worth of the strongest modes of noisy data as an estimate of the signal, and when one more of them pays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    FloatOrArray,
    bounded,
    like_input,
    nonnegative,
    positive,
    real_array,
    scalar,
    whole,
)
from mtlbook_lib.theory.spiked import noisy_singular_value, overlap

__all__ = ["truncation_error", "useful_singular_value"]


def useful_singular_value(aspect: ArrayLike) -> FloatOrArray:
    r"""Singular value that a mode of the signal must exceed for the data's mode to be better kept than dropped.

    .. math:: s_*^2 = \tfrac12 \left(1 + A + \sqrt{1 + 14 A + A^2}\right)

    It is larger than the threshold :math:`A^{1/4}` of what can be seen.

    Source: Gavish & Donoho (2014), whose hard threshold on the data's singular values it is, as seen from the signal.

    Parameters
    ----------
    aspect : array_like, any shape
        Aspect :math:`A` = rows/columns, > 0.

    Examples
    --------
    At aspect 1 a mode can be seen from 1 on, and pays from the root of 3 on:

    >>> round(useful_singular_value(1.0), 3)
    1.732
    """
    a = bounded("aspect", aspect, positive)
    return like_input(np.sqrt((1 + a + np.sqrt(1 + 14 * a + a**2)) / 2))


def truncation_error(s: ArrayLike, n_kept: int, aspect: float) -> float:
    r"""Squared Frobenius distance of the signal from the `n_kept` strongest modes of the data.

    .. math:: E_r = \sum_{j \le r} \left(1 + A + \frac{3A}{s_j^2}\right) + \sum_{j > r} s_j^2

    A mode that is too weak to leave a trace, :math:`s_j \le A^{1/4}`, costs :math:`s_j^2 + (1 + \sqrt A)^2` if kept.

    Source: :math:`s^2 - 2 \hat s s \mathcal O + \hat s^2` with Lampinen & Ganguli (2019), eqs. 11 and 12. The limit of
    large matrices, for a fixed number of modes.

    Parameters
    ----------
    s : array_like, shape (n,)
        Singular values of the signal, >= 0, in descending order; those not named are 0.
    n_kept : int
        Number r of modes that are kept, 0 or more. Those beyond the signal's are noise at its upper edge.
    aspect : float
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float
        In the square of the unit in which noise has entries of variance 1/columns.

    Examples
    --------
    The second mode is too weak to be kept:

    >>> [round(truncation_error([3.0, 1.0], n, 0.5), 3) for n in range(3)]
    [10.0, 2.667, 4.667]
    """
    values = bounded("s", real_array("s", s, ndim=1), nonnegative)
    if np.any(np.diff(values) > 0):
        raise ValueError(f"s must be in descending order; got {values}.")
    a = scalar("aspect", aspect, lambda name, value: bounded(name, value, positive))
    r = whole("n_kept", n_kept, minimum=0)
    kept, dropped = values[:r], values[r:]
    seen, trace = np.asarray(noisy_singular_value(kept, a)), np.asarray(overlap(kept, a))
    noise = (r - len(kept)) * (1 + np.sqrt(a)) ** 2
    return float((kept**2 - 2 * kept * seen * trace + seen**2).sum() + (dropped**2).sum() + noise)


def __dir__() -> list[str]:
    return list(__all__)
