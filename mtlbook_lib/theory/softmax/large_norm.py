r"""The softmax of logits far apart: expansions in the inverse norm, free of the cancellation of nearly equal terms.

Logits :math:`s\,\xi` with Gumbel noise are, in units of :math:`s`, Gaussians with noise of size :math:`\delta =
1/s`. The noise :math:`e = g - \gamma_E` has mean 0 and moments :math:`E e^n = n!\,c_n`, so that with Hermite
polynomials

.. math::
    E\,\Phi(v - \delta e) = \Phi(v) - \varphi(v)\sum_{n \ge 2} c_n\delta^n He_{n-1}(v), \qquad
    E\,\varphi(v - \delta e) = \varphi(v)\Bigl(1 + \sum_{n \ge 2} c_n\delta^n He_n(v)\Bigr)
"""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr, zeta

from mtlbook_lib._checks import Array

# Above this norm the terms fall at least as fast as (|v|/30)^n over the thresholds |v| < 11 that matter.
LARGE_NORM = 50.0
_TERMS = 32
_STEP = 1.0 / 64


def slope_deficit_series(s: float, k: int) -> float:
    r"""m_k - (k-1) s g(s): how far the slope of the log partition function is from its limit."""
    v, density, log_cdf = _grid(k)
    shift, tilt = _noise(v, density, log_cdf, 1.0 / s)
    log_weight = 2 * np.log(density) + (k - 2) * log_cdf
    change = _changed(log_weight, 2 * np.log1p(tilt) + (k - 2) * np.log1p(shift))
    return float(-_STEP * k * (k - 1.0) * np.sum(change))


def log_partition_excess_series(s: float, k: int) -> float:
    r"""F(s) - s m_k: the mean logarithm of the softmax's largest probability, with the sign changed."""
    v, density, log_cdf = _grid(k)
    shift, _ = _noise(v, density, log_cdf, 1.0 / s)
    return float(-s * _STEP * np.sum(_changed(k * log_cdf, k * np.log1p(shift))))


def largest_of(k: int) -> float:
    """Mean of the largest of k standard normal variables, k >= 2, as k(k-1) times the integral of phi² Phi^(k-2)."""
    _, density, log_cdf = _grid(k)
    return float(_STEP * k * (k - 1.0) * np.sum(density**2 * np.exp((k - 2) * log_cdf)))


def _grid(k: int) -> tuple[Array, Array, Array]:
    """Thresholds, the normal density and the logarithm of its distribution there."""
    v = _STEP * np.arange(-576, np.ceil(np.sqrt(2 * np.log(k) + 81.0) / _STEP))
    return v, np.exp(-(v**2) / 2) / np.sqrt(2 * np.pi), log_ndtr(v)


def _changed(log_weight: Array, exponent: Array) -> Array:
    """exp(log_weight) (exp(exponent) - 1): exact for small exponents, without overflow for large ones."""
    small = np.exp(log_weight) * np.expm1(np.clip(exponent, -1.0, 1.0))
    return np.where(np.abs(exponent) < 1.0, small, np.exp(log_weight + exponent) - np.exp(log_weight))


def _noise(v: Array, density: Array, log_cdf: Array, size: float) -> tuple[Array, Array]:
    """Relative changes of the distribution and of the density by the noise."""
    cdf_sum, density_sum = np.zeros_like(v), np.zeros_like(v)
    before, hermite = np.ones_like(v), v
    for order in range(2, _TERMS):
        before, hermite = hermite, v * hermite - (order - 1) * before
        factor = _MOMENTS[order] * size**order
        cdf_sum += factor * before
        density_sum += factor * hermite
    return -cdf_sum * density / np.exp(log_cdf), density_sum


def _moments() -> Array:
    """Taylor coefficients of E exp(t e) = exp(sum of zeta(j) t^j / j over j >= 2)."""
    moments = np.zeros(_TERMS)
    moments[0] = 1.0
    for order in range(2, _TERMS):
        powers = np.arange(2, order + 1)
        moments[order] = np.sum(zeta(powers) * moments[order - powers]) / order
    return moments


_MOMENTS = _moments()
