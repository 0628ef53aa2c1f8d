"""The Marchenko–Pastur law in its angle: s^2 = 1 + A + 2 sqrt(A) cos(angle), 0 at the upper edge, pi at the lower one.

Arguments are checked by the callers; all functions are pointwise, except the quadrature, which takes numbers. Arrays
broadcast late, so that the roots of a single aspect are taken once.
"""

import numpy as np
from scipy.special import roots_legendre

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered

_NODES = 128  # per panel: room for functions that turn within a hundredth of the support
_EPSILON = float(np.finfo(float).eps)
_TINY = float(np.finfo(float).tiny)
_STEPS = 5  # Newton's, from a start that is exact at both edges: four leave 1e-9


def edges(aspect: Array) -> tuple[Array, Array]:
    upper = 1 + np.sqrt(aspect)
    lower = np.abs(1 - aspect) / upper  # = |1 - sqrt(aspect)| without its cancellation
    return np.minimum(lower, upper), upper  # for huge aspects, rounding may exchange them


def total_mass(aspect: Array) -> Array:
    return np.minimum(1.0, 1 / aspect)


def angle_of(s: Array, aspect: Array) -> Array:
    return 2 * np.arctan2(*_half_sides(s, aspect))


def _half_sides(s: Array, aspect: Array) -> tuple[Array, Array]:
    """Sine and cosine of half the angle, times 2 A^(1/4)."""
    lower, upper = edges(aspect)
    s = np.clip(s, lower, upper)
    return np.sqrt((upper - s) * (upper + s)), np.sqrt((s - lower) * (s + lower))


def singular_value(angle: Array, aspect: Array) -> Array:
    lower, _ = edges(aspect)
    return np.hypot(lower, 2 * aspect**0.25 * np.cos(angle / 2))


def density_inside(s: Array, aspect: Array) -> Array:
    # Factorised, nothing cancels at the edges; with the lower edge at 0, the root's factor s and the denominator go.
    lower, upper = edges(aspect)
    ratio = lower / np.maximum(s, _TINY)
    root: Array = np.sqrt((1 - ratio) * (1 + ratio) * ((upper - s) * (upper + s)))
    return root * (1 / (np.pi * aspect))


def mass_right_of(s: Array, aspect: Array) -> Array:
    sine, cosine = _half_sides(s, aspect)
    scale = 0.5 / aspect**0.25
    return _mass(2 * np.arctan2(sine, cosine), scale * sine, scale * cosine, aspect)


def mass_slope(angle: Array, aspect: Array) -> Array:
    return _slope(np.sin(angle / 2), np.cos(angle / 2), aspect)


def _mass(angle: Array, half_sine: Array, half_cosine: Array, aspect: Array) -> Array:
    # The transpose has the same angle and the inverse aspect, so that one branch of the antiderivative is enough.
    small = np.minimum(aspect, 1 / aspect)
    root = np.sqrt(small)
    sine = (2 * root) * (half_sine * half_cosine)
    beyond = (1 - root) + (2 * root) * half_cosine**2  # 1 + root cos(angle)
    mass = (angle + ((1 - small) * np.arctan2(sine, beyond) - sine) * (1 / small)) * (1 / np.pi)
    clipped: Array = np.clip(mass, 0.0, 1.0)
    return clipped * total_mass(aspect)


def _slope(half_sine: Array, half_cosine: Array, aspect: Array) -> Array:
    # sin(angle)^2 / s^2 with the half angles apart, which stays finite where both vanish (aspect 1, lower edge).
    lower, _ = edges(aspect)
    cosine = half_cosine**2
    slope: Array = (8 / np.pi) * (half_sine**2 * cosine) / (lower**2 + (4 * np.sqrt(aspect)) * cosine)
    return slope


def _first_angle(mass: Array, aspect: Array) -> Array:
    # At an edge the mass grows like the cube of the angle to it, at the lower edge of aspect 1 linearly.
    lower, upper = edges(aspect)
    rest = total_mass(aspect) - mass
    top = np.cbrt(1.5 * np.pi * upper**2 * mass)
    bottom = np.pi - np.cbrt(1.5 * np.pi * lower**2 * rest) - np.pi / 2 * rest
    return np.where(mass < rest, top, bottom)


def solve_angle(mass: Array, aspect: Array) -> Array:
    """The angle that leaves `mass` to the right, by Newton's method."""
    angle = _first_angle(mass, aspect)
    rounding = _EPSILON * total_mass(aspect) / np.sqrt(np.minimum(aspect, 1 / aspect))  # of _mass, per angle
    for _ in range(_STEPS):
        sine, cosine = np.sin(angle / 2), np.cos(angle / 2)
        error = _mass(angle, sine, cosine, aspect) - mass
        step = error / np.maximum(_slope(sine, cosine, aspect), _TINY)
        angle = np.where(np.abs(error) > rounding * angle, angle - step, angle)
    return angle


@remembered(1)
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
