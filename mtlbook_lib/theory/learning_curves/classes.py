r"""Classes of coefficients: fractions, and what every coefficient of a class has in common."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, nonnegative, whole


def overlap_classes(dim: int, k_aux: int, k_main: int, overlap: int) -> tuple[Array, Array, Array]:
    r"""Classes of two sparse tasks with coefficients 1 and −1 that share some of them.

    The classes are: shared with the same sign, shared with opposite signs (half of the overlap each), auxiliary task
    only, main task only, neither.

    Source: Lindsey & Lippl (2023), sec. 5.1.

    Parameters
    ----------
    dim : int
        Number D of coefficients, at least as many as the tasks use.
    k_aux, k_main : int
        Numbers of coefficients that the tasks use.
    overlap : int
        Number that both use, at most the smaller of the two.

    Returns
    -------
    weights, truth, beta_aux : ndarray, shape (5,)
        Fraction of each class, and its coefficient in the main and in the auxiliary task.

    Examples
    --------
    >>> weights, truth, beta_aux = overlap_classes(100, 10, 10, 4)
    >>> weights, truth, beta_aux
    (array([0.02, 0.02, 0.06, 0.06, 0.84]), array([ 1., -1.,  0.,  1.,  0.]), array([1., 1., 1., 0., 0.]))
    """
    dim = whole("dim", dim)
    k_aux, k_main, overlap = whole("k_aux", k_aux, 0), whole("k_main", k_main, 0), whole("overlap", overlap, 0)
    if overlap > min(k_aux, k_main):
        raise ValueError(f"overlap must be at most k_aux and k_main; got {overlap} for {k_aux} and {k_main}.")
    if k_aux + k_main - overlap > dim:
        raise ValueError(f"dim must be at least k_aux + k_main - overlap; got {dim} < {k_aux + k_main - overlap}.")
    sizes = [overlap / 2, overlap / 2, k_aux - overlap, k_main - overlap, dim - k_aux - k_main + overlap]
    return np.array(sizes) / dim, np.array([1.0, -1.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0, 1.0, 0.0, 0.0])


def checked_classes(weights: ArrayLike, **values: ArrayLike) -> tuple[Array, ...]:
    """Fractions that sum to 1, and for each value one number for each class."""
    weights = nonnegative("weights", weights)
    if weights.ndim != 1 or abs(weights.sum() - 1) > 1e-9:
        raise ValueError(f"weights must be fractions of classes, 1-d, with sum 1; got {weights}.")
    found = []
    for name, value in values.items():
        array = bounded(name, value)
        if array.shape not in ((), weights.shape):
            raise ValueError(f"{name} must be a number or have shape {weights.shape}; got shape {array.shape}.")
        found.append(np.array(np.broadcast_to(array, weights.shape)))
    return weights, *found
