r"""The random energy model of the softmax, and closed forms of the gain that are right at both ends."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, counts, flag, like_input, nonnegative
from mtlbook_lib.theory.softmax.extremes import expected_maximum


def rem_critical_norm(k: ArrayLike) -> FloatOrArray:
    r"""Norm at which the random energy model freezes.

    .. math:: s_c = \sqrt{2\log k}

    Source: the random energy model (Derrida), to which Lee & Ndirango (2019), App. A.3, refer for large norms; the
    formula itself is lost in our copy of the paper. See the chapter on the random energy model.

    Parameters
    ----------
    k : int or array of ints, any shape
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, shape of `k` (standard deviation of a logit)

    Examples
    --------
    >>> round(rem_critical_norm(10), 3)
    2.146
    """
    return like_input(np.sqrt(2 * np.log(counts("k", k, minimum=2))))


def rem_log_partition(s: ArrayLike, k: ArrayLike, annealed: bool = False) -> FloatOrArray:
    r"""Log partition function of the random energy model.

    .. math:: F(s) = \log k + \frac{s^2}{2}\ (s \le s_c), \qquad s\,s_c\ (s > s_c)

    Source: the random energy model (Derrida), to which Lee & Ndirango (2019), App. A.3, refer for large norms.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.
    annealed : bool
        Use :math:`\log k + s^2/2` at every norm: the logarithm of the mean, an upper bound of the exact function.

    Returns
    -------
    float or ndarray, the common shape (nats)

    Examples
    --------
    >>> rem_log_partition([0.0, 1.0, 5.0], 10).round(3)
    array([ 2.303,  2.803, 10.73 ])
    """
    norms, critical, classes = _arguments(s, k)
    if flag("annealed", annealed):
        bounded("s", norms)
    thawed = norms if annealed else np.minimum(norms, critical)
    return like_input(np.log(classes) + thawed**2 / 2 + (norms - thawed) * critical)  # from there on a straight line


def rem_gain(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Gain of the softmax in the random energy model.

    .. math:: g(s) = \frac{\min(1, s_c/s)}{k - 1}

    Source: the random energy model, to which Lee & Ndirango (2019), App. A.3, refer for large norms; it is
    :math:`F'(s)/((k - 1)s)` of ``rem_log_partition``.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape; too large at every norm (``isotropic_gain`` is exact)

    Examples
    --------
    >>> rem_gain([0.0, 1.0, 5.0], 10).round(3)
    array([0.111, 0.111, 0.048])
    """
    norms, critical, classes = _arguments(s, k)
    return like_input(critical / np.maximum(norms, critical) / (classes - 1))


def calibrated_gain(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Gain of the random energy model, made right at both ends: small norms and large ones.

    .. math:: g(s) = \min\Big(\frac1k, \frac{m_k}{(k - 1)s}\Big)

    Source: ours; ``rem_gain`` with the exact strength of the labels, :math:`m_k`, for its limit :math:`s_c`.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape; too large at every norm above 0, most where the two branches meet

    Examples
    --------
    >>> calibrated_gain([0.0, 1.0, 5.0], 10).round(3)
    array([0.1  , 0.1  , 0.034])
    """
    norms, _, classes = _arguments(s, k)
    kink = classes * np.asarray(expected_maximum(k)) / (classes - 1)
    return like_input(kink / np.maximum(norms, kink) / classes)


def interpolated_gain(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Gain of the softmax on isotropic logits in closed form, exact at both ends and near it between.

    .. math:: g(s) = \frac1k\,(1 + X^p)^{-1/p}, \qquad X = \frac{s\,(k - 1)}{k\,m_k}, \quad p = 1.60 + 0.305\ln k

    Source: ours; with p = 2 and two classes it is MacKay's approximation of the probit. The exponent is a fit: the
    error is below 0.7 % for 2 classes, 0.4 % for 10, 1.4 % for 1000, 2.2 % for a million.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape

    Examples
    --------
    >>> interpolated_gain([0.0, 1.0, 5.0], 10).round(4)
    array([0.1   , 0.0895, 0.033 ])
    """
    norms, _, classes = _arguments(s, k)
    ratio = norms * ((classes - 1) / (classes * np.asarray(expected_maximum(k))))
    power = 1.60 + 0.305 * np.log(classes)
    # Neither a ratio of 0 nor a huge one may overflow on its way through the power.
    small, large = np.minimum(ratio, 1.0), np.maximum(ratio, 1.0)
    return like_input(((1 / large) ** power + small**power) ** (-1 / power) / large / classes)


def _arguments(s: ArrayLike, k: ArrayLike) -> tuple[Array, Array, Array]:
    """Norms, critical norms and numbers of classes, brought to one shape."""
    norms, classes = broadcast(s=nonnegative("s", s), k=counts("k", k, minimum=2).astype(np.float64))
    return norms, np.sqrt(2 * np.log(classes)), classes
