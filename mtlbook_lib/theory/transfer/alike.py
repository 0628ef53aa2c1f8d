"""Tasks alike: rank one, one strength, one similarity between all pairs; what a number of them does for one head."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array, FloatOrArray, like_input
from mtlbook_lib.theory.spiked import overlap


def alike_error(s: ArrayLike, q: ArrayLike, n_heads: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Error of each head of tasks alike that are shrunk at their best, to leading order in the size.

    .. math::
        E_H &= 1 - \frac1H \Big[ (1 + (H-1) q)\, \mathcal O_{HA}(\sigma_1)^2
              + (H-1)(1-q)\, \mathcal O_{HA}(\sigma_2)^2 \Big], \\
        \sigma_1^2 &= s^2 (1 + (H-1) q), \quad \sigma_2^2 = s^2 (1 - q)

    .. math:: E_\infty = 1 - \frac{s^2 q^2}{s^2 q + A}

    Source: ours; see the chapter "Many tasks alike". Where modes are equally strong (two or more visible difference
    modes, or q = 0 with two or more tasks) noise chooses which ones the data show: the formula is then the error with
    the mean weight 1/H on all of them, and a head that uses the actual weights does better.

    Parameters
    ----------
    s : array_like
        Singular value of each teacher, > 0 (dimensionless).
    q : array_like, broadcasts against `s`
        Overlap of the input modes of each pair of tasks, in [0, 1].
    n_heads : array_like, broadcasts against `s`
        Number :math:`H` of tasks, at least 1; infinity is allowed.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = outputs/inputs of one task, > 0.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        A fraction of the energy of the head's teacher.

    Examples
    --------
    More tasks of overlap 0.9, up to infinitely many:

    >>> alike_error(2.0, 0.9, [1, 2, 10, np.inf], 0.5).round(3)
    array([0.333, 0.284, 0.227, 0.21 ])
    """
    number = _checks.as_given("n_heads", n_heads)
    infinite = np.isposinf(number) if number.dtype.kind == "f" else np.array(False)
    finite = np.where(infinite, 1.0, number) if infinite.any() else n_heads  # infinity has a formula of its own
    strength, shared, count, ratio = _checks.broadcast(
        s=_checks.in_scale("s", s),
        q=_checks.within("q", q, 0.0, 1.0),
        n_heads=_checks.within("n_heads", finite, 1.0, np.inf),
        aspect=_checks.in_scale("aspect", aspect),
    )
    limit = 1 - strength**2 * shared**2 / (strength**2 * shared + ratio)
    error = np.where(infinite, limit, _finite_error(strength, shared, count, ratio))
    return like_input(error[()])


def _finite_error(s: Array, q: Array, n_heads: Array, aspect: Array) -> Array:
    shared, rest = 1 + (n_heads - 1) * q, 1 - q
    # A mode of no strength is not seen; the overlap wants a positive one.
    difference = np.maximum(s * np.sqrt(rest), 1e-12)
    gain = shared * np.asarray(overlap(s * np.sqrt(shared), n_heads * aspect)) ** 2
    gain += (n_heads - 1) * rest * np.asarray(overlap(difference, n_heads * aspect)) ** 2
    return np.asarray(1 - gain / n_heads)


def equivalent_similarity(s: ArrayLike, error: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Similarity at which infinitely many tasks alike leave a given error: the inverse of ``alike_error`` there.

    .. math:: q = \tfrac12 \Big[ \gamma + \sqrt{\gamma^2 + 4 \gamma A/s^2} \Big], \qquad \gamma = 1 - E

    Source: ours; see the chapter "Many tasks alike".

    Parameters
    ----------
    s : array_like
        Singular value of each teacher, > 0 (dimensionless).
    error : array_like, broadcasts against `s`
        Error :math:`E` of one head, in [0, 1], a fraction of the energy of its teacher.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = outputs/inputs of one task, > 0.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        Above 1 where even identical tasks leave a larger error.

    Examples
    --------
    >>> round(equivalent_similarity(2.0, alike_error(2.0, 0.9, np.inf, 0.5), 0.5), 6)
    0.9
    """
    strength, left, ratio = _checks.broadcast(
        s=_checks.in_scale("s", s),
        error=_checks.within("error", error, 0.0, 1.0),
        aspect=_checks.in_scale("aspect", aspect),
    )
    gain = 1 - left
    return like_input((gain + np.sqrt(gain**2 + 4 * gain * ratio / strength**2)) / 2)
