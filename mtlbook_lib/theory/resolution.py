"""Resolution of a data set: errors of a gain on the same test rows, and what random labels leave of a task."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, owens_t

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, like_input, real_array, within

__all__ = ["accuracy_gain_error", "area_gain_error", "random_label_factor"]
_MOST_ROWS = 1e12


def accuracy_gain_error(disagreement: ArrayLike, n_rows: ArrayLike, gain: ArrayLike = 0.0) -> FloatOrArray:
    r"""Standard error of the difference of two accuracies on the same rows.

    .. math:: \sqrt{\frac{\pi - g^2}{n}}

    On each row the difference of the two is 1, 0 or -1: not 0 on a share :math:`\pi` of the rows, with mean :math:`g`.

    Parameters
    ----------
    disagreement : array_like
        :math:`\pi`, the share of the rows on which one model is right and the other wrong, 0 to 1.
    n_rows : array_like
        Number of test rows :math:`n`, 1 to 1e12.
    gain : array_like
        :math:`g`, the difference of the accuracies, at most :math:`\pi` in size.

    Returns
    -------
    float or ndarray
        In the shape to which the arguments broadcast.

    Notes
    -----
    For fixed models and random rows; what another seed of the training would change is not in it. Source: the variance
    in McNemar's test (1947).

    Examples
    --------
    A gain below two of these would not be seen:

    >>> accuracy_gain_error(0.1, [100, 400, 1600]).round(3)
    array([0.032, 0.016, 0.008])
    """
    share, mean = within("disagreement", disagreement, 0.0, 1.0), real_array("gain", gain)
    share, n, mean = broadcast(disagreement=share, n_rows=within("n_rows", n_rows, 1.0, _MOST_ROWS), gain=mean)
    if np.any(np.abs(mean) > share):
        raise ValueError("gain must lie between -disagreement and disagreement.")
    return like_input(np.sqrt((share - mean**2) / n))


def area_gain_error(
    area: ArrayLike, n_positive: ArrayLike, n_negative: ArrayLike, correlation: ArrayLike = 0.0
) -> FloatOrArray:  # fmt: skip
    r"""Standard error of the difference of two areas under the curve (AUC) on the same rows, for normal scores.

    .. math:: \sqrt{2 (C_1 - C_\rho)}, \qquad
        C_\rho = \frac{\Phi_2(h, h; \rho) - A^2 + (n_1 + n_0 - 2)(\Phi_2(h, h; \rho/2) - A^2)}{n_1 n_0}

    with :math:`h = \Phi^{-1}(A)` and :math:`\Phi_2(\cdot, \cdot; \rho)` the law of two normal numbers of correlation
    :math:`\rho`. :math:`C_\rho` is the covariance of the two areas; :math:`C_1` the variance of one.

    Parameters
    ----------
    area : array_like
        :math:`A` of both, 0.5 to 0.999.
    n_positive, n_negative : array_like
        Numbers of rows :math:`n_1, n_0`, 1 to 1e12.
    correlation : array_like
        :math:`\rho` of the two scores among rows of one class, 0 to 1.

    Returns
    -------
    float or ndarray
        In the shape to which the arguments broadcast. Divided by :math:`\sqrt2`, at correlation 0, the standard error
        of one area.

    Notes
    -----
    Scores of both classes have the same spread. Source: ours, from the variance of a Mann–Whitney statistic; Hanley &
    McNeil (1982) have other chances for exponential scores, and an error that is up to a third larger.

    Examples
    --------
    >>> area_gain_error(0.8, 20, 80, [0.0, 0.5, 0.9]).round(3)
    array([0.077, 0.057, 0.027])
    """
    a, n1, n0, rho = broadcast(
        area=within("area", area, 0.5, 0.999),
        n_positive=within("n_positive", n_positive, 1.0, _MOST_ROWS),
        n_negative=within("n_negative", n_negative, 1.0, _MOST_ROWS),
        correlation=within("correlation", correlation, 0.0, 1.0),
    )
    # The squares of A cancel in the difference.
    same_pair = a - _both_below(a, rho)
    same_row = _both_below(a, np.full_like(rho, 0.5)) - _both_below(a, rho / 2)
    return like_input(np.sqrt(2 * np.maximum(same_pair + (n1 + n0 - 2) * same_row, 0.0) / (n1 * n0)))


def random_label_factor(prevalence: ArrayLike, share: ArrayLike) -> FloatOrArray:
    r"""Factor of the covariance of a yes-no label with any input, after some labels are drawn anew.

    .. math:: c = (1 - s) \sqrt{\frac{p(1 - p)}{q(1 - q)}}, \qquad q = (1 - s)\, p + s/2

    for labels of unit variance, before and after. At :math:`p = 1/2` it is :math:`1 - s`; for rare labels far less.

    Source: ours, for the label noise of Wu, Zhang & Ré (2020), Sec. 3.3 and App. B.5.

    Parameters
    ----------
    prevalence : array_like
        :math:`p`, the share of ones among the true labels, above 0 and below 1.
    share : array_like
        :math:`s`, the share of the rows whose label is drawn anew, 0 or 1 with equal chances; 0 to 1.

    Returns
    -------
    float or ndarray
        In the shape to which the arguments broadcast; also the factor of the expected weight of Algorithm 2.

    Examples
    --------
    A fifth of the labels drawn anew costs a rare label more:

    >>> random_label_factor([0.5, 0.01], 0.2).round(3)
    array([0.8  , 0.256])
    """
    ones, drawn = within("prevalence", prevalence, 0.0, 1.0), within("share", share, 0.0, 1.0)
    if np.any((ones == 0) | (ones == 1)):
        raise ValueError("prevalence must lie above 0 and below 1: a label that does not vary has no direction.")
    p, s = broadcast(prevalence=ones, share=drawn)
    q = (1 - s) * p + s / 2
    return like_input((1 - s) * np.sqrt(p * (1 - p) / (q * (1 - q))))


def _both_below(share: Array, correlation: Array) -> Array:
    """Chance that two correlated normal numbers are both below the value that one is below with chance `share`."""
    return np.asarray(share - 2 * owens_t(ndtri(share), np.sqrt((1 - correlation) / (1 + correlation))))


def __dir__() -> list[str]:
    return list(__all__)
