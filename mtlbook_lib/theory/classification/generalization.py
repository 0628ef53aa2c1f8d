r"""Generalisation loss of a linear classifier on isotropic logits, and its least value over the scale."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, counts, like_input, nonnegative, within
from mtlbook_lib.theory.softmax import (
    expected_maximum,
    isotropic_excess,
    isotropic_gain,
    isotropic_slope_deficit,
)


def generalization_loss(scale: ArrayLike, overlap: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Cross-entropy of a student whose logits have a given norm and a given overlap with those that decide the labels.

    .. math:: E(c, \rho) = F(c) - c\,\rho\,m_k

    with the log partition function :math:`F` and the mean :math:`m_k` of the largest of k normal variables.

    Source: ours; the loss of Lee & Ndirango (2019), App. C, for isotropic logits. It is convex in the scale.

    Parameters
    ----------
    scale : array_like, any shape
        Standard deviation :math:`c` of each of the student's logits (dimensionless), >= 0.
    overlap : array_like, broadcasts against `scale`
        Correlation :math:`\rho` of student's and teacher's logits, in [-1, 1].
    k : int or array of ints, broadcasts against `scale`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape (nats)

    Examples
    --------
    >>> generalization_loss([0.0, 1.0, 10.0], 0.9, 10).round(3)
    array([2.303, 1.344, 1.672])
    """
    scale, overlap, classes = broadcast(scale=nonnegative("scale", scale), overlap=_overlap(overlap), k=_classes(k))
    numbers = classes.astype(np.int64)
    # Neither term is negative, so nothing cancels near overlap 1, where the loss is small.
    misaligned = scale * (1 - overlap) * np.asarray(expected_maximum(numbers))
    return like_input(np.asarray(isotropic_excess(scale, numbers)) + misaligned)


def optimal_scale(overlap: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Norm of the logits at which the generalisation loss is least.

    .. math::
        F'(c^*) = (k - 1)\,c^* g(c^*) = \rho\,m_k \quad (0 < \rho < 1); \qquad
        c^* = 0\ (\rho \le 0), \quad \infty\ (\rho = 1)

    Source: ours; the stationary point of ``generalization_loss``.

    Parameters
    ----------
    overlap : array_like, any shape
        Correlation :math:`\rho` of student's and teacher's logits, in [-1, 1].
    k : int or array of ints, broadcasts against `overlap`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape; +inf at overlap 1

    Examples
    --------
    >>> optimal_scale([0.0, 0.5, 0.9, 1.0], 10).round(3)
    array([0.   , 0.944, 3.051,   inf])
    """
    return _pointwise(_optimal_scale, overlap, k)


def optimal_loss(overlap: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Least generalisation loss over the norm of the logits, a Legendre transform of the log partition function.

    .. math::
        E^*(\rho) = \min_c [F(c) - c\,\rho\,m_k] = -F^*(\rho\,m_k); \qquad
        \log k\ (\rho \le 0), \quad 0\ (\rho = 1)

    Source: ours; the random energy model would give :math:`\log k - \rho^2 m_k^2/2`.

    Parameters
    ----------
    overlap : array_like, any shape
        Correlation :math:`\rho` of student's and teacher's logits, in [-1, 1].
    k : int or array of ints, broadcasts against `overlap`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape (nats)

    Examples
    --------
    >>> optimal_loss([0.0, 0.5, 0.9, 1.0], 10).round(3)
    array([2.303, 1.958, 0.93 , 0.   ])
    """
    return _pointwise(_optimal_loss, overlap, k)


def _optimal_loss(overlap: float, k: int) -> float:
    return 0.0 if overlap == 1.0 else float(generalization_loss(_optimal_scale(overlap, k), overlap, k))


def _optimal_scale(overlap: float, k: int) -> float:
    if overlap <= 0.0:
        return 0.0
    if overlap == 1.0:
        return float("inf")
    strength = float(expected_maximum(k))

    def excess(log_scale: float) -> float:
        """Negative below the optimum, without cancellation at either end."""
        scale = float(np.exp(log_scale))
        if overlap < 0.5:
            return (k - 1.0) * scale * float(isotropic_gain(scale, k)) / (overlap * strength) - 1.0
        return 1.0 - float(isotropic_slope_deficit(scale, k)) / ((1.0 - overlap) * strength)

    # The gain is at most 1/k, so that the scale is above the overlap, 1.13 times or more.
    start = end = float(np.log(overlap))
    while excess(end) < 0:
        end += 1.0
    return float(np.exp(brentq(excess, start, end, xtol=1e-14, rtol=1e-14)))


def _pointwise(func: Callable[[float, int], float], overlap: ArrayLike, k: ArrayLike) -> FloatOrArray:
    """`func` at every pair of an overlap and a number of classes."""
    overlaps, classes = broadcast(overlap=_overlap(overlap), k=_classes(k))
    return like_input(np.vectorize(func, otypes=[np.float64])(overlaps, classes.astype(np.int64)))


def _overlap(overlap: ArrayLike) -> Array:
    return within("overlap", overlap, -1.0, 1.0)


def _classes(k: ArrayLike) -> Array:
    return counts("k", k, minimum=2).astype(np.float64)
