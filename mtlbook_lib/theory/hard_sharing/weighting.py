"""Tasks on the same inputs: the models of sharing, and weights from the labels (Algorithm 2) or by uncertainty."""

import math
import warnings

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, positive, scalar, whole, within
from mtlbook_lib.theory.hard_sharing.tasks import exceed_roundoff

_LEAST_LOSS = 1e-12  # of a task's energy: an interpolated task would take an infinite weight
_CHANGE, _MOST_STEPS = 1e-12, 100_000


def svd_task_weights(x: ArrayLike, y: ArrayLike, rank: int) -> Array:
    r"""Weight of every task by how much of its correlation with the inputs lies in the leading directions of all.

    .. math:: \alpha_i = \left|U_r^\top X^\top y_i\right|

    with :math:`U_r` the first :math:`r` left singular vectors of :math:`X^\top Y`.

    Source: Wu, Zhang & Ré (2020), Algorithm 2. With labels that are not centred, the size of the classes decides. At
    rank k the weights are the norms of :math:`X^\top y_i`.

    Parameters
    ----------
    x : array_like, shape (..., m, d)
        Inputs that the tasks have in common. Leading axes are further problems.
    y : array_like, shape (..., m, k)
        Labels, a column a task, used as given: neither centred nor scaled.
    rank : int
        Number of directions :math:`r`, 1 to min(d, k).

    Returns
    -------
    ndarray, shape (..., k)
        In units of `x` times `y`, not normalised. Their common scale acts as a learning rate.

    Examples
    --------
    The second task lies outside the leading direction:

    >>> [svd_task_weights(np.eye(2), [[3.0, 0.0], [0.0, 1.0]], rank).round(3) for rank in (1, 2)]
    [array([3., 0.]), array([3., 1.])]
    """
    inputs, labels = _common_inputs(x, y)
    products = inputs.swapaxes(-1, -2) @ labels
    directions, _, _ = np.linalg.svd(products, full_matrices=False)
    leading = directions[..., : _rank(rank, products)].swapaxes(-1, -2) @ products
    return np.asarray(np.linalg.norm(leading, axis=-2))


def shared_models(x: ArrayLike, y: ArrayLike, rank: int, weights: ArrayLike | None = None) -> Array:
    r"""Model of every task at the optimum of hard sharing, for tasks on the same inputs.

    .. math:: B A_i = V D^{-1} Q_r Q_r^\top\, U^\top y_i, \qquad X = U D V^\top

    with :math:`Q_r` the first :math:`r` left singular vectors of :math:`U^\top [\sqrt{\alpha_1}\, y_1, \dots,
    \sqrt{\alpha_k}\, y_k]`. At rank k they are the single-task solutions.

    Source: Wu, Zhang & Ré (2020), Prop. 3 and Lemma 10, for many problems at once; ``shared_solution`` has the layer
    and the heads, and admits covariances that are equal up to scale. Rows :math:`\sqrt\lambda\, e_j` with labels 0 make
    it ridge regression, with a penalty that is weighted as the loss of its task is.

    Parameters
    ----------
    x : array_like, shape (..., m, d)
        Inputs that the tasks have in common, of full column rank. Leading axes are further problems.
    y : array_like, shape (..., m, k)
        Labels, a column a task.
    rank : int
        Capacity of the shared layer, 1 to min(d, k).
    weights : array_like, shape (..., k), optional
        Positive weights :math:`\alpha_i` of the tasks' losses. Their leading axes broadcast against those of the data.

    Returns
    -------
    ndarray, shape (..., d, k)
        A column a task.

    Examples
    --------
    >>> shared_models(np.eye(2), [[2.0, 1.0], [1.0, 2.0]], rank=1).round(3)
    array([[1.5, 1.5],
           [1.5, 1.5]])
    """
    inputs, labels = _common_inputs(x, y)
    capacity = _rank(rank, inputs.swapaxes(-1, -2) @ labels)
    alphas = np.ones(labels.shape[-1]) if weights is None else positive("weights", weights)
    if alphas.ndim == 0 or alphas.shape[-1] != labels.shape[-1]:
        raise ValueError(f"weights must have shape (..., {labels.shape[-1]}), one a task; got {alphas.shape}.")
    basis, values, rotation = np.linalg.svd(inputs, full_matrices=False)
    if inputs.shape[-2] < inputs.shape[-1] or not np.all(exceed_roundoff(values, inputs.shape)):
        raise ValueError("x must have full column rank in every problem; add rows for a ridge.")
    scores = basis.swapaxes(-1, -2) @ labels
    directions = np.linalg.svd(np.sqrt(alphas)[..., None, :] * scores, full_matrices=False)[0][..., :capacity]
    kept = directions @ (directions.swapaxes(-1, -2) @ scores)
    return np.asarray((rotation.swapaxes(-1, -2) / values[..., None, :]) @ kept)


