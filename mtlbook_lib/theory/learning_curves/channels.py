"""Means over the Gaussian noise of one coefficient: its squared error and its estimate's slope, for each penalty.

Integrals over the noise z become integrals over a parameter t of the estimate, in which the observation
y = truth + tau z is explicit and no kink is sharp.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr

from mtlbook_lib._checks import Array
from mtlbook_lib._remembered import remembered
from mtlbook_lib.theory._hyperbolic import asinh_ratio
from mtlbook_lib.theory.learning_curves.scalar import phase

Means = tuple[float, float]
Channel = Callable[[float, float], Means]

_REACH = 9  # standard deviations: 1e-19 of the mass lies beyond
_PANELS, _NODES = 2, 40  # between two whole numbers of standard deviations: 1e-9 for all widths
_STEPS = 10  # Newton's, for the edges of panels, whose exact place does not matter
_SMALLEST = 1e-13  # of theta: below, sqrt(b² + a²) is |b| to rounding


def hyperbolic(weights: Array, truth: Array, kappa: Array, start: Array) -> Channel:
    """Squared error and slope of ``proximal``, as a function of tau and theta."""
    begin = asinh_ratio(start, kappa)

    def means(tau: float, theta: float) -> Means:
        edges = phase(_observed(truth, tau) + (2 * theta * begin)[:, None], kappa[:, None], theta)
        t, step = _grid(edges)
        beta, slope = kappa[:, None] * np.sinh(t), kappa[:, None] * np.cosh(t)
        observed = beta + 2 * theta * (t - begin[:, None])
        return _integrals(weights, truth, tau, step, beta, slope, observed, slope + 2 * theta)

    return means


def soft(weights: Array, truth: Array) -> Channel:
    """Squared error and slope of soft thresholding at theta, in closed form."""

    def means(tau: float, theta: float) -> Means:
        u, a = truth / tau, theta / tau
        kept = ndtr(u - a) + ndtr(-u - a)
        density_low, density_high = (np.exp(-((u + sign * a) ** 2) / 2) / np.sqrt(2 * np.pi) for sign in (-1, 1))
        inside = ndtr(a - u) - ndtr(-a - u)
        error = (1 + a**2) * kept + u**2 * inside - (a - u) * density_high - (a + u) * density_low
        return float(tau**2 * (weights @ error)), float(weights @ kept)

    return means


def group(weights: Array, truth: Array, beta_aux: Array) -> Channel:
    """Squared error and slope of the proximal map of theta sqrt(b² + a²)."""
    known = np.abs(beta_aux)

    def means(tau: float, theta: float) -> Means:
        bent = known > _SMALLEST * theta
        error, slope = soft(weights[~bent], truth[~bent])(tau, theta)
        if not bent.any():
            return error, slope
        share, target, a = weights[bent], truth[bent], known[bent][:, None]
        t, step = _grid(asinh_ratio(_group_estimate(_observed(target, tau), a, theta), a))
        beta, rise = a * np.sinh(t), a * np.cosh(t)
        observed, total = beta + theta * np.tanh(t), rise + theta / np.cosh(t) ** 2
        smooth = _integrals(share, target, tau, step, beta, rise, observed, total)
        return error + smooth[0], slope + smooth[1]

    return means


def _observed(truth: Array, tau: float) -> Array:
    return truth[:, None] + tau * np.arange(-_REACH, _REACH + 1)


def _group_estimate(y: Array, a: Array, theta: float) -> Array:
    """The b with b + theta b/sqrt(b² + a²) = y, by Newton's steps from below, where they rise monotonically."""
    size = np.abs(y)
    b = np.maximum(size - theta, 0)
    for _ in range(_STEPS):
        root = np.hypot(b, a)
        b = b + (size - b - theta * b / root) / (1 + theta * a**2 / root**3)
    return np.sign(y) * b


def _grid(edges: Array) -> tuple[Array, Array]:
    """Gauss nodes and weights between the edges, one row for each class."""
    places, shares = _rule()
    width = np.diff(edges)[:, :, None]
    t = edges[:, :-1, None] + width * places
    shape = len(edges), t[0].size
    return t.reshape(shape), (width * shares).reshape(shape)


@remembered()
def _rule() -> tuple[Array, Array]:
    """Gauss nodes and weights for all panels of the unit interval; to find them takes as long as a mean."""
    nodes, masses = np.polynomial.legendre.leggauss(_NODES)
    places = (np.arange(_PANELS)[:, None] + (nodes + 1) / 2).ravel() / _PANELS
    return places, np.tile(masses / 2, _PANELS) / _PANELS


def _integrals(
    weights: Array, truth: Array, tau: float, step: Array, beta: Array, slope: Array, observed: Array, total: Array
) -> Means:
    """Means of the squared error and of the slope: d beta/dt = slope, d observed/dt = total."""
    z = (observed - truth[:, None]) / tau
    density = step * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) / tau
    error = np.sum(density * total * (beta - truth[:, None]) ** 2, axis=1)
    return float(weights @ error), float(weights @ np.sum(density * slope, axis=1))
