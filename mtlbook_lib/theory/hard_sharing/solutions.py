"""The loss of hard sharing, its best heads for a given shared layer, and what each task explains alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, sequence
from mtlbook_lib.theory.hard_sharing.tasks import (
    EPS,
    Task,
    column_basis,
    exceed_roundoff,
    make_shared,
    make_task,
    make_tasks,
    make_weights,
)


def single_task_solution(x: ArrayLike, y: ArrayLike) -> Array:
    r"""Least-squares solution of one task; the one of least norm where there are several.

    .. math:: \hat\theta = X^+ y

    Source: Wu, Zhang & Ré (2020), Sec. 2.2. Singular values below roundoff, max(m, d) times 2.2e-16 of the largest,
    count as zero.

    Parameters
    ----------
    x : array_like, shape (..., m, d)
        Inputs, a row an example; leading axes are further data sets.
    y : array_like, shape (..., m)
        Labels.

    Returns
    -------
    ndarray, shape (..., d)
        Unique where `x` has full column rank.

    Examples
    --------
    >>> single_task_solution([[1.0, 0.0], [0.0, 2.0]], [3.0, 4.0]).round(3)
    array([3., 2.])
    """
    task = make_task(x, y)
    inverse = np.linalg.pinv(task.x, rcond=EPS * max(task.x.shape[-2:]))
    return np.asarray((inverse @ task.y[..., None])[..., 0])


def sharing_loss(
    xs: Sequence[ArrayLike],
    ys: Sequence[ArrayLike],
    shared: ArrayLike,
    heads: Sequence[ArrayLike],
    weights: ArrayLike | None = None,
) -> float:
    r"""Weighted sum of squares of tasks that share one linear layer.

    .. math:: f = \sum_i \alpha_i \left|X_i B A_i - y_i\right|^2

    Source: Wu, Zhang & Ré (2020), eq. 2 with squared loss and eq. 3. A sum of squares, with no factor 1/2 or 1/m.

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.
    shared : array_like, shape (d, r)
        Shared layer :math:`B`; a vector (d,) is one column.
    heads : sequence of array_like, shapes (r,)
        Head :math:`A_i` of each task; numbers where r = 1.
    weights : array_like, shape (k,), optional
        Weights :math:`\alpha_i` > 0 of the tasks; ones by default.

    Returns
    -------
    float
        In squared units of the labels.

    Examples
    --------
    The second task's label lies across the shared direction:

    >>> sharing_loss([np.eye(2), np.eye(2)], [[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], [1.0, 0.0])
    1.0
    """
    tasks = make_tasks(xs, ys)
    layer = make_shared(shared, tasks[0].x.shape[1])
    alphas = make_weights(weights, len(tasks))
    residuals = [
        np.sum((task.x @ (layer @ head) - task.y) ** 2)
        for task, head in zip(tasks, _make_heads(heads, len(tasks), layer.shape[1]), strict=True)
    ]
    return float(alphas @ np.array(residuals))


def optimal_heads(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike], shared: ArrayLike) -> list[Array]:
    r"""Best head of every task for a given shared layer; of least norm where there are several.

    .. math:: A_i = (B^\top X_i^\top X_i B)^+ B^\top X_i^\top y_i = (X_i B)^+ y_i

    Source: Wu, Zhang & Ré (2020), Prop. 4 and its proof.

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.
    shared : array_like, shape (d, r)
        Shared layer :math:`B`; a vector (d,) is one column.

    Returns
    -------
    list of ndarray, shapes (r,)
        They do not depend on the weights of the tasks.

    Examples
    --------
    >>> heads = optimal_heads([np.eye(2), np.eye(2)], [[1.0, 0.0], [3.0, 1.0]], [1.0, 1.0])
    >>> np.round(heads, 3)
    array([[0.5],
           [2. ]])
    """
    tasks = make_tasks(xs, ys)
    layer = make_shared(shared, tasks[0].x.shape[1])
    return [_head(task, layer) for task in tasks]


def explained_energy(
    xs: Sequence[ArrayLike], ys: Sequence[ArrayLike], shared: ArrayLike, weights: ArrayLike | None = None
) -> float:
    r"""Label energy that a shared layer explains with its best heads: the labels' energy minus the least loss.

    .. math:: \sum_i \alpha_i \left|P_{X_i B}\, y_i\right|^2 = \sum_i \alpha_i |y_i|^2 - \min_A f

    with :math:`P_M` the projection on the columns of :math:`M`.

    Source: Wu, Zhang & Ré (2020), Prop. 4 and eq. 7. The proof of the paper loses a pseudo-inverse in its last line;
    the proposition has it.

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.
    shared : array_like, shape (d, r)
        Shared layer :math:`B`; only its column space matters. A vector (d,) is one column.
    weights : array_like, shape (k,), optional
        Weights :math:`\alpha_i` > 0 of the tasks; ones by default.

    Returns
    -------
    float
        In squared units of the labels, >= 0. A task with :math:`X_i B = 0` adds nothing.

    Examples
    --------
    >>> round(explained_energy([np.eye(2), np.eye(2)], [[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0]), 3)
    1.0
    """
    tasks = make_tasks(xs, ys)
    layer = make_shared(shared, tasks[0].x.shape[1])
    lengths = np.linalg.norm(layer, axis=0)
    layer = column_basis(np.divide(layer, lengths, out=np.zeros_like(layer), where=lengths > 0))
    alphas = make_weights(weights, len(tasks))
    # The layer has orthonormal columns: what is roundoff is judged by the size of the inputs.
    energies = [np.sum((column_basis(t.x @ layer, float(np.linalg.norm(t.x, 2))).T @ t.y) ** 2) for t in tasks]
    return float(alphas @ np.array(energies))


def _head(task: Task, layer: Array) -> Array:
    features = task.x @ layer
    u, values, vt = np.linalg.svd(features, full_matrices=False)
    seen = exceed_roundoff(values, task.x.shape, float(np.linalg.norm(task.x, 2) * np.linalg.norm(layer, 2)))
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=seen)
    return np.asarray(vt.T @ (inverse * (u.T @ task.y)))


def _make_heads(heads: Sequence[ArrayLike], n_tasks: int, capacity: int) -> list[Array]:
    given = sequence("heads", heads)
    if len(given) != n_tasks:
        raise ValueError(f"heads must have one entry a task, {n_tasks}; got {len(given)}.")
    vectors = [np.atleast_1d(bounded(f"heads[{i}]", head)) for i, head in enumerate(given)]
    for i, vector in enumerate(vectors):
        if vector.shape != (capacity,):
            raise ValueError(f"heads[{i}] must have shape ({capacity},), an entry a column of shared; got "
                             f"{vector.shape}.")  # fmt: skip
    return vectors
