"""The Marchenko–Pastur law in its angle: s^2 = 1 + A + 2 sqrt(A) cos(angle), 0 at the upper edge, pi at the lower one.

Arguments are checked by the callers; all functions are pointwise, except the quadrature, which takes numbers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import roots_legendre

from mtlbook_lib._checks import Array

_NODES = 128  # per panel: room for functions that turn within a hundredth of the support
_EPSILON = float(np.finfo(float).eps)
_MAX_STEPS = 100  # Newton's step shrinks the error to 2/3 even at an edge, where the density vanishes


def edges(aspect: Array) -> tuple[Array, Array]:
    upper = 1 + np.sqrt(aspect)
    return np.abs(1 - aspect) / upper, upper  # = |1 - sqrt(aspect)| without its cancellation


def total_mass(aspect: Array) -> Array:
    return np.minimum(1.0, 1 / aspect)


def angle_of(s: Array, aspect: Array) -> Array:
    lower, upper = edges(aspect)
    s = np.clip(s, lower, upper)
    return 2 * np.arctan2(np.sqrt((upper - s) * (upper + s)), np.sqrt((s - lower) * (s + lower)))


def singular_value(angle: Array, aspect: Array) -> Array:
    lower, _ = edges(aspect)
    return np.hypot(lower, 2 * aspect**0.25 * np.cos(angle / 2))


def density_inside(s: Array, aspect: Array) -> Array:
    # Factorised, nothing cancels at the edges; with the lower edge at 0, the root's factor s and the denominator go.
    lower, upper = edges(aspect)
    ratio = np.divide(lower, s, out=np.zeros_like(s), where=lower > 0)
    root: Array = np.sqrt((1 - ratio) * (1 + ratio) * (upper - s) * (upper + s))
    return root / (np.pi * aspect)


def mass_above(angle: Array, aspect: Array) -> Array:
    # The transpose has the same angle and the inverse aspect, so that one branch of the antiderivative is enough.
    small = np.minimum(aspect, 1 / aspect)
    sine, cosine = np.sqrt(small) * np.sin(angle), np.sqrt(small) * np.cos(angle)
    mass = (angle + ((1 - small) * np.arctan2(sine, 1 + cosine) - sine) / small) / np.pi
    clipped: Array = np.clip(mass, 0.0, 1.0)
    return clipped * total_mass(aspect)


def mass_slope(angle: Array, aspect: Array) -> Array:
    # sin(angle)^2 / s^2 with the half angles apart, which stays finite where both vanish (aspect 1, lower edge).
    lower, _ = edges(aspect)
    sine, cosine = np.sin(angle / 2) ** 2, np.cos(angle / 2) ** 2
    slope: Array = 8 / np.pi * sine * cosine / (lower**2 + 4 * np.sqrt(aspect) * cosine)
    return slope


def _first_angle(mass: Array, aspect: Array) -> Array:
    # At an edge the mass grows like the cube of the angle to it, at the lower edge of aspect 1 linearly.
    lower, upper = edges(aspect)
    rest = total_mass(aspect) - mass
    top = np.cbrt(1.5 * np.pi * upper**2 * mass)
    bottom = np.pi - np.cbrt(1.5 * np.pi * lower**2 * rest) - np.pi / 2 * rest
    return np.where(mass < rest, np.minimum(top, np.pi / 2), np.maximum(bottom, np.pi / 2))


def solve_angle(mass: Array, aspect: Array) -> Array:
    """The angle at which `mass_above` takes the value `mass`: Newton's steps, halving where one leaves the bracket."""
    low, high = np.zeros_like(mass), np.full_like(mass, np.pi)
    angle = _first_angle(mass, aspect)
    rounding = _EPSILON * total_mass(aspect) / np.sqrt(np.minimum(aspect, 1 / aspect))  # of mass_above, per angle
    for _ in range(_MAX_STEPS):
        error = mass_above(angle, aspect) - mass
        open_ = np.abs(error) > rounding * angle
        if not np.any(open_):
            break
        low, high = np.where(error < 0, angle, low), np.where(error > 0, angle, high)
        slope = mass_slope(angle, aspect)
        newton = angle - np.divide(error, slope, out=np.full_like(mass, np.inf), where=slope > 0)
        inside = (newton > low) & (newton < high)
        angle = np.where(open_, np.where(inside, newton, (low + high) / 2), angle)
    return angle


@lru_cache(maxsize=1)
def _legendre() -> tuple[Array, Array]:
    nodes, weights = roots_legendre(_NODES)
    return (1 + nodes) / 2, weights / 2


def quadrature(start: float, stop: float, aspect: float) -> tuple[Array, Array]:
    """Singular values in [start, stop], within the support, and weights that integrate over it against the density."""
    ratio = np.asarray(aspect)
    edge, _ = edges(ratio)
    middle = np.sqrt(1 + ratio)  # where the angle is pi/2
    halvings = np.ceil(np.log2(middle / edge)) - 1 if edge > 0 else 2
    low = np.concatenate([[edge], middle / 2 ** np.arange(halvings, -1, -1)])
    high = singular_value(np.pi * np.array([0.5, 0.25, 0.0]), ratio)
    s_low, w_low = _lower_panels(np.clip(low, start, stop), ratio)
    s_high, w_high = _upper_panels(np.clip(high, start, stop), ratio)
    return np.concatenate([s_low, s_high]), np.concatenate([w_low, w_high])


def _panels(ends: Array) -> tuple[Array, Array]:
    nodes, weights = _legendre()
    width = np.diff(ends)[:, None]
    return (ends[:-1, None] + width * nodes).ravel(), (width * weights).ravel()


def _upper_panels(ends: Array, aspect: Array) -> tuple[Array, Array]:
    angle, weights = _panels(-angle_of(ends, aspect))
    return singular_value(angle, aspect), weights * mass_slope(angle, aspect)


def _lower_panels(ends: Array, aspect: Array) -> tuple[Array, Array]:
    # Near aspect 1 the edge and the pole at s = 0 pinch the integrand: s = edge cosh(x) draws them apart, and panels
    # that double in s keep the resolution in s. At aspect 1 there is no pole: the density is smooth in s itself.
    edge, _ = edges(aspect)
    if edge == 0:
        s, weights = _panels(ends)
        return s, weights * density_inside(s, aspect)
    x, weights = _panels(np.arcsinh(np.sqrt((ends - edge) * (ends + edge)) / edge))
    s = edge * np.cosh(x)
    return s, weights * edge * np.sinh(x) * density_inside(s, aspect)
