"""One shared direction for two linear tasks, for many pairs of data sets at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, real_array

_GRID = np.linspace(-16.0, 16.0, 801)  # logarithm of the ratio of the heads, in units in which the tasks are alike
_GOLDEN, _STEPS = (np.sqrt(5.0) - 1) / 2, 60
_SINGULAR = 1e-10  # share of one task in a direction, relative to both, that counts as none


def rank_one_directions(s1: ArrayLike, b1: ArrayLike, s2: ArrayLike, b2: ArrayLike) -> tuple[Array, Array, Array]:
    r"""Best shared direction of two tasks, with its heads, for every pair of a batch.

    .. math:: \max_B \sum_i \frac{(B^\top b_i)^2}{B^\top S_i B} = \max_{a} F(a), \qquad
        F = (a_1 b_1 + a_2 b_2)^\top (a_1^2 S_1 + a_2^2 S_2)^{-1} (a_1 b_1 + a_2 b_2)

    with :math:`S_i = X_i^\top X_i, b_i = X_i^\top y_i`. One eigenvalue problem for each pair makes :math:`F` a rational
    function of :math:`a_2/a_1`, which is evaluated on a grid and refined by golden sections.

    Parameters
    ----------
    s1, s2 : array_like, shape (..., d, d)
        Covariances of the two tasks, not divided by the number of rows; their sum must not be singular.
    b1, b2 : array_like, shape (..., d)
        Inputs times labels.

    Returns
    -------
    directions : ndarray, shape (..., d)
        Of unit norm.
    heads : ndarray, shape (..., 2)
    values : ndarray, shape (...)
        Label energy that is explained.

    Raises
    ------
    ValueError
        If a shape does not fit, an entry is not finite, or the sum of a pair's covariances is singular: then every
        direction of a continuum is best.
    TypeError
        If an entry is not real.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), eq. 4; the elimination of the layer instead of the heads is ours. A grid of 801
    ratios of either sign carries no certificate; one pair with a certificate is a matter of the theory.
    """
    (m1, v1), (m2, v2) = _checked("1", s1, b1), _checked("2", s2, b2)
    if m1.shape != m2.shape:
        raise ValueError(f"s1 and s2 must have the same shape; got {m1.shape} and {m2.shape}.")
    scales = [_positive_trace(name, matrix) for name, matrix in (("s1", m1), ("s2", m2))]
    first, second = m1 / scales[0][..., None, None], m2 / scales[1][..., None, None]
    basis, shares = _diagonalised(first, second)
    p = _seen(basis, v1 / np.sqrt(scales[0])[..., None], shares)
    q = _seen(basis, v2 / np.sqrt(scales[1])[..., None], 1 - shares)
    angles = _best_angles(p, q, shares)
    c, s = np.cos(angles)[..., None], np.sin(angles)[..., None]
    layer = (basis @ ((c * p + s * q) / (c**2 * shares + s**2 * (1 - shares)))[..., None])[..., 0]
    layer /= np.linalg.norm(layer, axis=-1, keepdims=True)
    tops = np.stack([(v * layer).sum(-1) for v in (v1, v2)], axis=-1)
    bottoms = np.stack([np.einsum("...i,...ij,...j", layer, m, layer) for m in (m1, m2)], axis=-1)
    heads = np.divide(tops, bottoms, out=np.zeros_like(tops), where=bottoms > 0)
    return layer, heads, (tops * heads).sum(axis=-1)


def _checked(which: str, s: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    matrix, vector = real_array(f"s{which}", s), real_array(f"b{which}", b)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.size == 0:
        raise ValueError(f"s{which} must have shape (..., d, d); got {matrix.shape}.")
    if vector.shape != matrix.shape[:-1]:
        raise ValueError(f"b{which} must have shape {matrix.shape[:-1]} to fit s{which}; got {vector.shape}.")
    return matrix, vector


def _positive_trace(name: str, matrix: Array) -> Array:
    traces = np.trace(matrix, axis1=-2, axis2=-1)
    if np.any(traces <= 0):
        raise ValueError(f"{name} must be a covariance, with a positive trace.")
    return np.asarray(traces)


def _diagonalised(first: Array, second: Array) -> tuple[Array, Array]:
    """A basis in which the sum is the identity and both are diagonal; the share of the first in each direction."""
    values, vectors = np.linalg.eigh(first + second)
    if np.any(values[..., 0] <= _SINGULAR * values[..., -1]):
        raise ValueError("s1 and s2 must not have a singular sum: a continuum of directions is then best.")
    whitening = vectors / np.sqrt(values)[..., None, :]
    shares, turn = np.linalg.eigh(whitening.swapaxes(-1, -2) @ first @ whitening)
    shares = np.where(shares < _SINGULAR, 0.0, np.where(shares > 1 - _SINGULAR, 1.0, shares))
    return whitening @ turn, shares


def _seen(basis: Array, vector: Array, shares: Array) -> Array:
    """Coordinates of inputs times labels; where a task has no data they are rounding."""
    return np.where(shares == 0, 0.0, (basis.swapaxes(-1, -2) @ vector[..., None])[..., 0])


def _explained(angles: Array, p: Array, q: Array, shares: Array) -> Array:
    """F of angles (..., n), the arc tangents of the ratio of the heads."""
    c, s = np.cos(angles)[..., None], np.sin(angles)[..., None]
    p, q, shares = (value[..., None, :] for value in (p, q, shares))
    return np.asarray(((c * p + s * q) ** 2 / (c**2 * shares + s**2 * (1 - shares))).sum(axis=-1))


def _best_angles(p: Array, q: Array, shares: Array) -> Array:
    """Where F is largest: the best of the grid, then golden sections between its neighbours."""
    grid = np.arctan(np.exp(_GRID))
    above, below = (
        _explained(np.broadcast_to(side, (*p.shape[:-1], len(side))), p, q, shares) for side in (grid, -grid)
    )
    negative = below.max(axis=-1) > above.max(axis=-1)
    place = np.where(negative, below.argmax(axis=-1), above.argmax(axis=-1))
    sign = np.where(negative, -1.0, 1.0)[..., None]
    low, high = (_GRID[np.clip(place + step, 0, len(_GRID) - 1)][..., None] for step in (-1, 1))
    for _ in range(_STEPS):
        inner = np.concatenate([high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)], axis=-1)
        values = _explained(sign * np.arctan(np.exp(inner)), p, q, shares)
        left = values[..., :1] > values[..., 1:]
        low, high = np.where(left, low, inner[..., :1]), np.where(left, inner[..., 1:], high)
    return np.asarray((sign * np.arctan(np.exp((low + high) / 2)))[..., 0])
