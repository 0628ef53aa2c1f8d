r"""Mean softmax Jacobians that are one-dimensional integrals: independent logits, one direction, two classes."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import roots_sh_legendre

from mtlbook_lib._checks import Array, FloatOrArray, bounded, like_input, nonnegative, real_array, scalar
from mtlbook_lib.theory.softmax.gumbel import SmoothedLaw, smoothed_law, threshold_range

_NODES, _WEIGHTS = roots_sh_legendre(16)  # between 0 and 1
_CORE, _GROWTH = 20.0, 0.1  # panels of thresholds are 2 long up to about 20, and a tenth of the distance beyond
_SPREAD = 1.0  # panels along one direction: in units of 1/slope near 0, and relative to the distance beyond


def mean_jacobian_independent(std: ArrayLike) -> Array:
    r"""Mean softmax Jacobian of independent logits of unequal strength.

    .. math::
        G_{ij} = -\int q_i(x)\,q_j(x)\prod_{l \ne i,j} Q_l(x)\,dx\quad (i \ne j), \qquad G_{ii} = -\sum_{j \ne i} G_{ij}

    with the distribution :math:`Q_i` and the density :math:`q_i` of logit i plus a standard Gumbel variable.

    Source: ours; Lee & Ndirango (2019), eq. 13, for a diagonal covariance.

    Parameters
    ----------
    std : array_like, shape (k,)
        Standard deviation of each logit (dimensionless), >= 0; at least two logits.

    Returns
    -------
    ndarray, shape (k, k)
        :math:`G = E[\mathrm{diag}\,p - pp^T]`; rows and columns sum to 0.

    Examples
    --------
    >>> mean_jacobian_independent([1.0, 3.0]).round(3)
    array([[ 0.11, -0.11],
           [-0.11,  0.11]])
    """
    std = _vector("std", std)
    bounded("std", std, nonnegative)
    levels, which = np.unique(std, return_inverse=True)
    ties = np.zeros((std.size, std.size))
    for nodes, weights in zip(*_on_panels(_thresholds(float(levels[-1]), std.size)), strict=True):
        laws = [smoothed_law(nodes, float(level)) for level in levels]
        ties += _ties([laws[level] for level in which], weights)
    return _laplacian(ties)


def mean_jacobian_rank_one(s: float, u: ArrayLike) -> Array:
    r"""Mean softmax Jacobian of logits that move along one direction, :math:`z = s\,\xi\,u`.

    .. math::
        G = \int \varphi(\xi)\,[\mathrm{diag}\,p - pp^T](s\,\xi\,u)\,d\xi, \qquad \xi \sim N(0, 1)

    Source: ours; Lee & Ndirango (2019), eq. 13, for the rank-one teacher of eq. 3.

    Parameters
    ----------
    s : float
        Strength of the logits (dimensionless), >= 0.
    u : array_like, shape (k,)
        Direction; at least two entries. It need not have unit norm.

    Returns
    -------
    ndarray, shape (k, k); rows and columns sum to 0

    Examples
    --------
    >>> mean_jacobian_rank_one(2.0, [1.0, -1.0, 0.0]).round(3)
    array([[ 0.118, -0.047, -0.071],
           [-0.047,  0.118, -0.071],
           [-0.071, -0.071,  0.141]])
    """
    s, u = scalar("s", s, nonnegative), _vector("u", u)
    spread = float(np.ptp(u))
    with np.errstate(over="ignore"):
        reach = min(s * spread, 1e300)
    # In units of the spread all exponents lie in [-1, 0]; a direction without spread leaves the logits equal.
    exponents = (u - u.max()) / spread if spread > 0 else np.zeros_like(u)
    ties = np.zeros((u.size, u.size))
    xi, weights = (values.ravel() for values in _on_panels(_half_line(reach)))
    weights *= _normal(xi)
    for signed in (exponents, -1.0 - exponents):
        powers = np.exp(reach * xi[:, None] * signed)
        p = powers / powers.sum(axis=1, keepdims=True)
        ties += p.T @ (weights[:, None] * p)
    return _laplacian(ties)


def binary_gain(std: ArrayLike) -> FloatOrArray:
    r"""Mean slope of the logistic function at a Gaussian argument.

    .. math:: E[\sigma(u)(1 - \sigma(u))], \quad u \sim N(0, \mathrm{std}^2); \qquad \frac14\ (0), \quad
        \frac{1}{\sqrt{2\pi}\,\mathrm{std}}\ (\infty)

    Source: ours; Lee & Ndirango (2019), eq. 13, for two classes, where the mean Jacobian is
    :math:`2\,E[\sigma'](I - 11^T/2)` whatever the covariance.

    Parameters
    ----------
    std : array_like, any shape
        Standard deviation of the difference of the two logits (dimensionless), >= 0.

    Returns
    -------
    float or ndarray, shape of `std`; the gain of two classes is twice it

    Examples
    --------
    >>> binary_gain([0.0, 1.0, 100.0]).round(4)
    array([0.25  , 0.2066, 0.004 ])
    """
    std = nonnegative("std", std)
    # A trapezoid in a variable of which the narrower factor has width 1: the Gaussian, or the logistic slope.
    step = 0.5
    nodes = step * np.arange(-80, 81)
    slower = 1.0 / np.hypot(1.0, std)[..., None]
    values = slower * _normal(slower * nodes) * (0.25 / np.cosh(std[..., None] * slower * nodes / 2) ** 2)
    return like_input(step * values.sum(axis=-1))


def _ties(laws: list[SmoothedLaw], weights: Array) -> Array:
    """Integrals of q_i q_j times the other distributions, as hazards times the product of all distributions."""
    log_cdf = np.array([law.log_cdf() for law in laws])
    hazard = np.array([law.density for law in laws]) / np.exp(log_cdf)
    return np.asarray(hazard @ (weights * np.exp(log_cdf.sum(axis=0)) * hazard).T)


def _thresholds(std: float, k: int) -> Array:
    """Edges of panels: even where weak logits decide, and growing in proportion beyond."""
    lower, upper = np.arcsinh(np.array(threshold_range(std, k)) / _CORE)
    return np.asarray(_CORE * np.sinh(np.arange(lower, upper, _GROWTH)))


def _half_line(reach: float) -> Array:
    """Edges of panels from 0 to 10 or more, gathered at 0, where exponentials of slope `reach` start to fall."""
    start = 1.0 / (1.0 + reach)
    return np.asarray(start * np.sinh(np.arange(0.0, np.arcsinh(10 / start) + _SPREAD, _SPREAD)))


def _on_panels(edges: Array) -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights, shape (panels, nodes)."""
    lengths = np.diff(edges)[:, None]
    return edges[:-1, None] + lengths * _NODES, lengths * _WEIGHTS


def _laplacian(ties: Array) -> Array:
    """The Jacobian whose off-diagonal entries are minus `ties` and whose rows sum to 0."""
    off = -(ties + ties.T) / 2
    np.fill_diagonal(off, 0.0)
    np.fill_diagonal(off, -off.sum(axis=1))
    return off


def _normal(x: Array) -> Array:
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi))


def _vector(name: str, value: ArrayLike) -> Array:
    array = real_array(name, value)
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{name} must be a vector of at least two entries; got shape {array.shape}.")
    return array
