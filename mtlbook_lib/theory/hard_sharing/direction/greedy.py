"""Directions one after the other: what a greedy choice of the shared layer's columns explains."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array
from mtlbook_lib.theory.hard_sharing.direction.rank_one import optimal_direction
from mtlbook_lib.theory.hard_sharing.tasks import Task, column_basis, make_tasks

_NOTHING = 1e-20  # of the energy at first: what roundoff leaves
_LEAST = 1e-50  # of inputs: their squares stay within float64


def greedy_energies(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> Array:
    r"""Label energy that each further shared direction explains when the directions are chosen one at a time.

    .. math:: \lambda_j = \max_B \sum_i \left\langle \frac{X_i^{(j)} B}{|X_i^{(j)} B|}, y_i \right\rangle^2, \qquad
        X_i^{(j+1)} = \left(1 - P_{X_i^{(j)} W_j}\right) X_i^{(j)}

    with :math:`W_j` the maximiser, :math:`X_i^{(1)} = X_i`. Hence
    :math:`\sum_{j \le d} \lambda_j = \sum_i |P_{X_i} y_i|^2`, and the least loss at capacity :math:`r` is at most
    :math:`\sum_i |y_i - X_i\hat\theta_i|^2 + \sum_{j > r} \lambda_j`.

    Source: Wu, Zhang & Ré (2020), Prop. 6. The printed indices are mixed up, and the printed sign would make a smaller
    layer better: the tail of the energies is added to the loss, not subtracted. Greedy directions are not the optimal
    layer beyond capacity 1. For more than two tasks each maximum is the best one found (``rank_one_optimum``).

    Parameters
    ----------
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks, of full column rank.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.

    Returns
    -------
    ndarray, shape (d,)
        In squared units of the labels; zeros once all that the inputs explain is explained, up to roundoff.

    Examples
    --------
    >>> greedy_energies([np.eye(2), np.eye(2)], [[2.0, 1.0], [1.0, 2.0]]).round(3)
    array([9., 1.])
    """
    tasks = [_within_reach(task) for task in make_tasks(xs, ys)]
    n_inputs = tasks[0].x.shape[1]
    for i, task in enumerate(tasks):
        if len(task.x) < n_inputs or np.abs(task.x).max() < _LEAST:
            raise ValueError(f"xs[{i}] must have full column rank {n_inputs}, with entries of {_LEAST:g} and more.")
    energies, total = np.zeros(n_inputs), _energy(tasks)
    for j in range(n_inputs):
        if _energy(tasks) <= _NOTHING * total:
            break
        direction = optimal_direction(tasks)
        energies[j] = sum(_explained(task, direction) for task in tasks)
        complement = np.linalg.svd(direction[None, :])[2][1:].T
        tasks = [_deflated(task, direction, complement) for task in tasks]
    return energies


def _within_reach(task: Task) -> Task:
    """The part of the labels that the inputs explain, in coordinates of the inputs' columns."""
    basis = column_basis(task.x)
    return Task(basis.T @ task.x, task.y @ basis)


def _energy(tasks: list[Task]) -> float:
    return sum(float(task.y @ task.y) for task in tasks)


def _explained(task: Task, direction: Array) -> float:
    feature = task.x @ direction
    return float((feature @ task.y) ** 2 / (feature @ feature))


def _deflated(task: Task, direction: Array, complement: Array) -> Task:
    """What the direction leaves, of inputs and labels, in coordinates of its complement."""
    feature = task.x @ direction
    feature = feature / np.linalg.norm(feature)
    inputs = task.x @ complement
    return Task(inputs - np.outer(feature, feature @ inputs), task.y - feature * (feature @ task.y))
