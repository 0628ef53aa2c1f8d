"""Least squares pooled over two tasks: with a given ratio of their heads, or a weight of the source and a ridge."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, nonnegative, positive, scalar
from mtlbook_lib._threads import suited


@suited
def pooled_models(s1: ArrayLike, b1: ArrayLike, s2: ArrayLike, b2: ArrayLike, ratio: float) -> tuple[Array, Array]:
    r"""The target's coefficients where both tasks are fitted together, for every pair of a batch.

    .. math:: \min_\beta\; |X_1 \beta/t - y_1|^2 + |X_2 \beta - y_2|^2
        \quad\Longrightarrow\quad \Big(\frac{S_1}{t^2} + S_2\Big) \beta = \frac{b_1}{t} + b_2

    with :math:`S_i = X_i^\top X_i, b_i = X_i^\top y_i` and the ratio :math:`t` of the target's head to the source's.

    Parameters
    ----------
    s1, s2 : array_like, shape (..., d, d)
        Of the source and of the target.
    b1, b2 : array_like, shape (..., d)
    ratio : float
        Not 0; 1e-50 to 1e50 in size.

    Returns
    -------
    models : ndarray, shape (..., d)
    explained : ndarray, shape (...)
        Label energy that the fit explains: the loss is :math:`|y_1|^2 + |y_2|^2` less it.

    Raises
    ------
    ValueError
        If the equations are singular or `ratio` is 0.
    """
    (first, one), (second, two) = _task("1", s1, b1), _task("2", s2, b2)
    if first.shape != second.shape:
        raise ValueError(f"s1 and s2 must have the same shape; got {first.shape} and {second.shape}.")
    inverse = 1 / scalar("ratio", ratio, _signed)
    products = inverse * one + two
    try:
        models = np.linalg.solve(inverse**2 * first + second, products[..., None])[..., 0]
    except np.linalg.LinAlgError as error:
        raise ValueError("s1 and s2 must not be singular together: too few examples.") from error
    return np.asarray(models), np.asarray((products * models).sum(axis=-1))


@suited
def weighted_ridge_models(
    s1: ArrayLike, b1: ArrayLike, s2: ArrayLike, b2: ArrayLike, weight: ArrayLike, ridge: float
) -> Array:
    r"""The target's ridge regression with the source's examples added at a weight.

    .. math:: \min_\beta\; |X_2 \beta - y_2|^2 + \omega |X_1 \beta - y_1|^2 + \lambda |\beta|^2
        \quad\Longrightarrow\quad \left(S_2 + \omega S_1 + \lambda I\right) \beta = b_2 + \omega b_1

    Parameters
    ----------
    s1, s2, b1, b2
        As for ``pooled_models``.
    weight : array_like
        :math:`\omega \ge 0`, broadcasts against the batch; 0 is the target alone.
    ridge : float
        :math:`\lambda > 0`.

    Returns
    -------
    ndarray, shape (..., d)
    """
    (first, one), (second, two) = _task("1", s1, b1), _task("2", s2, b2)
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(f"s1 and s2 must have the same shape; got {first.shape} and {second.shape}.")
    omega = bounded("weight", weight, nonnegative)[..., None]
    penalty = scalar("ridge", ridge, lambda name, value: bounded(name, value, positive))
    pooled = second + omega[..., None] * first + penalty * np.eye(first.shape[-1])
    try:
        return np.asarray(np.linalg.solve(pooled, (two + omega * one)[..., None])[..., 0])
    except np.linalg.LinAlgError as error:
        raise ValueError("ridge must not be lost beside s1 and s2; they leave a direction open.") from error


def _task(which: str, s: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    matrix, vector = bounded(f"s{which}", s), bounded(f"b{which}", b)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.size == 0:
        raise ValueError(f"s{which} must have shape (..., d, d); got {matrix.shape}.")
    if vector.shape != matrix.shape[:-1]:
        raise ValueError(f"b{which} must have shape {matrix.shape[:-1]} to fit s{which}; got {vector.shape}.")
    return matrix, vector


def _signed(name: str, value: ArrayLike) -> Array:
    numbers = bounded(name, value)
    if np.any(np.abs(numbers) < 1e-50):
        raise ValueError(f"{name} must not be 0: the target's head would be zero.")
    return numbers
