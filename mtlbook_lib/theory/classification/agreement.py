"""How often two correlated sets of isotropic logits have the same largest one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, owens_t

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, counts, like_input, within

_STEP = 1.0 / 16
_UNDERFLOW = 39.0  # a normal density beyond this is 0


def label_agreement(overlap: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Probability that two sets of isotropic logits of a given correlation give the same label.

    .. math::
        \Pr = k\iint \varphi_2(x, y; \rho)\,\Phi_2(x, y; \rho)^{k-1}\,dx\,dy; \qquad
        0\ (\rho = -1), \quad \frac1k\ (0), \quad 1\ (1)

    Source: ours; the fraction of labels that the noise of Lee & Ndirango (2019), App. A.1, leaves alone. For two
    classes it is :math:`1/2 + \arcsin(\rho)/\pi`.

    Parameters
    ----------
    overlap : array_like, any shape
        Correlation :math:`\rho` of each logit with its counterpart, in [-1, 1].
    k : int or array of ints, broadcasts against `overlap`
        Number of classes, at least 2.

    Examples
    --------
    >>> label_agreement([-1.0, 0.0, 0.5, 1.0], 2).round(3)
    array([0.   , 0.5  , 0.667, 1.   ])
    """
    classes = counts("k", k, minimum=2).astype(np.float64)
    overlaps, classes = broadcast(overlap=within("overlap", overlap, -1.0, 1.0), k=classes)
    values = np.empty(overlaps.shape)
    for rho in np.unique(overlaps):
        here = overlaps == rho
        values[here] = _agreements(float(rho), classes[here])
    return like_input(values)


def _agreements(overlap: float, k: Array) -> list[float]:
    """Trapezoid over sum and difference of the two logits, in units in which both have variance 1.

    The law of a pair, which takes most of the time, serves all numbers of classes.
    """
    if abs(overlap) == 1.0:
        return [max(overlap, 0.0)] * k.size
    first, last, width = _reach(overlap, k.max())
    a = _half_points(first, last)[:, None]
    # Exchanging the two sets changes the sign of the difference only.
    b = _half_points(0, width)[None, :]
    log_both_below = np.log1p(-np.minimum(_either_above(a, b, overlap), 1.0 - 2.0**-53))
    weights = np.exp(-(a**2 + b**2) / 2) / (2 * np.pi)
    values = []
    for n in k:
        # Each number of classes has the points that it would have alone.
        start, stop, wide = _reach(overlap, n)
        here = slice(start - first, stop - first), slice(0, wide)
        power = np.exp((n - 1) * np.ascontiguousarray(log_both_below[here]))
        values.append(float(2 * _STEP**2 * n * np.sum(weights[here] * power)))
    return values


def _reach(overlap: float, k: float) -> tuple[int, int, int]:
    """First and last point of the sum, and last point of the difference, in steps; they grow with `k`."""
    reach = np.sqrt(2 * (40 + np.log(k)))
    # Opposed logits agree where both are extreme, at a sum beyond the reach of a Gaussian.
    extreme = min(2 * np.sqrt(np.log(k) / (1 + overlap)), _UNDERFLOW)
    width = int(reach / _STEP)
    return -width, width + int(extreme / _STEP), width


def _half_points(first: int, last: int) -> Array:
    """Odd multiples of half a step between two multiples of the step."""
    return np.asarray(_STEP * (np.arange(first, last) + 0.5), dtype=np.float64)


def _either_above(a: Array, b: Array, overlap: float) -> Array:
    r"""Chance that a pair of correlation `overlap` exceeds the thresholds x or y, with a small one to all digits.

    x and y are :math:`\alpha a \pm \beta b`. Owen's function takes the slopes :math:`(\beta a \mp \alpha b)/x`,
    which are free of the cancellation in :math:`(y - \rho x)/\sqrt{1 - \rho^2}`.
    """
    alpha, beta = np.sqrt((1 + overlap) / 2), np.sqrt((1 - overlap) / 2)
    x, y = alpha * a + beta * b, alpha * a - beta * b
    # A threshold of exactly 0 may be moved by less than the accuracy of the result.
    x, y = np.where(x == 0, 1e-200, x), np.where(y == 0, 1e-200, y)
    owen = owens_t(x, (beta * a - alpha * b) / x) + owens_t(y, (beta * a + alpha * b) / y)
    return np.asarray((ndtr(-x) + ndtr(-y)) / 2 + owen + np.where(x * y < 0, 0.5, 0.0))
