r"""Interpolators of least Euclidean norm, plain or weighted: lazy training, and training of the readout alone."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular

from mtlbook_lib._checks import Array
from mtlbook_lib.theory._tasks import per_coordinate
from mtlbook_lib.theory.interpolation.constraints import data, each_problem, orthonormal, verified


@each_problem
def min_l2(x: ArrayLike, y: ArrayLike) -> Array:
    r"""Interpolator of least Euclidean norm: the limit of wide starts, or "lazy" training from zero.

    .. math:: \min_\beta \|\beta\|^2 \quad\text{subject to}\quad X\beta = y

    Source: Lindsey & Lippl (2023), sec. 3; Woodworth et al. (2020).

    Parameters
    ----------
    x : array_like, shape (n, D) or (seed, n, D), n <= D
        Inputs, one sample in a row; with a first axis, of several problems.
    y : array_like, shape (n,) or (seed, n)
        Targets.

    Returns
    -------
    ndarray, shape (D,) or (seed, D)

    Examples
    --------
    >>> min_l2([[1.0, 2.0]], [2.0]).round(3)
    array([0.4, 0.8])
    """
    x, y = data(x, y)
    rows, values = orthonormal(x, y)
    return verified(x, y, values @ rows)


@each_problem
def min_weighted_l2(x: ArrayLike, y: ArrayLike, weights: ArrayLike, start: ArrayLike = 0.0) -> Array:
    r"""Interpolator closest to a start in a weighted Euclidean norm: what a trained readout converges to.

    .. math:: \min_\beta \sum_d \frac{(\beta_d - \beta_{0,d})^2}{w_d} \quad\text{subject to}\quad X\beta = y

    Flow of the readout alone has the weights :math:`w = u_+^2 + u_-^2` of the frozen first layer.

    Source: gradient flow of the readout in Lindsey & Lippl (2023), sec. 5.1 ("linear probing"); the paper gives no
    formula.

    Parameters
    ----------
    x : array_like, shape (n, D) or (seed, n, D), n <= D
        Inputs, one sample in a row; with a first axis, of several problems.
    y : array_like, shape (n,) or (seed, n)
        Targets.
    weights : array_like, shape (D,) or a number, or (seed, D)
        w, > 0: weights divide, so that a large one lets its coordinate move.
    start : array_like, shape (D,) or a number, or (seed, D)
        :math:`\beta_0`, the coefficients before training.

    Returns
    -------
    ndarray, shape (D,) or (seed, D)

    Examples
    --------
    Coordinates of large weight move more:

    >>> min_weighted_l2([[1.0, 2.0]], [2.0], [4.0, 1.0]).round(3)
    array([1. , 0.5])
    """
    x, y = data(x, y)
    weights = per_coordinate("weights", weights, x.shape[1], above_zero=True)
    start = per_coordinate("start", start, x.shape[1])
    rows, values = orthonormal(x, y)
    return verified(x, y, start + _scaled_step(rows, np.sqrt(weights), values - rows @ start), start)


def _scaled_step(rows: Array, scales: Array, gap: Array) -> Array:
    """The step b with rows·b = gap of least |b/scales|, also where the scales span many orders of magnitude."""
    # Householder's factorisation is stable for each row of a matrix if large rows come first and columns are pivoted.
    order = np.argsort(-scales)
    basis, triangle, pivots = qr((rows[:, order] * scales[order]).T, mode="economic", pivoting=True)
    step = np.empty(scales.size)
    step[order] = scales[order] * (basis @ solve_triangular(triangle, gap[pivots], trans="T"))
    return step
