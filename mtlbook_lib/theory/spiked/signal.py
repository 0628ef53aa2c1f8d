"""Where the singular values of a low-rank signal go in noise, and how far its singular vectors turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, like_input, nonnegative, positive, whole
from mtlbook_lib.theory.marchenko_pastur import support


def threshold(aspect: ArrayLike) -> FloatOrArray:
    r"""Singular value that a mode of the signal must exceed to leave a trace in the data.

    .. math:: \bar s_c = A^{1/4}

    Source: Lampinen & Ganguli (2019), eq. 11; it holds for any aspect, also above 1.

    Parameters
    ----------
    aspect : array_like, any shape
        Aspect :math:`A` = rows/columns, > 0.

    Examples
    --------
    >>> threshold([0.0625, 1.0, 16.0])
    array([0.5, 1. , 2. ])
    """
    return like_input(positive("aspect", aspect) ** 0.25)


def noisy_singular_value(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Singular value of the data that belongs to a singular value of the signal.

    .. math:: \hat s = \frac{\sqrt{(1 + s^2)(A + s^2)}}{s} \quad (s > A^{1/4}), \qquad 1 + \sqrt A \quad \text{else}

    Source: Lampinen & Ganguli (2019), eq. 11, stated there for A <= 1; it holds for any A (Benaych-Georges &
    Nadakuditi, 2012).

    Parameters
    ----------
    s : array_like, any shape
        Singular value of the signal (dimensionless), >= 0.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`
        The noise's upper edge at and below threshold.

    Examples
    --------
    >>> noisy_singular_value([0.5, 1.0, 2.0], 1.0)
    array([2. , 2. , 2.5])
    """
    s, aspect = broadcast(s=nonnegative("s", s), aspect=positive("aspect", aspect))
    critical, edge = threshold(aspect), support(aspect)[1]
    visible = np.maximum(s, critical)
    outlier = np.hypot(1, visible) * np.hypot(1, np.sqrt(aspect) / visible)
    return like_input(np.where(s > critical, np.maximum(outlier, edge), edge))


def left_overlap(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Overlap of the left singular vectors (row side) of data and signal.

    .. math:: |\hat u\cdot u| = \sqrt{\frac{s^4 - A}{s^2(s^2 + A)}} \quad (s > A^{1/4}), \qquad 0 \quad \text{else}

    Source: Lampinen & Ganguli (2019), eq. 12, first factor; it holds for any aspect.

    Parameters
    ----------
    s : array_like, any shape
        Singular value of the signal (dimensionless), >= 0.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`

    Examples
    --------
    >>> left_overlap([0.5, 1.0, 5.0], 0.25).round(3)
    array([0.   , 0.775, 0.995])
    """
    s, aspect = broadcast(s=nonnegative("s", s), aspect=positive("aspect", aspect))
    return like_input(np.sqrt(_excess(s, aspect)) / np.hypot(1, np.sqrt(aspect) / np.maximum(s, threshold(aspect))))


def right_overlap(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Overlap of the right singular vectors (column side) of data and signal.

    .. math:: |\hat v\cdot v| = \sqrt{\frac{s^4 - A}{s^2(s^2 + 1)}} \quad (s > A^{1/4}), \qquad 0 \quad \text{else}

    Source: Lampinen & Ganguli (2019), eq. 12, second factor; it holds for any aspect.

    Parameters
    ----------
    s : array_like, any shape
        Singular value of the signal (dimensionless), >= 0.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`

    Examples
    --------
    >>> right_overlap([0.5, 1.0, 5.0], 0.25).round(3)
    array([0.   , 0.612, 0.98 ])
    """
    s, aspect = broadcast(s=nonnegative("s", s), aspect=positive("aspect", aspect))
    return like_input(np.sqrt(_excess(s, aspect)) / np.hypot(1, 1 / np.maximum(s, threshold(aspect))))


def overlap(s: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Product of the overlaps of the left and of the right singular vectors of data and signal.

    .. math:: \mathcal O(s) = \frac{s^4 - A}{s^2\sqrt{(s^2 + A)(s^2 + 1)}} \quad (s > A^{1/4}), \qquad
        0 \quad \text{else}

    Source: Lampinen & Ganguli (2019), eq. 12.

    Parameters
    ----------
    s : array_like, any shape
        Singular value of the signal (dimensionless), >= 0.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`

    Examples
    --------
    >>> overlap([0.5, 1.0, 5.0], 0.25).round(3)
    array([0.   , 0.474, 0.975])
    """
    s, aspect = broadcast(s=nonnegative("s", s), aspect=positive("aspect", aspect))
    visible = np.maximum(s, threshold(aspect))
    return like_input(_excess(s, aspect) / np.hypot(1, np.sqrt(aspect) / visible) / np.hypot(1, 1 / visible))


def spike(
    theta: ArrayLike, n_rows: int, n_cols: int, variance: ArrayLike
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray]:
    r"""Outlier and squared overlaps of a rank-one signal in noise of any size and variance.

    .. math::
        \hat s = \frac{\sqrt{(\theta^2 + \sigma^2 n)(\theta^2 + \sigma^2 m)}}{\theta}, \qquad
        |\hat u\cdot u|^2 = \frac{\theta^4 - \sigma^4 nm}{\theta^2(\theta^2 + \sigma^2 n)}, \qquad
        |\hat v\cdot v|^2 = \frac{\theta^4 - \sigma^4 nm}{\theta^2(\theta^2 + \sigma^2 m)}

    where :math:`\theta^4 > \sigma^4 nm`; else the edge :math:`\sigma(\sqrt n + \sqrt m)` and no overlap.

    Source: Lampinen & Ganguli (2019), eqs. 11 and 12 in units in which rows and columns play the same part.

    Parameters
    ----------
    theta : array_like, any shape
        Singular value of the signal, >= 0, in the units of the noise's standard deviation.
    n_rows, n_cols : int
        Shape :math:`n \times m` of the matrix.
    variance : array_like, broadcasts against `theta`
        Variance :math:`\sigma^2` of one entry of the noise, > 0.

    Returns
    -------
    s_hat, left_overlap_squared, right_overlap_squared : float or ndarray, the common shape of `theta` and `variance`

    Examples
    --------
    >>> np.round(spike(10.0, 25, 100, 1.0), 3)
    array([15.811,  0.6  ,  0.375])
    """
    theta, variance = broadcast(theta=nonnegative("theta", theta), variance=positive("variance", variance))
    n_rows, n_cols = whole("n_rows", n_rows), whole("n_cols", n_cols)
    unit = np.sqrt(variance) * np.sqrt(n_cols)
    s, aspect = theta / unit, n_rows / n_cols
    left, right = (np.asarray(overlap_of(s, aspect)) for overlap_of in (left_overlap, right_overlap))
    return like_input(unit * np.asarray(noisy_singular_value(s, aspect))), like_input(left**2), like_input(right**2)


def _excess(s: Array, aspect: Array) -> Array:
    # 1 - A/s^4 above threshold and 0 below, factorised so that nothing cancels near threshold.
    critical = threshold(aspect)
    visible = np.maximum(s, critical)
    ratio = critical / visible
    excess: Array = (visible - critical) / visible * (1 + ratio) * (1 + ratio**2)
    return excess
