r"""The penalty of diagonal networks with more than two layers, all weights of which start alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular

from mtlbook_lib._checks import Array, FloatOrArray, bounded, like_input, scalar, whole, within
from mtlbook_lib.theory._tasks import make_pair

_STEPS = 500
_FIT = 1e-10  # residual relative to the targets at which Newton's method has converged
_SCALES = (1e-4, 10.0)  # starts for which float64 resolves the walls of the penalty
_INSIDE = 0.9  # largest share of the way to the wall in one step; halving steps alone come too slowly to a near wall


def chain_response(angle: ArrayLike, depth: int) -> FloatOrArray:
    r"""Coefficient of a chain of layers, in units of :math:`\alpha^L`, after its pull has been integrated.

    .. math:: h(z) = (1 - z)^{-L/(L-2)} - (1 + z)^{-L/(L-2)}, \qquad z = (L - 2)\,\alpha^{L-2} \int g\,dt

    Source: Woodworth et al. (2020), sec. 5, for equal layers; derived in the chapter.

    Parameters
    ----------
    angle : array_like, any shape
        z, between −1 and 1.
    depth : int
        L >= 3.

    Examples
    --------
    >>> chain_response([0.0, 0.5], depth=4).round(3)
    array([0.   , 3.556])
    """
    z, power = bounded("angle", angle), _power(depth)
    if np.any(np.abs(z) >= 1):
        raise ValueError(f"angle must be between -1 and 1; got {z[np.abs(z) >= 1].flat[0]:.3g}.")
    # The difference of both powers, without cancellation where z is small.
    return like_input(np.exp(-power * np.log1p(z)) * np.expm1(2 * power * np.arctanh(z)))


def min_chain_penalty(x: ArrayLike, y: ArrayLike, alpha: float, depth: int) -> Array:
    r"""Interpolator that gradient flow of a deep diagonal network finds from equal weights.

    It is :math:`\beta = \alpha^L h(X^\top\nu)`, with h of ``chain_response`` and the :math:`\nu` at which it fits: the
    least :math:`\sum_d \int_0^{\beta_d} h^{-1}(b/\alpha^L)\,db`.

    Source: Woodworth et al. (2020), sec. 5; goes beyond Lindsey & Lippl (2023), whose networks have two layers.

    Parameters
    ----------
    x : array_like, shape (n, D), independent rows
        Inputs, one sample in a row.
    y : array_like, shape (n,)
    alpha : float
        Value of all weights at the start, from 1e-4 to 10.
    depth : int
        L >= 3.

    Returns
    -------
    ndarray, shape (D,)

    Raises
    ------
    RuntimeError
        If the relative residual stays above 1e-8.

    Examples
    --------
    Wide and narrow starts of three layers:

    >>> [np.abs(min_chain_penalty([[1.0, 2.0]], [2.0], alpha, 3)).round(2) for alpha in (10.0, 1e-4)]
    [array([0.4, 0.8]), array([0., 1.])]
    """
    power, (x, y) = _power(depth), make_pair(x, y)
    scale = scalar("alpha", alpha, lambda name, value: within(name, value, *_SCALES)) ** depth
    nu, size = np.zeros(len(y)), float(np.linalg.norm(y))
    for _ in range(_STEPS):
        z = nu @ x
        if np.any(np.abs(z) >= 1):
            break  # the distance from the wall is lost in rounding
        gap = y - x @ (scale * chain_response(z, depth))
        if np.linalg.norm(gap) <= _FIT * size:
            break
        step = _newton_step(x, scale * _steepness(z, power), gap)
        if step is None:
            break
        nu = nu + _length(x, y, z, step, scale, depth) * step
    if not np.linalg.norm(gap) <= 1e-8 * size:
        told = f"the relative residual is {np.linalg.norm(gap) / size:.3g}"
        raise RuntimeError(f"no interpolator found for x, y and alpha: {told}.")
    return np.asarray(scale * chain_response(nu @ x, depth))


def _newton_step(x: Array, weights: Array, gap: Array) -> Array | None:
    """Solution of (X diag(weights) X^T) step = gap; None where it is singular.

    Near the walls weights differ by twenty orders, and squaring them in the matrix would lose the small ones. So the
    tall matrix is factored, its heaviest rows first: that way Householder's method is accurate row by row.
    """
    rows = np.sqrt(weights)[:, None] * x.T
    triangle, order = qr(rows[np.argsort(-weights)], mode="r", pivoting=True)
    triangle = triangle[: len(gap)]
    if len(triangle) < len(gap) or not np.all(np.diagonal(triangle)):
        return None
    step = np.empty_like(gap)
    step[order] = solve_triangular(triangle, solve_triangular(triangle, gap[order], trans=1))
    return step


def _length(x: Array, y: Array, z: Array, step: Array, scale: float, depth: int) -> float:
    """The longest of 1, or most of the way to the wall, and its halves after which the dual objective still falls."""

    def slope(angle: Array) -> float:
        if np.any(np.abs(angle) >= 1):
            return -np.inf  # rounding has reached the wall
        return float(step @ (y - x @ (scale * chain_response(angle, depth))))

    turn, first = step @ x, slope(z)
    ahead = np.where(turn > 0, 1 - z, 1 + z) / np.maximum(np.abs(turn), np.finfo(float).tiny)
    length = min(1.0, _INSIDE * float(ahead.min()))
    while length > 1e-12 and slope(z + length * turn) < -0.5 * first:
        length /= 2
    return length


def _steepness(z: Array, power: float) -> Array:
    """Derivative of ``chain_response``."""
    return np.asarray(power * ((1 - z) ** (-power - 1) + (1 + z) ** (-power - 1)))


def _power(depth: int) -> float:
    layers = whole("depth", depth, 3)
    return layers / (layers - 2)
