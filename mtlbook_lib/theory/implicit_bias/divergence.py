r"""The divergence behind the penalties, and its derivatives, for arguments of any size.

With t = asinh(beta/kappa), h = t − t0 and C = sqrt(beta² + kappa²) it is
D = beta h − (C − C0) = beta(h − sinh h) + C(cosh h − 1). The first form loses digits for small h, the second for
large h: each is used where it is accurate.
"""

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.theory._hyperbolic import moved

# sinh h − h = h³/6 (1 + h²/20 (1 + h²/42 (1 + ...))): the factors, exact to rounding up to h = 1.
_SINE_TAIL = (20.0, 42.0, 72.0, 110.0, 156.0, 210.0, 272.0)


def divergence(beta: Array, start: Array, kappa: Array) -> Array:
    """The Bregman divergence of beta from start, for kappa > 0 and arguments of one shape."""
    step = moved(beta, start, kappa)
    small = np.clip(step, -1, 1)
    end, begin = np.hypot(beta, kappa), np.hypot(start, kappa)
    close = end * (2 * np.sinh(small / 2) ** 2) - beta * _sine_excess(small)
    # The second term is (end − begin) without cancellation.
    far = beta * step - (beta - start) * ((beta + start) / (end + begin))
    return np.asarray(np.where(step == small, close, far))


def width_derivative(beta: Array, start: Array, kappa: Array) -> Array:
    """kappa times the derivative of the divergence with respect to kappa: −kappa²(cosh h − 1)/C0."""
    half = np.sinh(moved(beta, start, kappa) / 2)
    return np.asarray(-2 * (kappa * half) * (half * (kappa / np.hypot(start, kappa))))


def _sine_excess(step: Array) -> Array:
    """sinh h − h for |h| <= 1."""
    square = step**2
    series = np.ones(step.shape)
    for factor in reversed(_SINE_TAIL):
        series = 1 + square / factor * series
    return np.asarray(step * square / 6 * series)
