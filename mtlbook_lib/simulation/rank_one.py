"""One shared direction for two linear tasks, for many pairs of data sets at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count
from mtlbook_lib._threads import suited

_REACH = 16.0  # logarithm of the largest ratio of the heads, in units in which the tasks are alike
_STEPS, _CLOSE = 60, 1e-13  # at most; and the last change of a logarithm of the ratio
_SINGULAR = 1e-10  # share of one task in a direction, relative to both, that counts as none


@suited
def moments(inputs: ArrayLike, labels: ArrayLike) -> tuple[Array, Array]:
    r"""All that least squares sees of a task: inputs times inputs and inputs times labels.

    .. math:: S = X^\top X, \qquad b = X^\top y

    Parameters
    ----------
    inputs : array_like, shape (..., m, d)
    labels : array_like, shape (..., m)
        Their leading axes broadcast against those of the inputs, as for several labels of the same inputs.

    Returns
    -------
    s : ndarray, shape (..., d, d)
    b : ndarray, shape (..., d)

    Raises
    ------
    ValueError
        If inputs and labels do not have as many examples.
    """
    x, y = bounded("inputs", inputs), bounded("labels", labels)
    fits = x.ndim >= 2 and y.ndim >= 1 and x.size > 0 and x.shape[-2] == y.shape[-1]
    if not fits or not _broadcast(x.shape[:-2], y.shape[:-1]):
        raise ValueError(f"inputs and labels must have shapes (..., m, d) and (..., m), with leading axes that "
                         f"broadcast; got {x.shape} and {y.shape}.")  # fmt: skip
    return x.mT @ x, (x.mT @ y[..., None])[..., 0]


class BestDirections(NamedTuple):
    """The best shared direction of each pair of tasks.

    `directions` have shape (..., d) and unit norm, `heads`, shape (..., 2), are the best of each task, and `values`,
    shape (...), are the label energy that is explained.
    """

    directions: Array
    heads: Array
    values: Array

    @property
    def models(self) -> tuple[Array, Array]:
        """Linear maps of the first and of the second task, each (..., d)."""
        first, second = np.moveaxis(self.heads[..., None] * self.directions[..., None, :], -2, 0)
        return first, second


@suited
def rank_one_directions(
    s1: ArrayLike, b1: ArrayLike, s2: ArrayLike, b2: ArrayLike, n_grid: int = 801
) -> BestDirections:
    r"""Best shared direction of two tasks, with its heads, for every pair of a batch.

    .. math:: \max_B \sum_i \frac{(B^\top b_i)^2}{B^\top S_i B} = \max_{a} F(a), \qquad
        F = (a_1 b_1 + a_2 b_2)^\top (a_1^2 S_1 + a_2^2 S_2)^{-1} (a_1 b_1 + a_2 b_2)

    with the ``moments`` :math:`S_i, b_i` of a task. One eigenvalue problem for each pair makes :math:`F` a rational
    function of :math:`a_2/a_1`, which is evaluated on a grid; between the neighbours of the best ratio
    its slope is followed to zero.

    Source: Wu, Zhang & Ré (2020), eq. 4; the elimination of the layer instead of the heads is ours. A grid
    of ratios carries no certificate; one pair with a certificate is a matter of the theory.

    Parameters
    ----------
    s1, s2 : array_like, shape (..., d, d)
        Covariances of the two tasks, not divided by the number of rows; their sum must not be singular.
    b1, b2 : array_like, shape (..., d)
        Inputs times labels. Their leading axes broadcast against those of the covariances: several labels of the same
        inputs share one eigenvalue problem.
    n_grid : int
        Ratios of either sign on the grid, at least 3. Where no direction has inputs of very different sizes, 201 do.

    Raises
    ------
    ValueError
        If the sum of a pair's covariances is singular: then every direction of a continuum is best.
    """
    (m1, v1), (m2, v2) = _checked("1", s1, b1), _checked("2", s2, b2)
    grid = np.linspace(-_REACH, _REACH, count("n_grid", n_grid, 3))
    if m1.shape != m2.shape:
        raise ValueError(f"s1 and s2 must have the same shape; got {m1.shape} and {m2.shape}.")
    scales = [_positive_trace(name, matrix) for name, matrix in (("s1", m1), ("s2", m2))]
    first, second = m1 / scales[0][..., None, None], m2 / scales[1][..., None, None]
    basis, shares = _diagonalised(first, second)
    p = _seen(basis, v1 / np.sqrt(scales[0])[..., None], shares)
    q = _seen(basis, v2 / np.sqrt(scales[1])[..., None], 1 - shares)
    angles = _best_angles(p, q, shares, grid)
    c, s = np.cos(angles)[..., None], np.sin(angles)[..., None]
    layer = (basis @ ((c * p + s * q) / (c**2 * shares + s**2 * (1 - shares)))[..., None])[..., 0]
    layer /= np.linalg.norm(layer, axis=-1, keepdims=True)
    tops = np.stack([(v * layer).sum(-1) for v in (v1, v2)], axis=-1)
    bottoms = np.stack([np.einsum("...i,...ij,...j", layer, m, layer) for m in (m1, m2)], axis=-1)
    heads = np.divide(tops, bottoms, out=np.zeros_like(tops), where=bottoms > 0)
    return BestDirections(layer, heads, (tops * heads).sum(axis=-1))


@suited
def alternating_directions(
    s1: ArrayLike, b1: ArrayLike, s2: ArrayLike, b2: ArrayLike, starts: ArrayLike, n_steps: int
) -> tuple[Array, Array]:
    r"""Where alternating least squares ends: heads for the direction, then a direction for the heads, and so on.

    Parameters
    ----------
    s1, s2, b1, b2
        As for ``rank_one_directions``.
    starts : array_like, shape (..., start, d)
        First directions for each pair.
    n_steps : int

    Returns
    -------
    directions : ndarray, shape (..., start, d)
        Of unit norm.
    values : ndarray, shape (..., start)
        Label energy that is explained.

    Raises
    ------
    ValueError
        If a start is zero or the sum of a pair's covariances is singular.
    """
    tasks = [_checked("1", s1, b1), _checked("2", s2, b2)]
    _diagonalised(*(matrix / _positive_trace(name, matrix)[..., None, None]
                    for name, (matrix, _) in zip(("s1", "s2"), tasks, strict=True)))  # fmt: skip
    if tasks[0][1].shape != tasks[1][1].shape:
        raise ValueError(f"b1 and b2 must have one shape; got {tasks[0][1].shape} and {tasks[1][1].shape}.")
    for name, (matrix, vector) in zip(("s1", "s2"), tasks, strict=True):
        if matrix.ndim > vector.ndim + 1:
            raise ValueError(f"{name} must have at most {vector.ndim + 1} axes to fit b1 and b2; got {matrix.ndim}.")
    layer, steps = bounded("starts", starts), count("n_steps", n_steps)
    if layer.ndim < 2 or (*layer.shape[:-2], layer.shape[-1]) != tasks[0][1].shape:
        raise ValueError(f"starts must have shape (..., start, d) to fit b1, {tasks[0][1].shape}; got {layer.shape}.")
    if np.any(np.abs(layer).max(axis=-1) == 0):
        raise ValueError("starts must not be zero.")
    for _ in range(steps):
        tops, bottoms = _pulls(tasks, layer)
        heads = np.divide(tops, bottoms, out=np.zeros_like(tops), where=bottoms > 0)
        matrix = sum(h[..., None, None] ** 2 * s[..., None, :, :] for h, (s, _) in zip(heads, tasks, strict=True))
        vector = sum(h[..., None] * b[..., None, :] for h, (_, b) in zip(heads, tasks, strict=True))
        layer = np.linalg.solve(matrix, np.asarray(vector)[..., None])[..., 0]
        layer = layer / np.linalg.norm(layer, axis=-1, keepdims=True)
    tops, bottoms = _pulls(tasks, layer)
    return layer, np.divide(tops**2, bottoms, out=np.zeros_like(tops), where=bottoms > 0).sum(axis=0)


def _pulls(tasks: list[tuple[Array, Array]], layer: Array) -> tuple[Array, Array]:
    """Inputs times labels along the directions, and their squared features, (task, ..., start)."""
    tops = np.stack([(layer @ b[..., None])[..., 0] for _, b in tasks])
    return tops, np.stack([((layer @ s) * layer).sum(axis=-1) for s, _ in tasks])


def _checked(which: str, s: ArrayLike, b: ArrayLike) -> tuple[Array, Array]:
    matrix, vector = bounded(f"s{which}", s), bounded(f"b{which}", b)
    if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2] or matrix.size == 0:
        raise ValueError(f"s{which} must have shape (..., d, d); got {matrix.shape}.")
    fits = vector.ndim > 0 and vector.shape[-1] == matrix.shape[-1]
    if not fits or not _broadcast(vector.shape[:-1], matrix.shape[:-2]):
        raise ValueError(f"b{which} must have shape {matrix.shape[:-1]} to fit s{which}; got {vector.shape}.")
    return matrix, vector


def _broadcast(*shapes: tuple[int, ...]) -> bool:
    """Whether arrays of these shapes broadcast."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True


