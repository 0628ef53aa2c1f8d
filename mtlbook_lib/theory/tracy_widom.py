r"""The Tracy–Widom law for real matrices: how the largest eigenvalue of noise scatters about the edge of its bulk."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import airy, roots_legendre

from mtlbook_lib._checks import FloatOrArray, like_input, real_array, within

__all__ = ["MEAN", "STANDARD_DEVIATION", "cdf", "quantile"]
MEAN = -1.2065336
STANDARD_DEVIATION = 1.2679831  # the root of the variance, 1.6077810
_NODES = 64  # the determinant is then exact to rounding for arguments above -10
_REACH = 32.0  # where the kernel's two arguments add up to this, it is below rounding
_BRACKET = (-10.0, 16.0)  # outside, the distribution function is 0 or 1 to within 1e-16
_LEAST_PROBABILITY = 1e-9  # nearer to 0 or 1, the determinant's rounding is felt


def cdf(x: ArrayLike) -> FloatOrArray:
    r"""Distribution function of the Tracy–Widom law for real matrices (:math:`\beta = 1`).

    .. math:: F_1(x) = \det(1 - K)_{L^2(x, \infty)}, \qquad K(\xi, \eta) = \tfrac12\operatorname{Ai}\!\left(
        \tfrac{\xi + \eta}{2}\right)

    Source: Ferrari & Spohn (2005) for the determinant, Bornemann (2010) for its evaluation on quadrature nodes.

    Parameters
    ----------
    x : array_like, any shape
        Scaled distance from the edge; values are accurate to 1e-12 above -10, and tend to 0 below.

    Examples
    --------
    The median is below -1, and 1 in 20 is above 0.98:

    >>> cdf([-3.0, -1.2686, 0.9793]).round(3)
    array([0.07, 0.5 , 0.95])
    """
    x = np.clip(real_array("x", x), *_BRACKET)
    nodes, weights = roots_legendre(_NODES)
    half = (_REACH - 2 * x)[..., None] / 2
    points = x[..., None] + half * (1 + nodes)
    kernel = airy((points[..., :, None] + points[..., None, :]) / 2)[0] / 2
    scale = np.sqrt(half * weights)
    fredholm = np.linalg.det(np.eye(_NODES) - scale[..., :, None] * kernel * scale[..., None, :])
    return like_input(np.clip(fredholm, 0.0, 1.0))


def quantile(probability: ArrayLike) -> FloatOrArray:
    r"""Quantile of the Tracy–Widom law for real matrices: the inverse of ``cdf``.

    .. math:: F_1(x) = \text{probability}

    Source: root of the determinant of Ferrari & Spohn (2005).

    Parameters
    ----------
    probability : array_like, any shape
        In [1e-9, 1 - 1e-9].

    Examples
    --------
    >>> quantile([0.5, 0.95, 0.99]).round(3)
    array([-1.269,  0.979,  2.023])
    """
    probability = within("probability", probability, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY)
    roots = np.array([_root(float(p)) for p in probability.flat], dtype=np.float64)
    return like_input(roots.reshape(probability.shape))


@lru_cache(maxsize=256)  # one level serves many matrices
def _root(probability: float) -> float:
    return float(brentq(lambda x: cdf(x) - probability, *_BRACKET, xtol=1e-12))


def __dir__() -> list[str]:
    return list(__all__)
