r"""Finite-size corrections: fluctuations of an outlier and of the noise's edge, and overlap in the bulk.

The noise has independent entries of variance 1/columns; the aspect is :math:`A` = rows/columns.
"""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, bounded, broadcast, like_input, nonnegative, positive, real_array, whole
from mtlbook_lib.theory import tracy_widom
from mtlbook_lib.theory.marchenko_pastur import support


def outlier_variance(s: ArrayLike, aspect: ArrayLike, n_cols: int) -> FloatOrArray:
    r"""Variance of the data's outlier over draws of the noise, to leading order in 1/size.

    .. math::
        \operatorname{Var}\hat s = \frac{(s^4 - A)(2s^2 + 1 + A)}{2\,n_{\rm cols}\,s^2(1 + s^2)(A + s^2)}

    the closed form of the fluctuation of :math:`(1 - s g_{uv})^2 = s^2 g_{uu}g_{vv}` at :math:`z = \hat s`, with
    :math:`\operatorname{Var}g_{uu} = 2(q_1 - p_1^2)/n_{\rm rows}`, :math:`\operatorname{Var}g_{vv} = 2(q_2 -
    p_2^2)/n_{\rm cols}`, :math:`\operatorname{Var}g_{uv} = \langle x^2/(z^2 - x^2)^2\rangle/n_{\rm cols}`,
    :math:`p = \langle z/(z^2 - x^2)\rangle` and :math:`q = \langle z^2/(z^2 - x^2)^2\rangle` over the singular values
    :math:`x` of the noise, zero modes included, per row (1) and per column (2).

    Source: derived here, beyond Lampinen & Ganguli (2019). At aspect 1 it is :math:`(1 - 1/s^2)/n_{\rm cols}`.

    Parameters
    ----------
    s : array_like, any shape
        Singular value of the signal (dimensionless), above the threshold :math:`A^{1/4}`: below, no outlier exists.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.
    n_cols : int
        Number of columns.

    Returns
    -------
    float or ndarray, the common shape of `s` and `aspect`
        A variance, not a standard deviation.

    Examples
    --------
    >>> round(outlier_variance(2.0, 1.0, n_cols=100), 4)
    0.0075
    """
    s, aspect = broadcast(s=real_array("s", s), aspect=positive("aspect", aspect))
    n_cols = whole("n_cols", n_cols)
    if np.any(s <= aspect**0.25):
        raise ValueError(f"s must exceed the threshold aspect**(1/4) = {aspect**0.25}; got {s}.")
    noise = (1 / s) ** 2  # in this variable, large signals do not overflow
    shape = (1 - aspect * noise**2) * (1 + (1 + aspect) * noise / 2)
    return like_input(shape / ((1 + noise) * (1 + aspect * noise)) / n_cols)


def bulk_cross_density(s: ArrayLike, s_bar: ArrayLike, aspect: ArrayLike) -> FloatOrArray:
    r"""Density over the bulk of the signed overlap that its modes keep with one mode of the signal.

    .. math::
        \rho(s) = \frac{A\,s\,P(s)}{\bar s\,(s_*^2 - s^2)}, \qquad s_*^2 = \frac{(1 + \bar s^2)(A + \bar s^2)}{\bar s^2}

    so that :math:`\sum_{\rm bulk} f(s_b)(\hat u_b\cdot\bar u)(\hat v_b\cdot\bar v) \to \int f\rho`. With the outlier's
    part it exhausts the signal: :math:`\int s\rho\,ds + \hat s\,\mathcal O(\bar s) = \bar s`.

    Source: derived here; Lampinen & Ganguli (2019), eq. 15, keep the leading order, in which this overlap is absent.

    Parameters
    ----------
    s : array_like, any shape
        Singular value in the noise's bulk (dimensionless); 0 outside the support.
    s_bar : array_like, broadcasts against `s`
        Singular value of the signal, >= 0, above or below threshold.
    aspect : array_like, broadcasts against `s`
        Aspect :math:`A` = rows/columns, > 0.

    Returns
    -------
    float or ndarray, the common shape of the arguments
        Exactly at threshold the density grows like an inverse root towards the upper edge; at the edge itself it is 0,
        as it is for every other `s_bar`.

    Examples
    --------
    >>> bulk_cross_density(1.0, [0.0, 0.5, 2.0], 1.0).round(3)
    array([0.   , 0.21 , 0.053])
    """
    s, s_bar, aspect = broadcast(
        s=real_array("s", s), s_bar=bounded("s_bar", s_bar, nonnegative), aspect=positive("aspect", aspect)
    )
    lower, upper = support(aspect)
    inside, s = s < upper, np.clip(s, lower, upper)
    below, above = (s - lower) * (s + lower), (upper - s) * (upper + s)
    # s_*^2 - s^2 = (upper^2 - s^2) + (s_bar - sqrt(A)/s_bar)^2: no cancellation at the edge, nor at threshold.
    gap = s_bar**2 * above + (s_bar**2 - np.sqrt(aspect)) ** 2
    rho = np.divide(s_bar * np.sqrt(below * above), np.pi * gap, out=np.zeros_like(s), where=inside)
    return like_input(rho)


def largest_noise_singular_value(n_cols: int, n_rows: int) -> tuple[float, float]:
    r"""Mean and standard deviation of the largest singular value of pure noise of a given size.

    .. math::
        \hat s^2 n_{\rm cols} &\approx \mu + \sigma W, \qquad \mu = \left(\sqrt{n_{\rm cols} - 1} + \sqrt{n_{\rm rows}}
        \right)^2, \\
        \sigma &= \sqrt\mu\left(\frac{1}{\sqrt{n_{\rm cols} - 1}} + \frac{1}{\sqrt{n_{\rm rows}}}
        \right)^{1/3}

    with :math:`W` of the Tracy–Widom law for real matrices. The mean is the root at the mean of :math:`W`, the
    deviation that of the root expanded about :math:`\mu`.

    Source: Johnstone (2001), for the edge that Lampinen & Ganguli (2019), eq. 13, give in the limit.

    Parameters
    ----------
    n_cols : int
        Number of columns, at least 2.
    n_rows : int
        Number of rows, at least 1.

    Returns
    -------
    mean, standard_deviation : float
        In the units of noise with entries of variance 1/`n_cols`.

    Examples
    --------
    The edge is at 1.5 in the limit of large matrices:

    >>> np.round([largest_noise_singular_value(n, n // 4) for n in (40, 4000)], 3)
    array([[1.411, 0.078],
           [1.496, 0.004]])
    """
    n_cols = whole("n_cols", n_cols, minimum=2)
    centre, width = edge_law(n_cols, whole("n_rows", n_rows))
    mean = np.sqrt((centre + width * tracy_widom.MEAN) / n_cols)
    return float(mean), float(width * tracy_widom.STANDARD_DEVIATION / (2 * np.sqrt(n_cols * centre)))


def edge_law(n_cols: int, n_rows: int) -> tuple[float, float]:
    """Centre and width of the largest eigenvalue of the Gram matrix of noise with entries of variance 1."""
    root = float(np.sqrt(n_cols - 1) + np.sqrt(n_rows))
    return root**2, root * float(1 / np.sqrt(n_cols - 1) + 1 / np.sqrt(n_rows)) ** (1 / 3)
