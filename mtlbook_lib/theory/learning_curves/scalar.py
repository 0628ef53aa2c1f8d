r"""One coefficient: the proximal map of the hyperbolic penalty."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, bounded, broadcast, in_scale, like_input, nonnegative
from mtlbook_lib.theory._hyperbolic import asinh_ratio

_STEPS = 10  # Newton's, from a start that is at most twice the root in either term: 8 reach rounding everywhere


def proximal(y: ArrayLike, kappa: ArrayLike, theta: ArrayLike, start: ArrayLike = 0.0) -> FloatOrArray:
    r"""Proximal map of the hyperbolic penalty.

    .. math:: \eta(y) = \operatorname{argmin}_b \tfrac12(b - y)^2 + \theta\,2D_{\phi_\kappa}(b\|\beta_0)

    It is :math:`\kappa\sinh t` with :math:`\kappa\sinh t + 2\theta t = y + 2\theta\,\mathrm{asinh}(\beta_0/\kappa)`.

    Source: ours, for the penalty of Lindsey & Lippl (2023), eq. 19, with a start.

    Parameters
    ----------
    y : array_like, any shape
        Observed coefficient.
    kappa : array_like, broadcasts
        Width, > 0.
    theta : array_like, broadcasts
        Strength of the penalty, >= 0, in units of the coefficients.
    start : array_like, broadcasts
        :math:`\beta_0`, the coefficient before training.

    Examples
    --------
    Without penalty nothing changes; with it the number goes towards 0:

    >>> proximal(2.0, 0.1, [0.0, 0.1, 1.0]).round(3)
    array([2.   , 1.342, 0.109])
    """
    y, kappa, theta, start = broadcast(
        y=bounded("y", y), kappa=in_scale("kappa", kappa), theta=bounded("theta", theta, nonnegative),
        start=bounded("start", start),
    )  # fmt: skip
    return like_input(kappa * np.sinh(phase(y + 2 * theta * asinh_ratio(start, kappa), kappa, theta)))


def phase(target: Array, kappa: Array, theta: Array | float) -> Array:
    """The t with kappa sinh t + 2 theta t = target, by Newton's steps from above, where they fall monotonically."""
    size = np.abs(target)
    t = np.minimum(size / (kappa + 2 * theta), asinh_ratio(size, kappa))
    for _ in range(_STEPS):
        t = t - (kappa * np.sinh(t) + 2 * theta * t - size) / (kappa * np.cosh(t) + 2 * theta)
    return np.sign(target) * t
