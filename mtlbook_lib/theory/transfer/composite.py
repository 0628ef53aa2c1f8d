"""The composite teacher: several tasks on the same inputs, their outputs stacked, and its singular modes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib import _checks
from mtlbook_lib._checks import Array

# Rounding of a Gram matrix or of overlaps that the caller computed; anything larger is a wrong matrix.
_TOLERANCE = 1e-10
# Rounding of an eigenvalue that is zero. Its root would be a mode of strength 1e-8 that is not there.
_ROUNDING = 1e-13
# Modes whose strengths differ by less, relative to the strongest, have singular vectors that rounding decides.
_DEGENERATE = 1e-12


def composite_modes(singular_values: Sequence[ArrayLike], gram: ArrayLike) -> tuple[Array, Array]:
    r"""Singular values of a composite teacher, and the share that each of its modes has on each head.

    .. math:: \operatorname{diag}(s)\,G\,\operatorname{diag}(s) = \sum_a \sigma_a^2\,\ell_a\ell_a^T, \qquad
              p_{ha}^2 = \sum_{i \in h} \ell_{ia}^2

    with the singular values :math:`s` of all tasks one after the other; :math:`\ell_a` holds the coefficients of the
    left mode in the output modes of the tasks.

    Parameters
    ----------
    singular_values : sequence of array_like, one of shape (rank,) per task
        Singular values of each teacher, > 0 (dimensionless); a number for a task of rank one.
    gram : array_like, shape (K, K)
        Inner products of the input modes of all tasks, in the order of `singular_values`; K is the sum of the ranks.
        Symmetric, positive semi-definite, with an identity block for each task.

    Returns
    -------
    strengths : ndarray, shape (K,)
        :math:`\sigma_a`, descending; 0 for directions that the tasks share completely.
    weights : ndarray, shape (n_tasks, K)
        :math:`p_{ha}^2`; each column sums to 1.

    Notes
    -----
    Source: Lampinen & Ganguli (2019), App. D, whose matrix is a similarity transform of this one, with singular values
    the roots of its eigenvalues; see the chapter "The transfer theorem". Modes of equal strength have no directions of
    their own: each gets the mean of their weights. For two rank-one tasks of equal strength and overlap 0 this is 1/2,
    the limit of small overlap.

    Examples
    --------
    Two tasks of strength 2 and overlap 1/2:

    >>> strengths, weights = composite_modes([2.0, 2.0], [[1.0, 0.5], [0.5, 1.0]])
    >>> strengths.round(3)
    array([2.449, 1.414])
    >>> weights.round(3)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    tasks = task_values(singular_values)
    values, vectors = np.linalg.eigh(checked_gram(gram, [task.size for task in tasks]))
    root = np.sqrt(np.where(values < _ROUNDING, 0.0, values))[:, None] * vectors.T
    _, strengths, modes = np.linalg.svd(root * np.concatenate(tasks))
    heads = np.repeat(np.arange(len(tasks)), [task.size for task in tasks])
    weights = (heads == np.arange(len(tasks))[:, None]) @ (modes**2).T
    separate = strengths[:-1] - strengths[1:] > _DEGENERATE * strengths[0]
    level = np.concatenate(([0], np.cumsum(separate)))
    same = (level[:, None] == level).astype(np.float64)
    return strengths, weights @ same / np.sum(same, axis=0)


def task_values(singular_values: Sequence[ArrayLike]) -> list[Array]:
    """The singular values of each task, checked, as 1-d arrays."""
    given = _checks.sequence("singular_values", singular_values)
    tasks = [rank_values(f"singular_values[{i}]", values) for i, values in enumerate(given)]
    if not tasks:
        raise ValueError("singular_values must hold at least one task; got none.")
    return tasks


def rank_values(name: str, values: ArrayLike) -> Array:
    """The singular values of one task, checked: a number or a 1-d array, at least one."""
    strengths = np.atleast_1d(_checks.in_scale(name, values))
    if strengths.ndim != 1 or strengths.size == 0:
        raise ValueError(f"{name} must be a number or a 1-d array of singular values; got shape {strengths.shape}.")
    return strengths


def checked_gram(gram: ArrayLike, ranks: list[int]) -> Array:
    """`gram`, if it can be that of orthonormal input modes of tasks of these `ranks`."""
    matrix, total = _checks.real_array("gram", gram), sum(ranks)
    if matrix.shape != (total, total):
        raise ValueError(f"gram must have one row and column for each of {total} input modes; got {matrix.shape}.")
    if np.abs(matrix - matrix.T).max() > _TOLERANCE:
        raise ValueError("gram must be symmetric: it holds the inner products of the input modes.")
    for start, stop in pairwise(np.cumsum([0, *ranks])):
        if np.abs(matrix[start:stop, start:stop] - np.eye(stop - start)).max() > _TOLERANCE:
            raise ValueError("gram must have an identity block for each task: its input modes are orthonormal.")
    lowest = float(np.linalg.eigvalsh(matrix)[0])
    if lowest < -_TOLERANCE:
        raise ValueError(f"gram must have no negative eigenvalue (an overlap is too large); got {lowest:.3g}.")
    return matrix


def pair_gram(q: ArrayLike, rank_a: int, rank_b: int) -> Array:
    """Gram matrix of the stacked input modes of two tasks; a number `q` is that multiple of the identity."""
    if _checks.real_array("q", q).ndim not in (0, 2):
        raise ValueError(f"q must be a number or a matrix of shape ({rank_a}, {rank_b}); got shape {np.shape(q)}.")
    gram: Array = _checks.similarity_gram(q, rank_a, rank_b)[0]
    largest = float(np.linalg.norm(gram[:rank_a, rank_a:], ord=2))
    if largest > 1 + _TOLERANCE:
        raise ValueError(f"q must have no singular value above 1 (overlaps of orthonormal modes); got {largest:g}.")
    return gram


def overlaps(q: ArrayLike) -> Array:
    """Overlaps of unit vectors, in [-1, 1] up to rounding."""
    return np.clip(_checks.within("q", q, -1 - _TOLERANCE, 1 + _TOLERANCE), -1.0, 1.0)
