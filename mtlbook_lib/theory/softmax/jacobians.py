r"""Mean softmax Jacobians that are one-dimensional integrals: independent logits, one direction, two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, like_input, nonnegative, real_array, scalar
from mtlbook_lib.theory.softmax.gumbel import SmoothedLaw, smoothed_law, threshold_range

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_TINY = 1e-100  # floor of a distribution function in a ratio; products of such factors vanish
_CHUNK = 1024  # thresholds handled at once


def mean_jacobian_independent(std: ArrayLike) -> Array:
    r"""Mean softmax Jacobian of independent logits of unequal strength.

    .. math::
        G_{ij} = -\int q_i(x)\,q_j(x)\prod_{l \ne i,j} Q_l(x)\,dx\quad (i \ne j), \qquad G_{ii} = -\sum_{j \ne i} G_{ij}

    with the distribution :math:`Q_i` and the density :math:`q_i` of logit i plus a standard Gumbel variable.

    Parameters
    ----------
    std : array_like, shape (k,)
        Standard deviation of each logit (dimensionless), >= 0; at least two logits.

    Returns
    -------
    ndarray, shape (k, k)
        :math:`G = E[\mathrm{diag}\,p - pp^T]`; rows and columns sum to 0.

    Raises
    ------
    ValueError
        If `std` is not a vector of at least two entries, or an entry is negative.

    Notes
    -----
    Source: ours; Lee & Ndirango (2019), eq. 13, for a diagonal covariance.
    """
    std = _vector("std", std)
    nonnegative("std", std)
    levels, which = np.unique(std, return_inverse=True)
    nodes, weights = _thresholds(float(levels[-1]), std.size)
    ties = np.zeros((std.size, std.size))
    for first in range(0, nodes.size, _CHUNK):
        part = slice(first, first + _CHUNK)
        laws = [smoothed_law(nodes[part], float(level)) for level in levels]
        ties += _ties([laws[level] for level in which], weights[part])
    return _laplacian(ties)


def mean_jacobian_rank_one(s: float, u: ArrayLike) -> Array:
    r"""Mean softmax Jacobian of logits that move along one direction, :math:`z = s\,\xi\,u`.

    .. math::
        G = \int \varphi(\xi)\,[\mathrm{diag}\,p - pp^T](s\,\xi\,u)\,d\xi, \qquad \xi \sim N(0, 1)

    Parameters
    ----------
    s : float
        Strength of the logits (dimensionless), >= 0.
    u : array_like, shape (k,)
        Direction; at least two entries. It need not have unit norm.

    Returns
    -------
    ndarray, shape (k, k); rows and columns sum to 0

    Raises
    ------
    ValueError
        If `s` is negative, or `u` is not a vector of at least two entries.
    TypeError
        If `s` is not a number.

    Notes
    -----
    Source: ours; Lee & Ndirango (2019), eq. 13, for the rank-one teacher of eq. 3.
    """
    s, u = scalar("s", s, nonnegative), _vector("u", u)
    spread = float(np.ptp(u))
    with np.errstate(over="ignore"):
        reach = min(s * spread, 1e300)
    # In units of the spread all exponents lie in [-1, 0]; a direction without spread leaves the logits equal.
    exponents = (u - u.max()) / spread if spread > 0 else np.zeros_like(u)
    ties = np.zeros((u.size, u.size))
    for signed in (exponents, -1.0 - exponents) if spread > 0 else (exponents, exponents):
        xi, weights = _half_line(reach)
        powers = np.exp(reach * xi[:, None] * signed)
        p = powers / powers.sum(axis=1, keepdims=True)
        ties += p.T @ (weights[:, None] * p)
    return _laplacian(ties)


def binary_gain(std: ArrayLike) -> Any:
    r"""Mean slope of the logistic function at a Gaussian argument.

    .. math:: E[\sigma(u)(1 - \sigma(u))], \quad u \sim N(0, \mathrm{std}^2); \qquad \frac14\ (0), \quad
        \frac{1}{\sqrt{2\pi}\,\mathrm{std}}\ (\infty)

    Parameters
    ----------
    std : array_like, any shape
        Standard deviation of the difference of the two logits (dimensionless), >= 0.

    Returns
    -------
    float or ndarray, shape of `std`; the gain of two classes is twice it

    Raises
    ------
    ValueError
        If `std` is negative.

    Notes
    -----
    Source: ours; Lee & Ndirango (2019), eq. 13, for two classes, where the mean Jacobian is
    :math:`2\,E[\sigma'](I - 11^T/2)` whatever the covariance.
    """
    std = nonnegative("std", std)
    nodes = np.asarray(0.2 * np.arange(-220, 221), dtype=np.float64)
    narrow, wide = np.minimum(std, 1.0)[..., None], np.maximum(std, 1.0)[..., None]
    # Narrow Gaussians are summed over their own variable, wide ones over the logistic function's.
    over_gauss = _logistic_slope(narrow * nodes) @ _normal(nodes)
    over_slope = (_normal(nodes / wide) / wide) @ _logistic_slope(nodes)
    return like_input(0.2 * np.where(std < 1.0, over_gauss, over_slope))


def _ties(laws: list[SmoothedLaw], weights: Array) -> Array:
    """Integrals of q_i q_j times the other distributions, as hazards times the product of all distributions."""
    log_cdf = np.array([law.log_cdf() for law in laws])
    cdf = np.array([np.maximum(1.0 - law.tail, _TINY) for law in laws])
    hazard = np.array([law.density for law in laws]) / cdf
    # Where a distribution function is below the accuracy of its complement, the floor must cancel between the factors.
    log_cdf = np.where(cdf == _TINY, np.log(_TINY), log_cdf)
    return np.asarray(hazard @ (weights * np.exp(log_cdf.sum(axis=0)) * hazard).T)


def _thresholds(std: float, k: int) -> tuple[Array, Array]:
    """Gauss–Legendre panels of length 2 where weak logits decide, and growing in proportion beyond."""
    lower, upper = threshold_range(std, k)
    core = 60.0 + np.log(k)
    edges = np.concatenate([-_panels(core, -lower)[::-1], _panels(core, upper)[1:]])
    half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (centre[:, None] + half[:, None] * _NODES).ravel(), (half[:, None] * _WEIGHTS).ravel()


def _panels(core: float, end: float) -> Array:
    """Edges from 0 to `end`: even up to the core, geometric beyond."""
    even = np.linspace(0.0, min(core, end), int(np.ceil(min(core, end) / 2)) + 1)
    if end <= core:
        return even
    return np.concatenate([even, np.geomspace(core, end, int(np.ceil(np.log(end / core) / 0.05)) + 1)[1:]])


def _half_line(reach: float) -> tuple[Array, Array]:
    """Nodes and Gaussian weights on (0, 9), gathered at 0, where exponentials of slope `reach` start to fall."""
    start = min(0.5, 0.5 / reach) if reach > 0 else 0.5
    edges = np.concatenate([[0.0], np.geomspace(start, 9.0, int(np.ceil(np.log(9.0 / start) / 0.3)) + 1)])
    half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    nodes = (centre[:, None] + half[:, None] * _NODES).ravel()
    return nodes, (half[:, None] * _WEIGHTS).ravel() * _normal(nodes)


def _laplacian(ties: Array) -> Array:
    """The Jacobian whose off-diagonal entries are minus `ties` and whose rows sum to 0."""
    off = -(ties + ties.T) / 2
    np.fill_diagonal(off, 0.0)
    np.fill_diagonal(off, -off.sum(axis=1))
    return off


def _logistic_slope(x: Array) -> Array:
    decay = np.exp(-np.abs(x))
    return np.asarray(decay / (1 + decay) ** 2)


def _normal(x: Array) -> Array:
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi))


def _vector(name: str, value: ArrayLike) -> Array:
    array = real_array(name, value)
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{name} must be a vector of at least two entries; got shape {array.shape}.")
    return array
