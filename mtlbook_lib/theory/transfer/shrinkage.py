"""Shrinkage of the singular values of the joint data for one head's own sake, without training."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array, FloatOrArray, like_input, positive
from mtlbook_lib.theory.marchenko_pastur import support
from mtlbook_lib.theory.spiked import clean_singular_value, left_overlap, overlap, right_overlap
from mtlbook_lib.theory.transfer.composite import overlaps
from mtlbook_lib.theory.transfer.heads import Head, data_share, make_head

_ROUNDING = 1e-9  # of a squared norm that the caller computed


def rank_one_pair(s_a: ArrayLike, s_b: ArrayLike, q: ArrayLike, aspect: ArrayLike) -> tuple[Array, Array, FloatOrArray]:
    r"""Composite modes of two rank-one tasks, and what task A gains from B if every head shrinks for itself.

    .. math::
        \sigma_\pm^2 = \frac{s_A^2 + s_B^2 \pm \Delta}{2}, \qquad
        p_\pm^2 = \frac12 \pm \frac{s_A^2 - s_B^2}{2\Delta}, \qquad
        \Delta = \sqrt{(s_A^2 - s_B^2)^2 + 4 q^2 s_A^2 s_B^2}

    .. math::
        T = \frac{1}{s_A^2}\sum_\pm \frac{\sigma_\pm^2 p_\pm^4\,\mathcal O_\pm^2}
        {p_\pm^2 o_\pm^2 + \tfrac12(1 - o_\pm^2)} - \mathcal O_A(s_A)^2

    with the left overlap :math:`o_\pm` and the product :math:`\mathcal O_\pm` of both overlaps at :math:`\sigma_\pm`
    and the composite aspect :math:`2A`.

    Parameters
    ----------
    s_a, s_b : array_like, broadcast against each other
        Singular values of the two teachers, > 0 (dimensionless).
    q : array_like, broadcasts against `s_a`
        Overlap of their input modes, in [-1, 1]; its sign does not matter.
    aspect : array_like, broadcasts against `s_a`
        Aspect :math:`A` = outputs/inputs of one task, > 0.

    Returns
    -------
    strengths : ndarray, shape (..., 2)
        :math:`\sigma_+, \sigma_-`.
    weights : ndarray, shape (..., 2)
        Shares :math:`p_+^2, p_-^2` of the two modes on the head of task A.
    shrinkage_benefit : float or ndarray, shape (...)
        :math:`T`: error of A alone minus its error with B, as fractions of the energy of A's teacher.

    Notes
    -----
    Source: Lampinen & Ganguli (2019), Sec. 4 and App. D, in the corrected form (singular values :math:`s\sqrt{1 \pm q}`
    at equal strength, composite aspect :math:`2A`), see the chapter "The transfer theorem"; the optimal strengths per
    head are ours, see the chapter "When does a second task help?". At :math:`q = 0` and :math:`s_A = s_B`, where the
    modes are not defined, the limit of small overlap is returned, :math:`p_\pm^2 = 1/2`. Strengths that approach each
    other at :math:`q = 0` have another limit, 1 and 0.

    Examples
    --------
    >>> strengths, weights, gain = rank_one_pair(2.0, 2.0, 0.9, 0.5)
    >>> strengths.round(3), weights.round(3), round(gain, 3)
    (array([2.757, 0.632]), array([0.5, 0.5]), 0.049)
    """
    a, b, cosine, ratio = _checks.broadcast(
        s_a=positive("s_a", s_a), s_b=positive("s_b", s_b), q=overlaps(q), aspect=_checks.in_scale("aspect", aspect)
    )
    strengths, weights, shares = _pair_modes(a, b, np.abs(cosine))
    composite = 2 * ratio[..., None]
    noisy = data_share(np.asarray(left_overlap(strengths, composite)) ** 2, weights, 2)
    gain = _quotient(weights * np.asarray(overlap(strengths, composite)) ** 2, noisy)
    benefit = np.sum(shares * gain, axis=-1) - np.asarray(overlap(a, ratio)) ** 2
    return strengths, weights, like_input(benefit)


def head_shrinkage(s_hat: ArrayLike, head_energy: ArrayLike, aspect: ArrayLike, n_heads: int = 2) -> FloatOrArray:
    r"""Strength that one head should give a mode of the joint data, from the share of the mode on that head.

    .. math::
        x = \frac{\sigma\,p^2\,\mathcal O}{p^2 o^2 + (1 - o^2)/H}, \qquad
        p^2 = \frac{\|P\hat u\|^2 - (1 - o^2)/H}{o^2} \text{ clipped to } [0, 1]

    with the composite mode :math:`\sigma` behind the data mode :math:`\hat s`, its left overlap :math:`o` and the
    product :math:`\mathcal O` of both overlaps at aspect :math:`HA`. The head's share of the map is
    :math:`x\,(P\hat u)\hat v^T`.

    Source: ours, from Lampinen & Ganguli (2019), Sec. 3.7 and App. C; see the chapter "Shrinking each head by itself".
    The data tell the share :math:`p^2`, because the mode's noise is spread evenly over the heads. With one
    head it is ``optimal_shrinkage``.

    Parameters
    ----------
    s_hat : array_like, any shape
        Singular value of the stacked data of all tasks (dimensionless), >= 0.
    head_energy : array_like, broadcasts against `s_hat`
        Squared norm :math:`\|P\hat u\|^2` of the left mode's part on the head, in [0, 1].
    aspect : array_like, broadcasts against `s_hat`
        Aspect :math:`A` = outputs/inputs of one task, > 0.
    n_heads : int
        Number of tasks :math:`H`.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        0 inside the bulk, up to :math:`1 + \sqrt{HA}`, and where the head has no more of the mode than of its noise.

    Examples
    --------
    No share, half and all of a mode on one of two heads:

    >>> head_shrinkage(4.0, [0.0, 0.5, 1.0], 0.5).round(3)
    array([0.   , 3.464, 3.593])
    """
    heads = _checks.whole("n_heads", n_heads)
    value, share, ratio = _checks.broadcast(
        s_hat=_checks.bounded("s_hat", s_hat, _checks.nonnegative),
        head_energy=_checks.within("head_energy", head_energy, 0.0, 1.0 + _ROUNDING),
        aspect=heads * _checks.in_scale("aspect", aspect),
    )
    edge = np.asarray(support(ratio)[1])
    strength = np.asarray(clean_singular_value(np.maximum(value, edge), ratio))
    left = np.where(value > edge, left_overlap(strength, ratio), 0.0)
    weight = np.clip(_quotient(share - (1 - left**2) / heads, left**2), 0.0, 1.0)
    aligned = strength * weight * left * np.asarray(right_overlap(strength, ratio))
    return like_input(_quotient(aligned, data_share(left**2, weight, heads)))


def head_shrinkage_error(
    singular_values: Sequence[ArrayLike], gram: ArrayLike, aspect: float, head: int = 0, joint: bool = False
) -> float:
    r"""Error of one head whose modes are shrunk optimally for it, or all together for the stacked outputs.

    .. math:: E = 1 + \frac{1}{|\bar W_h|^2}\sum_a\left[x_a^2\left(p_a^2 o_a^2 + \frac{1 - o_a^2}{H}\right)
              - 2 x_a \sigma_a p_a^2\,\mathcal O_a\right]

    with the strengths :math:`x_a` of ``head_shrinkage``, or :math:`x_a = \sigma_a\mathcal O_a` jointly.

    Source: ours; jointly, the algorithm of Lampinen & Ganguli (2019), Sec. 3.7, applied to the composite. A strong head
    can then make the error of a weak one grow beyond that of learning nothing.

    Parameters
    ----------
    singular_values : sequence of array_like, one of shape (rank,) per task
        Singular values of each teacher, > 0 (dimensionless); a number for a task of rank one.
    gram : array_like, shape (K, K)
        Inner products of the input modes of all tasks, in the order of `singular_values`; K is the sum of the ranks.
        Symmetric, positive semi-definite, with an identity block for each task.
    aspect : float
        Aspect :math:`A` = outputs/inputs of one task, > 0.
    head : int
        Which task, from 0.
    joint : bool
        Whether the strengths are those that are best for all heads together.

    Returns
    -------
    float
        A fraction of the energy of the head's teacher.

    Examples
    --------
    >>> round(head_shrinkage_error([2.0], [[1.0]], 0.5), 3)
    0.333
    >>> round(head_shrinkage_error([2.0, 4.0], [[1.0, 0.9], [0.9, 1.0]], 0.5), 3)
    0.282
    """
    together = _checks.flag("joint", joint)
    modes = make_head(singular_values, gram, aspect, head)
    x = modes.strengths * np.asarray(overlap(modes.strengths, modes.aspect)) if together else best_strengths(modes)
    return float(modes.distance(x)) / modes.teacher_energy


def best_strengths(head: Head) -> Array:
    """Strengths of the data modes with the least error on the head."""
    return _quotient(head.alignment, head.data_weights)


def _pair_modes(a: Array, b: Array, q: Array) -> tuple[Array, Array, Array]:
    """Strengths, weights on head A, and shares of the energy of A's teacher, each (..., 2); nothing cancels."""
    scale = np.maximum(a, b)
    a, b = a / scale, b / scale
    excess, cross = (a - b) * (a + b), 2 * q * a * b
    gap = np.hypot(excess, cross)
    upper = (a**2 + b**2 + gap) / 2
    lower = (a * b) ** 2 * (1 - q) * (1 + q) / upper
    # The smaller of the two weights, (1 - |excess|/gap)/2; without a gap, its limit.
    minor = np.where(gap > 0, _quotient(cross, gap) * _quotient(cross, gap + np.abs(excess)) / 2, 0.5)
    plus, minus = np.where(excess > 0, 1 - minor, minor), np.where(excess > 0, minor, 1 - minor)
    share = 0.5 + _quotient(excess + 2 * (q * b) ** 2, gap) / 2
    strengths = scale[..., None] * np.sqrt(np.stack([upper, lower], axis=-1))
    return strengths, np.stack([plus, minus], axis=-1), np.stack([share, 1 - share], axis=-1)


def _quotient(numerator: Array, denominator: Array) -> Array:
    # 0 where both vanish: a mode without signal on the head and without noise.
    return np.divide(numerator, denominator, out=np.zeros(np.shape(denominator)), where=denominator > 0)
