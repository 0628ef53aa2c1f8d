r"""The interpolator of least hyperbolic penalty: what gradient flow of a diagonal network converges to."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve, qr, solve_triangular

from mtlbook_lib._checks import Array, bounded
from mtlbook_lib.theory._hyperbolic import dual_newton, moved
from mtlbook_lib.theory._tasks import per_coordinate
from mtlbook_lib.theory.interpolation.constraints import data, each_problem, orthonormal, verified

_ALIKE = 1e-7  # least ratio of curvatures for which rounding takes half of the digits of a step at most


@each_problem
def min_penalty(x: ArrayLike, y: ArrayLike, kappa: ArrayLike, start: ArrayLike = 0.0) -> Array:
    r"""Interpolator that gradient flow of diagonal networks finds.

    .. math:: \min_\beta \sum_d 2D_{\phi_{\kappa_d}}(\beta_d\|\beta_{0,d}) \quad\text{subject to}\quad X\beta = y

    Computed from the dual: :math:`\beta = \kappa\sinh(\mathrm{asinh}(\beta_0/\kappa) + X^\top\nu)`, with the
    :math:`\nu` at which it fits.

    Source: Lindsey & Lippl (2023), App. A, corrected by the start and by the width of unequal pathways
    (``implicit_bias.finetuning_width``); Woodworth et al. (2020) for equal weights, where
    :math:`\kappa = 2\alpha^2`.

    Parameters
    ----------
    x : array_like, shape (n, D) or (seed, n, D), n <= D
        Inputs, one sample in a row; with a first axis, of several problems.
    y : array_like, shape (n,) or (seed, n)
        Targets.
    kappa : array_like, shape (D,) or a number, or (T, D) for T cases with the same data
        Widths :math:`\kappa`, > 0, in units of the coefficients. Of several problems: one for all, or (seed, D) or
        (seed, T, D).
    start : array_like, like `kappa`
        Coefficients :math:`\beta_0` before training.

    Returns
    -------
    ndarray, shape (D,) or (T, D), after the axis of the problems where there are several

    Examples
    --------
    A wide start finds the least Euclidean norm, a narrow one the least absolute sum:

    >>> min_penalty([[1.0, 2.0]], [2.0], [[100.0] * 2, [1e-9] * 2]).round(3)
    array([[0.4, 0.8],
           [0. , 1. ]])
    """
    x, y = data(x, y)
    kappa = per_coordinate("kappa", kappa, x.shape[1], above_zero=True, cases=True)
    start = per_coordinate("start", start, x.shape[1], cases=True)
    kappa, start = np.broadcast_arrays(kappa, start)
    rows, values = orthonormal(x, y)
    directions = partial(_newton_directions, rows)
    cases, _ = dual_newton(rows, values, np.atleast_2d(kappa), np.atleast_2d(start), directions)
    minimisers = [verified(x, y, *case) for case in zip(cases, np.atleast_2d(start), strict=True)]
    return np.array(minimisers).reshape(start.shape)


def stationarity_residual(x: ArrayLike, beta: ArrayLike, kappa: ArrayLike, start: ArrayLike = 0.0) -> float:
    r"""How far coefficients are from any minimiser of the hyperbolic penalty, whatever the targets.

    .. math:: \frac{\|v - P v\|}{\|v\|}, \qquad v = \mathrm{asinh}(\beta/\kappa) - \mathrm{asinh}(\beta_0/\kappa)

    with P the projector on the row space of X. Interpolators minimise the penalty exactly where it vanishes.

    Source: the optimality condition behind Lindsey & Lippl (2023), App. A, with a start.

    Parameters
    ----------
    x : array_like, shape (n, D)
        Inputs, one sample in a row.
    beta : array_like, shape (D,)
        Coefficients.
    kappa : array_like, shape (D,) or a number
        Widths, > 0, in units of the coefficients.
    start : array_like, shape (D,) or a number
        Coefficients before training.

    Returns
    -------
    float
        Between 0 and 1; 0 at the start itself.

    Examples
    --------
    >>> x, y = [[1.0, 2.0]], [2.0]
    >>> stationarity_residual(x, min_penalty(x, y, 0.1), 0.1) < 1e-8
    True
    >>> round(stationarity_residual(x, [2.0, 0.0], 0.1), 3)
    0.894
    """
    x, beta = bounded("x", x, ndim=2), bounded("beta", beta, ndim=1)
    if x.shape[1] != beta.size or x.size == 0:
        raise ValueError(f"beta must have one entry for each column of x; got shapes {beta.shape} and {x.shape}.")
    kappa = per_coordinate("kappa", kappa, beta.size, above_zero=True)
    change = moved(beta, per_coordinate("start", start, beta.size), kappa)
    rows, _ = orthonormal(x, np.zeros(len(x)))
    size = max(float(np.linalg.norm(change)), np.finfo(float).tiny)
    return float(np.linalg.norm(change - (rows @ change) @ rows)) / size


def _newton_directions(rows: Array, curvature: Array, gap: Array) -> Array:
    """``_newton_direction`` for each case, together where several are well conditioned."""
    if len(gap) == 1 or np.any(curvature.min(axis=1) <= _ALIKE * curvature.max(axis=1)):
        return np.array([_newton_direction(rows, *case) for case in zip(curvature, gap, strict=True)])
    scaled = rows * np.sqrt(curvature)[:, None]
    return np.asarray(np.linalg.solve(scaled @ scaled.swapaxes(1, 2), gap[..., None])[..., 0])


def _newton_direction(rows: Array, curvature: Array, gap: Array) -> Array:
    """Solution of (rows · curvature · rowsᵀ) direction = gap, for orthonormal rows."""
    scaled = rows * np.sqrt(curvature)
    if curvature.min() > _ALIKE * curvature.max():  # no worse is the condition of the product
        return np.asarray(cho_solve(cho_factor(scaled @ scaled.T), gap))
    # By a QR factorisation: half the condition number, but several times the time.
    (triangle,) = qr(scaled.T, mode="r")
    triangle = triangle[: len(gap)]
    return np.asarray(solve_triangular(triangle, solve_triangular(triangle, gap, trans="T")))
