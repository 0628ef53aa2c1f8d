"""One shared direction for linear tasks whose covariances are diagonal, trained by alternating least squares."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, nonnegative
from mtlbook_lib._threads import suited


@suited
def alternate_on_axes(squares: ArrayLike, products: ArrayLike, start: ArrayLike, n_steps: int) -> tuple[Array, Array]:
    r"""Train one shared direction by alternating least squares, for tasks whose covariances are diagonal.

    .. math:: a_i = \frac{\sum_j B_j p_{ij}}{\sum_j B_j^2 s_{ij}}, \qquad
        B_j = \frac{\sum_i a_i p_{ij}}{\sum_i a_i^2 s_{ij}}

    No step goes up. No matrix is formed, so inputs may be a million.

    Parameters
    ----------
    squares, products : array_like, shape (..., task, d)
        Diagonals :math:`s_i` of :math:`X_i^\top X_i`, and :math:`p_i = X_i^\top y_i`.
    start : array_like, shape (..., d)
        The direction to begin with.
    n_steps : int
        Times that heads and direction are fitted.

    Returns
    -------
    directions : ndarray, shape (..., d)
        Of unit norm.
    heads : ndarray, shape (..., task)

    Raises
    ------
    ValueError
        If an input is zero in all tasks.
    """
    s, p, layer = bounded("squares", squares, nonnegative), bounded("products", products), bounded("start", start)
    if s.ndim < 2 or s.size == 0 or p.shape != s.shape or layer.shape != s.shape[:-2] + s.shape[-1:]:
        raise ValueError(f"squares, products and start must have shapes (..., task, d) twice and (..., d); got "
                         f"{s.shape}, {p.shape} and {layer.shape}.")  # fmt: skip
    if np.any(s.sum(axis=-2) == 0):
        raise ValueError("squares must not be zero in all tasks: such an input has no weight.")
    if not np.any(layer, axis=-1).all():
        raise ValueError("start must not be zero.")
    heads = _heads_on_axes(s, p, layer)
    if not np.any(heads, axis=-1).all():
        raise ValueError("products must not be zero along start in all tasks: the heads are zero then, and stay so.")
    for _ in range(count("n_steps", n_steps)):
        a = heads[..., None]
        layer = (a * p).sum(axis=-2) / (a**2 * s).sum(axis=-2)
        layer = layer / np.linalg.norm(layer, axis=-1, keepdims=True)
        heads = _heads_on_axes(s, p, layer)
    return layer, heads


def _heads_on_axes(s: Array, p: Array, layer: Array) -> Array:
    return np.asarray((p @ layer[..., None])[..., 0] / (s @ layer[..., None] ** 2)[..., 0])
