"""Inverse hyperbolic sines of ratios and their differences, free of overflow and of cancellation.

The trained coefficient of a diagonal network is beta = kappa sinh(t). Its penalty depends on how far t has moved,
which is what ``moved`` computes.
"""

from __future__ import annotations

import numpy as np

from mtlbook_lib._checks import Array

_SMALL = 1e-8  # below this ratio kappa/|beta|, sqrt(beta² + kappa²) is |beta| in float64


@np.errstate(over="ignore")  # a ratio that overflows is large, and not used
def asinh_ratio(beta: Array, kappa: Array) -> Array:
    """asinh(beta/kappa) for kappa > 0, also where the ratio overflows."""
    size = np.abs(beta)
    logarithm = np.log(np.maximum(size, kappa)) - np.log(kappa) + np.log(2.0)
    return np.where(size * _SMALL > kappa, np.sign(beta) * logarithm, np.arcsinh(beta / kappa))


def moved(beta: Array, start: Array, kappa: Array) -> Array:
    """asinh(beta/kappa) − asinh(start/kappa), with full relative accuracy also where beta is close to start."""
    sign = np.copysign(1.0, start)
    end, begin = sign * beta, sign * start
    near = np.abs(end - begin) < 0.5 * np.maximum(np.abs(end), begin)
    # For begin >= 0: e^(difference) = (end + width_end)/(begin + width_begin), written as one plus a small number.
    width_end, width_begin = np.hypot(end, kappa), np.hypot(begin, kappa)
    slope = 1 + (end + begin) / (width_end + width_begin)
    growth = near * (end - begin) / (begin + width_begin) * slope
    return np.where(near, sign * np.log1p(growth), asinh_ratio(beta, kappa) - asinh_ratio(start, kappa))