def uncertainty_weights(x: ArrayLike, y: ArrayLike, rank: int, least: float = _LEAST_LOSS) -> Array:
    r"""Weights of the tasks that are consistent with their losses, for the linear model of a given capacity.

    .. math:: w_i \propto 1/L_i(w), \qquad L_i = \frac1m \left|X B A_i - y_i\right|^2

    with :math:`B, A_i` the optimum for the weights :math:`w` (``shared_solution``). Alternating the steps from equal
    weights lowers :math:`\min_s \sum_i (L_i/2 s_i^2 + \log s_i) = \tfrac12\sum_i (1 + \log L_i)` at every step.

    Source: Kendall, Gal & Cipolla (2018), which Wu, Zhang & Ré (2020), Sec. 3, compare with; the alternation for linear
    models and the least loss are ours.

    Parameters
    ----------
    x : array_like, shape (..., m, d)
        Inputs that the tasks have in common. Leading axes are further problems.
    y : array_like, shape (..., m, k)
        Labels, a column a task, none of them zero.
    rank : int
        Capacity of the shared layer, 1 to min(d, k).
    least : float
        What a loss counts at least, as a share of the energy of its labels, 1e-12 to 0.5.

    Returns
    -------
    ndarray, shape (..., k)
        Normalised to sum 1. The fixed point reached from equal weights; there may be others.

    Raises
    ------
    RuntimeError
        If the alternation has not settled after 100 000 steps.

    Warns
    -----
    UserWarning
        If a task's loss falls below the least one. An interpolated task would take an infinite weight.

    Examples
    --------
    The noisier task counts less:

    >>> x, y = np.array([[1.0], [1.0], [1.0], [1.0]]), np.array([[1.1, 2.0], [0.9, 0.0], [1.1, 2.0], [0.9, 0.0]])
    >>> uncertainty_weights(x, y, rank=1).round(3)
    array([0.99, 0.01])
    """
    inputs, labels = _common_inputs(x, y)
    capacity = _rank(rank, inputs.swapaxes(-1, -2) @ labels)
    floor = scalar("least", least, lambda name, value: within(name, value, 1e-12, 0.5))
    leading, k = labels.shape[:-2], labels.shape[-1]
    cases = math.prod(leading)
    energies = np.sum(labels**2, axis=-2).reshape(cases, k)
    if np.any(energies == 0):
        raise ValueError("y must have no column of zeros: its loss would be zero for any weights.")
    scores, unreached = (part.reshape(cases, *part.shape[len(leading) :]) for part in _reached(inputs, labels))
    weights = np.ones((cases, k))
    clamped = np.zeros(weights.shape, dtype=bool)
    moving = np.arange(cases)
    for _ in range(_MOST_STEPS):
        losses = unreached[moving] + _left_over(scores[moving], weights[moving], capacity)
        least_losses = floor * energies[moving]
        clamped[moving] = losses < least_losses
        new = np.reciprocal(np.maximum(losses, least_losses))
        new /= new.sum(axis=1, keepdims=True)
        change = np.max(np.abs(new / weights[moving] - 1), axis=1)
        weights[moving] = new
        moving = moving[change > _CHANGE]
        if moving.size == 0:
            break
    else:
        raise RuntimeError(f"weights of x and y still change by {change.max():.1e} a step after {_MOST_STEPS} steps.")
    if np.any(clamped):
        warnings.warn("a task is interpolated at this rank; its loss was clamped to keep its weight finite",
                      UserWarning, stacklevel=2)  # fmt: skip
    return weights.reshape(*leading, k)


def _reached(inputs: Array, labels: Array) -> tuple[Array, Array]:
    """Labels within reach of the inputs, in at most k coordinates, and each task's energy beyond reach."""
    basis, values, _ = np.linalg.svd(inputs, full_matrices=False)
    basis = basis * exceed_roundoff(values, inputs.shape)[..., None, :]
    scores = basis.swapaxes(-1, -2) @ labels
    unreached = np.sum((labels - basis @ scores) ** 2, axis=-2)
    # Turning the coordinates changes no loss; the triangle has as few of them as there are tasks.
    return np.asarray(np.linalg.qr(scores, mode="r")), np.asarray(unreached)


def _left_over(scores: Array, weights: Array, capacity: int) -> Array:
    """Energy of every task outside the leading directions of the weighted scores."""
    directions = np.linalg.svd(np.sqrt(weights)[..., None, :] * scores)[0]
    return np.asarray(np.sum((directions[..., capacity:].swapaxes(-1, -2) @ scores) ** 2, axis=-2))


def _common_inputs(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    inputs, labels = bounded("x", x), bounded("y", y)
    if inputs.ndim < 2 or inputs.size == 0:
        raise ValueError(f"x must have at least one row and one column, shape (..., m, d); got {inputs.shape}.")
    if labels.shape[:-1] != inputs.shape[:-1] or labels.shape[-1] == 0:
        rows = ", ".join(str(size) for size in inputs.shape[:-1])
        raise ValueError(f"y must have shape ({rows}, k), a row an example of x; got {labels.shape}.")
    return inputs, labels


def _rank(rank: int, products: Array) -> int:
    if whole("rank", rank) > min(products.shape[-2:]):
        raise ValueError(f"rank must be at most min(d, k) = {min(products.shape[-2:])}; got {rank}.")
    return int(rank)
