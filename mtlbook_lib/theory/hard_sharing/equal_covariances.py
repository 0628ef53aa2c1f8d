"""The optimum of hard sharing for tasks whose inputs have the same covariance up to scale."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, whole
from mtlbook_lib.theory.hard_sharing.tasks import Task, few_rows, make_tasks, make_weights, rank_of, singular_values

_EQUAL = 1e-6  # relative difference up to which covariances count as equal


def shared_solution(
    xs: Sequence[ArrayLike], ys: Sequence[ArrayLike], capacity: int, weights: ArrayLike | None = None
) -> tuple[Array, list[Array], float]:
    r"""Global optimum of hard sharing where all tasks have the same covariance up to scale.

    .. math::
        X_i^\top X_i &= \beta_i \Sigma, \quad \Sigma = V D^2 V^\top, \quad
        Z = \left[\sqrt{\alpha_i}\,U_i^\top y_i\right]_i, \quad B = V D^{-1} Q_r, \\
        \min f &= \sum_i \alpha_i \left|y_i - X_i\hat\theta_i\right|^2 + \sum_{j>r} \sigma_j(Z)^2

    with :math:`U_i = X_i V D^{-1}/\sqrt{\beta_i}` and :math:`Q_r` the first :math:`r` left singular vectors of
    :math:`Z` (d × k).

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.
    capacity : int
        Number of columns :math:`r` of the shared layer, 1 to d. From the number of tasks on there is no transfer.
    weights : array_like, shape (k,), optional
        Weights :math:`\alpha_i` > 0 of the tasks; ones by default.

    Returns
    -------
    shared : ndarray, shape (d, r)
        Its columns are orthonormal in the metric :math:`\Sigma` = mean of the covariances, scaled to equal traces.
    heads : list of ndarray, shapes (r,)
    loss : float
        In squared units of the labels.

    Raises
    ------
    ValueError
        If the covariances differ by more than 1e-6 in relative Frobenius norm after scaling, or are singular.

    Notes
    -----
    Source: Wu, Zhang & Ré (2020), Props. 1, 3 and 5, Lemma 10. Corrected in three places. With
    :math:`\Sigma = VDV^\top` the layer is :math:`V D^{-1/2} C`, with :math:`X_i = U_i D V^\top` it is
    :math:`V D^{-1} C`, and the paper mixes the two; "full rank" has to be full column rank; the gap to single tasks
    equals the sum of the eigenvalues
    :math:`\sigma_j^2` (the printed sum of squares is right if :math:`\lambda_j` stands for the singular values of
    :math:`Z`). The span of the layer is not unique where :math:`\sigma_r = \sigma_{r+1}`; the loss is.

    Examples
    --------
    >>> xs, ys = [np.eye(2), np.eye(2)], [[2.0, 1.0], [1.0, 2.0]]
    >>> [round(shared_solution(xs, ys, capacity)[2], 3) for capacity in (1, 2)]
    [1.0, 0.0]
    """
    tasks = [few_rows(task) for task in make_tasks(xs, ys)]
    alphas = make_weights(weights, len(tasks))
    n_inputs = tasks[0].x.shape[1]
    if whole("capacity", capacity) > n_inputs:
        raise ValueError(f"capacity must be at most the number of inputs, {n_inputs}; got {capacity}.")
    scales, covariance = _common_covariance(tasks)
    eigenvalues, vectors = np.linalg.eigh(covariance)
    whitening = vectors / np.sqrt(eigenvalues)  # V / D
    white = [Task(task.x @ whitening / np.sqrt(scale), task.y) for task, scale in zip(tasks, scales, strict=True)]
    scores = np.column_stack([task.x.T @ task.y for task in white])
    directions, values, _ = np.linalg.svd(np.sqrt(alphas) * scores)
    directions = directions[:, :capacity]
    heads = list((directions.T @ scores / np.sqrt(scales)).T)
    residuals = [np.sum((task.y - task.x @ (task.x.T @ task.y)) ** 2) for task in white]
    loss = float(alphas @ np.array(residuals) + np.sum(values[capacity:] ** 2))
    return whitening @ directions, heads, loss


def _common_covariance(tasks: list[Task]) -> tuple[Array, Array]:
    """Scales of trace, relative to their mean, and the covariance they share."""
    for i, task in enumerate(tasks):
        if rank_of(singular_values(task.x), task.x.shape) < task.x.shape[1]:
            raise ValueError(f"xs[{i}] must have full column rank {task.x.shape[1]}; its covariance is singular.")
    covariances = np.array([task.x.T @ task.x for task in tasks])
    traces = np.trace(covariances, axis1=1, axis2=2)
    scales = traces / np.mean(traces)
    scaled = covariances / scales[:, None, None]
    common = np.mean(scaled, axis=0)
    for i, matrix in enumerate(scaled):
        distance = np.linalg.norm(matrix - common) / np.linalg.norm(common)
        if distance > _EQUAL:
            raise ValueError(
                f"xs must have covariances that are equal up to scale; that of xs[{i}] differs from their mean by "
                f"{distance:.1e} of its norm. Use rank_one_optimum for other covariances."
            )
    return scales, common
