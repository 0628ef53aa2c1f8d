r"""The softmax of logits far apart: expansions in the inverse norm, free of the cancellation of nearly equal terms.

Logits :math:`s\,\xi` with Gumbel noise are, in units of :math:`s`, Gaussians with noise of size :math:`\delta =
1/s`. The noise :math:`e = g - \gamma_E` has mean 0 and moments :math:`E e^n = n!\,c_n`, so that with Hermite
polynomials

.. math::
    E\,\Phi(v - \delta e) = \Phi(v) - \varphi(v)\sum_{n \ge 2} c_n\delta^n He_{n-1}(v), \qquad
    E\,\varphi(v - \delta e) = \varphi(v)\Bigl(1 + \sum_{n \ge 2} c_n\delta^n He_n(v)\Bigr)
"""

import numpy as np
from scipy.special import log_ndtr, zeta

from mtlbook_lib._checks import Array

# Above this norm the terms fall at least as fast as (|v|/30)^n over the thresholds |v| < 11 that matter.
LARGE_NORM = 50.0
_TERMS = 24
_STEP = 1.0 / 32
_GRID = _STEP * np.arange(-288, 416)  # thresholds; for 2**53 classes the largest is below 12


def slope_deficit_series(s: float, k: int) -> float:
    r"""m_k - (k-1) s g(s): how far the slope of the log partition function is from its limit."""
    shift, tilt = _noise(1.0 / s)
    log_weight = 2 * np.log(_DENSITY) + (k - 2) * _LOG_CDF
    change = _changed(log_weight, 2 * np.log1p(tilt) + (k - 2) * np.log1p(shift))
    return float(-_STEP * k * (k - 1.0) * np.sum(change))


def log_partition_excess_series(s: float, k: int) -> float:
    r"""F(s) - s m_k: the mean logarithm of the softmax's largest probability, with the sign changed."""
    shift, _ = _noise(1.0 / s)
    return float(-s * _STEP * np.sum(_changed(k * _LOG_CDF, k * np.log1p(shift))))


def largest_of(k: int) -> float:
    """Mean of the largest of k standard normal variables, as k(k-1) times the integral of phi² Phi^(k-2)."""
    return float(_STEP * k * (k - 1.0) * np.sum(_DENSITY**2 * np.exp((k - 2) * _LOG_CDF)))


def _changed(log_weight: Array, exponent: Array) -> Array:
    """exp(log_weight) (exp(exponent) - 1): exact for small exponents, without overflow for large ones."""
    larger = np.exp(log_weight + np.maximum(exponent, 0.0))
    return np.asarray(-np.sign(exponent) * larger * np.expm1(-np.abs(exponent)))


def _noise(size: float) -> tuple[Array, Array]:
    """Relative changes of the distribution and of the density by the noise."""
    cdf_sum, density_sum = np.zeros_like(_GRID), np.zeros_like(_GRID)
    before, hermite = np.ones_like(_GRID), _GRID
    for order in range(2, _TERMS):
        before, hermite = hermite, _GRID * hermite - (order - 1) * before
        factor = _MOMENTS[order] * size**order
        cdf_sum += factor * before
        density_sum += factor * hermite
    return -cdf_sum * _DENSITY / np.exp(_LOG_CDF), density_sum


def _moments() -> Array:
    """Taylor coefficients of E exp(t e) = exp(sum of zeta(j) t^j / j over j >= 2)."""
    moments = np.zeros(_TERMS)
    moments[0] = 1.0
    for order in range(2, _TERMS):
        moments[order] = zeta(np.arange(2, order + 1)) @ moments[order - 2 :: -1] / order
    return moments


_MOMENTS = _moments()
_DENSITY, _LOG_CDF = np.exp(-(_GRID**2) / 2) / np.sqrt(2 * np.pi), log_ndtr(_GRID)