def _positive_trace(name: str, matrix: Array) -> Array:
    traces = np.trace(matrix, axis1=-2, axis2=-1)
    if np.any(traces <= 0):
        raise ValueError(f"{name} must be a covariance, with a positive trace.")
    return np.asarray(traces)


def _diagonalised(first: Array, second: Array) -> tuple[Array, Array]:
    """A basis in which the sum is the identity and both are diagonal; the share of the first in each direction."""
    whitening = np.linalg.inv(_root(first + second)).mT
    shares, turn = np.linalg.eigh(whitening.mT @ first @ whitening)
    shares = np.where(shares < _SINGULAR, 0.0, np.where(shares > 1 - _SINGULAR, 1.0, shares))
    return whitening @ turn, shares


def _root(total: Array) -> Array:
    """The Cholesky triangle, which takes a tenth of the time of eigenvectors and whitens as well."""
    try:
        root = np.linalg.cholesky(total)
        pivots = np.diagonal(root, axis1=-2, axis2=-1) ** 2
        singular = bool(np.any(pivots.min(axis=-1) <= _SINGULAR * pivots.max(axis=-1)))
    except np.linalg.LinAlgError:
        singular = True
    if singular:
        raise ValueError("s1 and s2 must not have a singular sum: a continuum of directions is then best.")
    return np.asarray(root, dtype=np.float64)


