"""Effect of a mode of the joint data on a head that knows its share of it, and the cost of estimating the share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array, FloatOrArray, in_scale, like_input
from mtlbook_lib.theory.spiked import left_overlap, overlap
from mtlbook_lib.theory.transfer.heads import data_share


def head_change(x: ArrayLike, sigma: ArrayLike, weight: ArrayLike, aspect: ArrayLike, n_heads: int = 2) -> FloatOrArray:
    r"""Change of one head's squared distance from its teacher by a data mode at strength `x`.

    .. math:: f_h(x) = x^2 \Big( p^2 o^2 + \frac{1 - o^2}{H} \Big) - 2 x \sigma p^2\, \mathcal O

    with the left overlap :math:`o` and the product :math:`\mathcal O` of both overlaps at aspect :math:`HA`.

    Source: Lampinen & Ganguli (2019), App. C, for one mode of a composite; see "Shrinking each head by itself".

    Parameters
    ----------
    x : array_like
        Strength of the data mode in the head's map (dimensionless), >= 0.
    sigma : array_like, broadcasts against `x`
        Strength of the composite mode, > 0.
    weight : array_like, broadcasts against `x`
        Share :math:`p^2` of the composite mode on the head, in [0, 1].
    aspect : array_like, broadcasts against `x`
        Aspect :math:`A` = outputs/inputs of one task, > 0.
    n_heads : int
        Number of tasks :math:`H`.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        In units of a squared singular value.

    Examples
    --------
    Least at the strength of ``known_share_strength``, here 1.5:

    >>> head_change([0.0, 1.0, 1.5, 2.0], 2.0, 1.0, 1.0, n_heads=1).round(3)
    array([ 0.  , -2.  , -2.25, -2.  ])
    """
    noisy, aligned = _parabola(sigma, weight, aspect, n_heads)
    at = _checks.bounded("x", x, _checks.nonnegative)
    return like_input((at**2 * noisy - 2 * at * aligned)[()])


def known_share_strength(sigma: ArrayLike, weight: ArrayLike, aspect: ArrayLike, n_heads: int = 2) -> FloatOrArray:
    r"""Strength at which a data mode does most for a head that knows its share of the composite mode.

    .. math:: x = \frac{\sigma\,p^2\,\mathcal O}{p^2 o^2 + (1 - o^2)/H}

    Source: ours; see the chapter "Shrinking each head by itself".

    Parameters
    ----------
    sigma : array_like
        Strength of the composite mode, > 0.
    weight : array_like, broadcasts against `sigma`
        Share :math:`p^2` of the composite mode on the head, in [0, 1].
    aspect : array_like, broadcasts against `sigma`
        Aspect :math:`A` = outputs/inputs of one task, > 0.
    n_heads : int
        Number of tasks :math:`H`.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        The minimum of ``head_change``; 0 below the threshold of the composite.

    Examples
    --------
    The whole mode, or none of it, on the head:

    >>> known_share_strength(2.0, [1.0, 0.0], 0.5).round(3)
    array([1.714, 0.   ])
    """
    noisy, aligned = _parabola(sigma, weight, aspect, n_heads)
    return like_input(np.divide(aligned, noisy, out=np.zeros_like(noisy), where=noisy > 0)[()])


def _parabola(sigma: ArrayLike, weight: ArrayLike, aspect: ArrayLike, n_heads: int) -> tuple[Array, Array]:
    """Share of the data mode on the head, alignment with the head's teacher."""
    heads = _checks.whole("n_heads", n_heads)
    strength, share, ratio = _checks.broadcast(
        sigma=in_scale("sigma", sigma),
        weight=_checks.within("weight", weight, 0.0, 1.0),
        aspect=heads * in_scale("aspect", aspect),
    )
    noisy = data_share(np.asarray(left_overlap(strength, ratio)) ** 2, share, heads)
    return np.asarray(noisy), np.asarray(strength * share * overlap(strength, ratio))


def unrelated_joint_error(s: float, companions: Sequence[float], aspect: float) -> float:
    r"""Error of a head under joint shrinkage when the other tasks are unrelated to it and to each other.

    .. math:: E = 1 - \mathcal O(s)^2 \Big[ 1 + (1 - o(s)^2) \Big( 1 - \frac1H \Big) \Big]
              + \frac{A}{s^2} \sum_b o(s_b)^4

    with the left overlap :math:`o` and the product :math:`\mathcal O` of both overlaps at aspect :math:`HA`.

    Source: ours; see the chapter "Shrinking each head by itself". It is ``head_shrinkage_error`` with `joint` for
    tasks of rank one whose Gram matrix is the identity.

    Parameters
    ----------
    s : float
        Singular value of the head's own teacher, > 0 (dimensionless).
    companions : sequence of float
        Singular values :math:`s_b` of the other :math:`H - 1` tasks, > 0.
    aspect : float
        Aspect :math:`A` = outputs/inputs of one task, > 0.

    Returns
    -------
    float
        A fraction of the energy of the head's teacher; above 1 where the companions harm more than the task is worth.

    Examples
    --------
    A strong companion harms a weak task:

    >>> [round(unrelated_joint_error(2.0, [s], 0.5), 3) for s in (2.0, 10.0)]
    [0.438, 0.49]
    """
    own, others = _checks.scalar("s", s, in_scale), in_scale("companions", companions)
    if others.ndim != 1:
        raise ValueError(f"companions must be a sequence of numbers; got shape {others.shape}.")
    heads, ratio = 1 + others.size, _checks.scalar("aspect", aspect, in_scale)
    left = float(left_overlap(own, heads * ratio)) ** 2
    gain = float(overlap(own, heads * ratio)) ** 2 * (1 + (1 - left) * (1 - 1 / heads))
    noise = np.asarray(left_overlap(others, heads * ratio)) ** 4
    return 1 - gain + ratio / own**2 * float(noise.sum())


def share_price(s: ArrayLike, n_outputs: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Cost of estimating its share for a head beside one unrelated, infinitely strong task, at any size.

    .. math::
        \frac{A}{s^2}\, \mathbb E \frac{(r - 1)_+^2}{r}
        = \frac{A}{s^2} \Big[ F_{n+2} - 2 F_n + \frac{n}{n - 2} F_{n-2} \Big], \qquad
        r = \chi^2_n/n, \quad F_k = \Pr(\chi^2_k > n)

    Source: ours; see the chapter "Shrinking each head by itself".

    Parameters
    ----------
    s : array_like
        Singular value of the head's own teacher, > 0 (dimensionless).
    n_outputs : array_like, broadcasts against `s`
        Outputs :math:`n` of one task, > 2.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = outputs/inputs of one task, > 0.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        Mean loss, a fraction of the energy of the head's teacher.

    Examples
    --------
    It falls as the outputs become more:

    >>> share_price(1.0, [10, 100, 1000], 0.5).round(4)
    array([0.0331, 0.0043, 0.0005])
    """
    strength, n, ratio = _checks.broadcast(
        s=in_scale("s", s), n_outputs=in_scale("n_outputs", n_outputs), aspect=in_scale("aspect", aspect)
    )
    if np.any(n <= 2):
        raise ValueError(f"n_outputs must be above 2; got {n.min():g}.")
    above, at, below = (chi2.sf(n, n + k) for k in (2, 0, -2))
    return like_input((ratio / strength**2 * (above - 2 * at + n / (n - 2) * below))[()])
