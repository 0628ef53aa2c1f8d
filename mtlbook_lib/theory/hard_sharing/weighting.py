"""Weights of the tasks from their labels: Algorithm 2, and weights by uncertainty."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, real_array
from mtlbook_lib.theory.hard_sharing.tasks import column_basis, make_inputs

_LEAST_LOSS = 1e-12  # of a task's energy: an interpolated task would take an infinite weight
_CHANGE, _MOST_STEPS = 1e-13, 100_000


def svd_task_weights(x: ArrayLike, y: ArrayLike, rank: int) -> Array:
    r"""Weight of every task by how much of its correlation with the inputs lies in the leading directions of all.

    .. math:: \alpha_i = \left|U_r^\top X^\top y_i\right|

    with :math:`U_r` the first :math:`r` left singular vectors of :math:`X^\top Y`.

    Parameters
    ----------
    x : array_like, shape (m, d)
        Inputs that the tasks have in common.
    y : array_like, shape (m, k)
        Labels, a column a task, used as given: neither centred nor scaled.
    rank : int
        Number of directions :math:`r`, 1 to min(d, k).

    Returns
    -------
    ndarray, shape (k,)
        In units of `x` times `y`, not normalised. Their common scale acts as a learning rate.

    Raises
    ------
    ValueError
        If the rank is too large, a shape does not fit, or an entry is not finite.
    TypeError
        If `rank` is not an integer, or an entry not real.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), Algorithm 2. With labels that are not centred, the size of the classes decides. At
    rank k the weights are the norms of :math:`X^\top y_i`.
    """
    inputs, labels = _common_inputs(x, y)
    products = inputs.T @ labels
    directions, _, _ = np.linalg.svd(products, full_matrices=False)
    return np.asarray(np.linalg.norm(directions[:, : _rank(rank, min(products.shape))].T @ products, axis=0))


def uncertainty_weights(x: ArrayLike, y: ArrayLike, rank: int) -> Array:
    r"""Weights of the tasks that are consistent with their losses, for the linear model of a given capacity.

    .. math:: w_i \propto 1/L_i(w), \qquad L_i = \frac1m \left|X B A_i - y_i\right|^2

    with :math:`B, A_i` the optimum for the weights :math:`w` (``shared_solution``). Alternating the steps from equal
    weights lowers :math:`\min_s \sum_i (L_i/2 s_i^2 + \log s_i) = \tfrac12\sum_i (1 + \log L_i)` at every step.

    Parameters
    ----------
    x : array_like, shape (m, d)
        Inputs that the tasks have in common.
    y : array_like, shape (m, k)
        Labels, a column a task, none of them zero.
    rank : int
        Capacity of the shared layer, 1 to min(d, k).

    Returns
    -------
    ndarray, shape (k,)
        Normalised to sum 1. The fixed point reached from equal weights; there may be others.

    Raises
    ------
    ValueError
        If the rank is too large, a task's labels are all zero, a shape does not fit, or an entry is not finite.
    TypeError
        If `rank` is not an integer, or an entry not real.
    RuntimeError
        If the alternation has not settled after 100 000 steps.

    Warns
    -----
    UserWarning
        If a task is interpolated: its weight would be infinite. Its loss then counts as 1e-12 of its label energy.

    Notes
    -----
    Source: Kendall, Gal & Cipolla (2018), which Wu, Zhang & Ré (2020), Sec. 3, compare with; the alternation for linear
    models is ours.
    """
    inputs, labels = _common_inputs(x, y)
    capacity = _rank(rank, min(inputs.shape[1], labels.shape[1]))
    energies = np.sum(labels**2, axis=0)
    if np.any(energies == 0):
        raise ValueError("y must have no column of zeros: its loss would be zero for any weights.")
    basis = column_basis(inputs)
    scores = basis.T @ labels
    unreached = np.sum((labels - basis @ scores) ** 2, axis=0)
    weights = np.full(labels.shape[1], 1.0 / labels.shape[1])
    for _ in range(_MOST_STEPS):
        losses = unreached + _left_over(scores, weights, capacity)
        clamped = np.maximum(losses, _LEAST_LOSS * energies)
        new = (1 / clamped) / np.sum(1 / clamped)
        change = np.max(np.abs(new / weights - 1))
        weights = new
        if change <= _CHANGE * len(weights):
            break
    else:
        raise RuntimeError(f"the weights still change by {change:.1e} a step after {_MOST_STEPS} steps.")
    if np.any(clamped > losses):
        warnings.warn("a task is interpolated at this rank; its loss was clamped to keep its weight finite",
                      UserWarning, stacklevel=2)  # fmt: skip
    return np.asarray(weights)


def _left_over(scores: Array, weights: Array, capacity: int) -> Array:
    """Energy of every task outside the leading directions of the weighted scores."""
    directions, _, _ = np.linalg.svd(np.sqrt(weights) * scores)
    return np.asarray(np.sum((directions[:, capacity:].T @ scores) ** 2, axis=0))


def _common_inputs(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    inputs, labels = make_inputs("x", x), real_array("y", y, ndim=2)
    if labels.shape[0] != inputs.shape[0] or labels.shape[1] == 0:
        raise ValueError(f"y must have shape ({inputs.shape[0]}, k), a row an example of x; got {labels.shape}.")
    return inputs, labels


def _rank(rank: int, largest: int) -> int:
    if count("rank", rank) > largest:
        raise ValueError(f"rank must be at most min(d, k) = {largest}; got {rank}.")
    return int(rank)