def _seen(basis: Array, vector: Array, shares: Array) -> Array:
    """Coordinates of inputs times labels; where a task has no data they are rounding."""
    return np.where(shares == 0, 0.0, (basis.swapaxes(-1, -2) @ vector[..., None])[..., 0])


def _explained(angles: Array, p: Array, q: Array, shares: Array) -> tuple[Array, Array]:
    """F at angles (n,), the arc tangents of the ratio of the heads, and at the opposite ones, (..., n) each.

    All angles of a pair in one product: F is linear in the squares and products of the coordinates.
    """
    c, s = np.cos(angles), np.sin(angles)
    # Not s² + (c² - s²) shares, which cancels where one task is alone in a direction.
    inverse = shares[..., None, :] * (c**2)[:, None]
    inverse += (1 - shares)[..., None, :] * (s**2)[:, None]
    np.reciprocal(inverse, out=inverse)
    p, q = np.broadcast_arrays(p, q)
    sums = inverse @ np.stack([p * p, q * q, p * q], axis=-1)
    even, odd = c**2 * sums[..., 0] + s**2 * sums[..., 1], 2 * c * s * sums[..., 2]
    return np.asarray(even + odd), np.asarray(even - odd)


def _slope(ratios: Array, sign: Array, p: Array, q: Array, shares: Array) -> Array:
    """Derivative of F by the logarithm of the ratio of the heads, at one logarithm and sign for each pair (...)."""
    angles = (sign * np.arctan(np.exp(ratios)))[..., None]
    c, s = np.cos(angles), np.sin(angles)
    pull = (c * p + s * q) / (c**2 * shares + s**2 * (1 - shares))
    by_angle = 2 * pull * (c * q - s * p) - pull**2 * (2 * c * s * (1 - 2 * shares))
    return np.asarray((c * s)[..., 0] * by_angle.sum(axis=-1))


def _best_angles(p: Array, q: Array, shares: Array, grid: Array) -> Array:
    """Where F is largest: the best of the grid of log ratios, then where its slope vanishes between the neighbours."""
    above, below = _explained(np.arctan(np.exp(grid)), p, q, shares)
    negative = below.max(axis=-1) > above.max(axis=-1)
    place = np.where(negative, below.argmax(axis=-1), above.argmax(axis=-1))
    sign = np.where(negative, -1.0, 1.0)
    low, high = (grid[np.clip(place + step, 0, len(grid) - 1)] for step in (-1, 1))
    return np.asarray(sign * np.arctan(np.exp(_summit(low, high, lambda x: _slope(x, sign, p, q, shares)))))


def _summit(low: Array, high: Array, slope: Callable[[Array], Array]) -> Array:
    """Where the slope falls through zero between `low` and `high`: false positions, halves where the signs are alike.

    An end that stays counts half as much each time, without which false positions would creep (the Illinois rule).
    """
    at_low, at_high = slope(low), slope(high)
    before = (low + high) / 2
    for _ in range(_STEPS):
        between = (at_low > 0) & (at_high < 0)
        chord = np.divide(at_low, at_low - at_high, out=np.full(low.shape, 0.5), where=between)
        here = low + chord * (high - low)
        value = slope(here)
        rises = value > 0
        low, high = np.where(rises, here, low), np.where(rises, high, here)
        at_low, at_high = np.where(rises, value, at_low / 2), np.where(rises, at_high / 2, value)
        if np.abs(here - before).max() < _CLOSE:
            break
        before = here
    return np.asarray(here)
