r"""Independent logits of equal strength: mean Jacobian, log partition function, participation, all exact.

For :math:`z \sim N(0, s^2 I_k)` the mean Jacobian is :math:`G = g(s)(I - 11^T/k)`, and everything follows from
integrals over one threshold (see ``gumbel``), or from series in :math:`1/s` where the logits are far apart (see
``large_norm``).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, counts, like_input, nonnegative
from mtlbook_lib.theory.softmax.extremes import largest
from mtlbook_lib.theory.softmax.gumbel import SmoothedLaw, law_at_even_steps
from mtlbook_lib.theory.softmax.large_norm import (
    LARGE_NORM,
    log_partition_excess_series,
    slope_deficit_series,
)

_Single = Callable[[float, int], float]


def isotropic_gain(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Gain of the softmax on isotropic logits: its mean Jacobian is this multiple of the centring projector.

    .. math::
        &E[\mathrm{diag}\,p - pp^T] = g(s)\,(I - 11^T/k), \\
        &g(s) = k\int q(x)^2\,Q(x)^{k-2}\,dx, \quad g(0) = 1/k, \quad g \to \frac{m_k}{(k-1)s}

    with the distribution :math:`Q` and density :math:`q` of a logit plus a standard Gumbel variable.

    Source: ours; the exact form of the gain that Lee & Ndirango (2019), eqs. 13–15, estimate by the random energy
    model. Off the diagonal :math:`-G_{ij} = E[p_i p_j]` is the density of a tie between two logits with Gumbel
    noise.

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
    >>> isotropic_gain([0.0, 1.0, 5.0], 10).round(4)
    array([0.1   , 0.0895, 0.0329])
    """
    return _pointwise(_gain, s, k)


def isotropic_log_partition(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Mean logarithm of the softmax's denominator on isotropic logits.

    .. math::
        F(s) = E\log\sum_i e^{s\xi_i} = \int x\,d\,Q(x)^k - \gamma_E, \qquad
        F'(s) = (k - 1)\,s\,g(s), \quad F(0) = \log k

    Source: ours; the exact free energy behind the random energy model of Lee & Ndirango (2019), App. A.3.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape (nats)

    Examples
    --------
    >>> isotropic_log_partition([0.0, 1.0, 5.0], 10).round(3)
    array([2.303, 2.729, 7.969])
    """
    return _pointwise(_log_partition, s, k)


def isotropic_participation(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Mean sum of the squared class probabilities on isotropic logits.

    .. math:: Y(s) = E\sum_i p_i^2 = 1 - (k - 1)\,g(s), \qquad Y(0) = 1/k, \quad Y \to 1

    Source: ours; the order parameter of the freezing of the random energy model that Lee & Ndirango (2019) use. It
    is computed from its own integral :math:`k\int (q + q')Q^{k-1}dx`, whose integrand is positive.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape; 1/Y is the number of classes that share the probability

    Examples
    --------
    >>> isotropic_participation([0.0, 1.0, 5.0], 10).round(3)
    array([0.1  , 0.195, 0.704])
    """
    return _pointwise(_participation, s, k)


def isotropic_slope_deficit(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""How far the slope of the log partition function is below its limit.

    .. math:: h(s) = m_k - F'(s) = m_k - (k - 1)\,s\,g(s) > 0

    Source: ours. It drives the late training of an aligned student: labels of strength :math:`m_k/(k-1)` minus what
    it learned.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape; it falls as :math:`s^{-2}` and keeps its relative accuracy there

    Examples
    --------
    >>> isotropic_slope_deficit([0.0, 1.0, 5.0], 10).round(3)
    array([1.539, 0.733, 0.058])
    """
    return _pointwise(_deficit, s, k)


def isotropic_excess(s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    r"""Loss of a student whose logits are `s` times those that decide the labels.

    .. math:: F(s) - s\,m_k = -E\log\max_i p_i \ge 0

    Source: ours; the generalisation loss at overlap 1.

    Parameters
    ----------
    s : array_like, any shape
        Standard deviation of each logit of the student (dimensionless), >= 0.
    k : int or array of ints, broadcasts against `s`
        Number of classes, at least 2.

    Returns
    -------
    float or ndarray, the common shape (nats); it falls as :math:`1/s` and keeps its relative accuracy there

    Examples
    --------
    >>> isotropic_excess([0.0, 1.0, 5.0], 10).round(3)
    array([2.303, 1.19 , 0.275])
    """
    return _pointwise(_excess, s, k)


def _pointwise(func: _Single, s: ArrayLike, k: ArrayLike) -> FloatOrArray:
    """`func` at every pair of a norm and a number of classes."""
    norms, classes = broadcast(s=nonnegative("s", s), k=counts("k", k, minimum=2).astype(np.float64))
    values = [func(float(norm), int(number)) for norm, number in zip(norms.ravel(), classes.ravel(), strict=True)]
    return like_input(np.array(values).reshape(norms.shape))


def gain_and_log_partition(s: float, k: int) -> tuple[float, float]:
    """g(s) and F(s) from one law, for one norm below the large ones."""
    x, law, weight = _law(s, k)
    others = np.exp((k - 2) * law.log_cdf())
    mean = float(np.sum(weight * x * law.density * others * np.exp(law.log_cdf())))
    return float(np.sum(weight * law.density**2 * others)), mean - float(np.euler_gamma)


def _gain(s: float, k: int) -> float:
    if s >= LARGE_NORM:
        return (largest(k) - slope_deficit_series(s, k)) / (k - 1.0) / s
    return gain_and_log_partition(s, k)[0]


def _log_partition(s: float, k: int) -> float:
    if s >= LARGE_NORM:
        return s * largest(k) + log_partition_excess_series(s, k)
    return gain_and_log_partition(s, k)[1]


def _participation(s: float, k: int) -> float:
    if s >= LARGE_NORM:
        return 1.0 - (k - 1.0) * _gain(s, k)
    _, law, weight = _law(s, k)
    return float(np.sum(weight * law.squared * np.exp((k - 1) * law.log_cdf())))


def _deficit(s: float, k: int) -> float:
    return slope_deficit_series(s, k) if s >= LARGE_NORM else largest(k) - (k - 1.0) * s * _gain(s, k)


def _excess(s: float, k: int) -> float:
    return log_partition_excess_series(s, k) if s >= LARGE_NORM else _log_partition(s, k) - s * largest(k)


def _law(s: float, k: int) -> tuple[Array, SmoothedLaw, float]:
    """Thresholds, the law of one logit there, and k times the step, fine enough for the edge of the largest of k."""
    x, law, step = law_at_even_steps(s, k, 0.22 + 0.02 * s)
    return x, law, k * step
