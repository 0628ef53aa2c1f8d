"""What random labels do to a yes-no task: how much of its covariance with the inputs is left."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import broadcast, like_input, within


def random_label_factor(prevalence: ArrayLike, share: ArrayLike) -> Any:
    r"""Factor of the covariance of a yes-no label with any input, after some labels are drawn anew.

    .. math:: c = (1 - s) \sqrt{\frac{p(1 - p)}{q(1 - q)}}, \qquad q = (1 - s)\, p + s/2

    for labels of unit variance, before and after. At :math:`p = 1/2` it is :math:`1 - s`; for rare labels far less.

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

    Raises
    ------
    ValueError
        If an argument is out of range, or the shapes do not fit.

    Notes
    -----
    Source: ours, for the label noise of Wu, Zhang & Ré (2020), Sec. 3.3 and App. B.5.
    """
    ones, drawn = within("prevalence", prevalence, 0.0, 1.0), within("share", share, 0.0, 1.0)
    if np.any((ones == 0) | (ones == 1)):
        raise ValueError("prevalence must lie above 0 and below 1: a label that does not vary has no direction.")
    p, s = broadcast(prevalence=ones, share=drawn)
    q = (1 - s) * p + s / 2
    return like_input((1 - s) * np.sqrt(p * (1 - p) / (q * (1 - q))))
