r"""The law of a Gaussian logit with Gumbel noise: what turns the softmax into a maximum.

With independent standard Gumbel variables :math:`g_i`, :math:`p_i = \Pr(z_i + g_i\ \text{is the largest})`. Averages
over independent logits become integrals over one threshold :math:`x` of the law of :math:`z + g`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from mtlbook_lib._checks import Array

# From here on the sum runs over the Gumbel noise; below, over the Gaussian logit, whose law is then the narrower one.
_WIDE = 2.0
# Both rules are trapezoids. A function analytic for |Im| < pi/2 leaves an error of exp(-pi^2/step).
_GUMBEL_STEP = 0.24
_GUMBEL = _GUMBEL_STEP * np.arange(-17, 252)
_GAUSS_REACH = 9.5


@dataclass(frozen=True)
class SmoothedLaw:
    """Law of z + g on a grid of thresholds x, for z ~ N(0, std²): all arrays have the shape of the grid."""

    tail: Array  # 1 - Q(x), accurate also where it is small
    density: Array  # q(x) = Q'(x)
    squared: Array  # E exp(-2y - exp(-y)) at y = x - z, which belongs to p²

    def log_cdf(self) -> Array:
        """log Q(x), with a floor where Q is below the accuracy of 1 - Q."""
        return np.log1p(-np.minimum(self.tail, 1.0 - 2.0**-53))


def smoothed_law(x: Array, std: float) -> SmoothedLaw:
    """The law of z + g at the thresholds `x` (1-d), with z ~ N(0, `std`²)."""
    return _over_noise(x, std) if std >= _WIDE else _over_logit(x, std)


def threshold_range(std: float, n_classes: int) -> tuple[float, float]:
    """Thresholds outside which neither the law of one z + g nor that of the largest of n differs from 0 or 1."""
    levels = np.log(n_classes) + 40.0
    upper = min(std * std / 2 + levels, std * np.sqrt(2 * levels) + levels)
    return -_GAUSS_REACH * std - 4.0, float(upper)


def _over_logit(x: Array, std: float) -> SmoothedLaw:
    """Trapezoid over z; the exponential weights of the upper tail shift its mass by up to two standard deviations."""
    step = min(0.68, 0.27 / max(std, 1e-3))
    z = step * np.arange(-np.ceil(_GAUSS_REACH / step), np.ceil((_GAUSS_REACH + 2 * std) / step))
    weights = np.exp(-(z**2) / 2) * (step / np.sqrt(2 * np.pi))
    # Beyond the bounds, here and below, everything is 0 or 1 to all digits; they keep powers finite.
    rate = np.exp(np.minimum(std * z[None, :] - x[:, None], 300.0))
    survival = np.exp(-rate)
    density = rate * survival
    return SmoothedLaw(-np.expm1(-rate) @ weights, density @ weights, (rate * density) @ weights)


def _over_noise(x: Array, std: float) -> SmoothedLaw:
    """Trapezoid over the Gumbel noise."""
    log_density = -_GUMBEL - np.exp(-_GUMBEL)
    weights = _GUMBEL_STEP * np.exp(log_density)
    squared = _GUMBEL_STEP * np.exp(log_density - _GUMBEL)
    deviation = np.clip((x[:, None] - _GUMBEL) / std, -40.0, 40.0)
    gauss = np.exp(-(deviation**2) / 2) / (std * np.sqrt(2 * np.pi))
    return SmoothedLaw(ndtr(-deviation) @ weights, gauss @ weights, gauss @ squared)
