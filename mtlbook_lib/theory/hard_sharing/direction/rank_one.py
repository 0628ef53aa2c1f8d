"""One shared direction: its objective, its global optimum for two tasks, its best found optimum for more."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, like_input, real_array
from mtlbook_lib.theory.hard_sharing.direction.many_tasks import best_direction_of_many
from mtlbook_lib.theory.hard_sharing.direction.two_tasks import (
    best_direction,
    diagonalise,
    independent,
    maximise,
    unit_inputs,
)
from mtlbook_lib.theory.hard_sharing.solutions import single_task_solution
from mtlbook_lib.theory.hard_sharing.tasks import EPS, Task, make_tasks, rank_of, singular_values


def rank_one_objective(b: ArrayLike, xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> FloatOrArray:
    r"""Label energy that one shared direction explains with its best heads.

    .. math:: h(B) = \sum_i \left\langle \frac{X_i B}{|X_i B|}, y_i \right\rangle^2

    Source: Wu, Zhang & Ré (2020), eq. 4.

    Parameters
    ----------
    b : array_like, shape (..., d)
        Directions; their lengths and signs do not matter.
    xs : sequence of array_like, shapes (m_i, d)
        Inputs of the tasks.
    ys : sequence of array_like, shapes (m_i,)
        Labels of the tasks.

    Returns
    -------
    float or ndarray, the leading shape of `b`
        In squared units of the labels.

    Raises
    ------
    ValueError
        If some task has :math:`X_i B = 0` up to roundoff.

    Examples
    --------
    >>> xs, ys = [np.eye(2), np.eye(2)], [[2.0, 1.0], [1.0, 2.0]]
    >>> rank_one_objective([[1.0, 0.0], [1.0, 1.0]], xs, ys).round(3)
    array([5., 9.])
    """
    tasks = make_tasks(xs, ys)
    directions = real_array("b", b)
    if directions.ndim == 0 or directions.shape[-1] != tasks[0].x.shape[1]:
        raise ValueError(f"b must have {tasks[0].x.shape[1]} entries along its last axis; got shape "
                         f"{directions.shape}.")  # fmt: skip
    lengths = np.max(np.abs(directions), axis=-1, keepdims=True)
    if np.any(lengths == 0):
        raise ValueError("b must not be zero.")
    value = np.zeros(directions.shape[:-1])
    for i, task in enumerate(tasks):
        features = (directions / lengths) @ task.x.T
        norms = np.linalg.norm(features, axis=-1)
        if np.any(norms <= EPS * max(task.x.shape) * np.linalg.norm(task.x)):
            raise ValueError(f"b must not be in the null space of xs[{i}], where its head is not defined.")
        value += (features @ task.y / norms) ** 2
    return like_input(value)


def rank_one_optimum(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> tuple[Array, Array, FloatOrArray]:
    r"""Best single shared direction: global for two tasks, the best of fixed starts for more.

    .. math:: \max_B h(B) = \max_a \Big(\sum_i a_i X_i^\top y_i\Big)^{\!\top}
        \Big(\sum_i a_i^2 X_i^\top X_i\Big)^{-1} \Big(\sum_i a_i X_i^\top y_i\Big), \qquad
        A_i = \frac{\langle X_i B, y_i\rangle}{|X_i B|^2}

    For two tasks the right side is a rational function of the ratio of the heads. Branch and bound, with a bound on its
    second derivative, finds its maximum and proves it to 1e-11 of the energy in reach (``rank_one_upper_bound``).

    Source: Wu, Zhang & Ré (2020), eq. 4; eliminating the direction instead of the heads is ours. Where several
    directions are best, one of them is returned. The scale of the inputs and labels of a task does not matter.

    Parameters
    ----------
    xs : sequence of array_like, shapes (..., m_i, d)
        Inputs of the tasks. Leading axes, the same for all tasks, are further problems, each solved by itself.
    ys : sequence of array_like, shapes (..., m_i)
        Labels of the tasks.

    Returns
    -------
    b : ndarray, shape (..., d)
        Unit norm, first nonzero entry positive; within the span of all rows where that is not the whole space.
    heads : ndarray, shape (..., k)
        Head of every task for `b`.
    value : float or ndarray, leading shape
        Explained energy, in squared units of the labels.

    Raises
    ------
    ValueError
        If the row spaces of the tasks are independent (their ranks add up to the rank of all rows, as for m_1 + m_2
        <= d): every task is then fitted as if alone by a continuum of directions. If no inputs explain any labels;
        if the energy is approached only as a head goes to zero.

    Examples
    --------
    >>> b, heads, value = rank_one_optimum([np.eye(2), np.eye(2)], [[2.0, 1.0], [1.0, 2.0]])
    >>> b.round(3), heads.round(3), round(value, 3)
    (array([0.707, 0.707]), array([2.121, 2.121]), 9.0)
    """
    tasks = make_tasks(xs, ys, batched=True)
    leading = tasks[0].x.shape[:-2]
    directions = np.empty((*leading, tasks[0].x.shape[-1]))
    heads, values = np.empty((*leading, len(tasks))), np.empty(leading)
    for index in np.ndindex(leading):
        problem = [Task(task.x[index], task.y[index]) for task in tasks]
        direction = _normal_form(optimal_direction(problem))
        directions[index] = direction
        features = [task.x @ direction for task in problem]
        products = np.array([feature @ task.y for feature, task in zip(features, problem, strict=True)])
        squares = np.array([feature @ feature for feature in features])
        heads[index] = np.divide(products, squares, out=np.zeros_like(products), where=squares > 0)
        values[index] = heads[index] @ products
    return directions, heads, like_input(values)


def rank_one_upper_bound(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> float:
    r"""A number that the energy explained by one shared direction exceeds for no direction, for two tasks.

    The bound of the branch and bound of ``rank_one_optimum``: on every interval of the logarithm :math:`l` of the ratio
    of the heads, :math:`F \le F(c) + |F'(c)|\,w + \tfrac12 w^2 \max|F''|` with the interval's centre and half width.

    Source: beyond Wu, Zhang & Ré (2020), whose eq. 4 it bounds.

    Parameters
    ----------
    xs : sequence of two array_like, shapes (m_i, d)
        Inputs of the two tasks.
    ys : sequence of two array_like, shapes (m_i,)
        Labels of the two tasks.

    Returns
    -------
    float
        In squared units of the labels; at most 1e-11 of the energy in reach above the value of ``rank_one_optimum``,
        unless that energy hardly depends on the direction.

    Examples
    --------
    >>> round(rank_one_upper_bound([np.eye(2), np.eye(2)], [[2.0, 1.0], [1.0, 2.0]]), 6)
    9.0
    """
    tasks = make_tasks(xs, ys)
    if len(tasks) != 2:
        raise ValueError(f"xs must hold two tasks; got {len(tasks)}.")
    pair = diagonalise(*tasks)
    return pair.energy if independent(pair) else float(maximise(pair).bound)


def optimal_direction(tasks: list[Task]) -> Array:
    """A best direction, of any length and sign."""
    if not any(_explains(task) for task in tasks):
        raise ValueError("ys must have a part that the inputs explain; here no direction explains any.")
    if len(tasks) == 1:
        return single_task_solution(tasks[0].x, tasks[0].y)
    if len(tasks) == 2:
        pair = diagonalise(*tasks)
        if independent(pair):
            raise ValueError(_continuum(tasks))
        return best_direction(pair, maximise(pair))
    ranks = [rank_of(singular_values(task.x), task.x.shape) for task in tasks]
    rows = np.concatenate([unit_inputs(task) for task in tasks])
    if sum(ranks) == rank_of(singular_values(rows), rows.shape):
        raise ValueError(_continuum(tasks))
    return best_direction_of_many(tasks)


def _continuum(tasks: list[Task]) -> str:
    shapes = ", ".join(str(task.x.shape) for task in tasks)
    return (
        f"xs must have row spaces that overlap; got shapes {shapes}. Every task can be fitted as if alone, by a "
        "continuum of directions. Add examples, or ridge rows."
    )


def _explains(task: Task) -> bool:
    size = float(np.linalg.norm(task.x) * np.linalg.norm(task.y))
    return float(np.linalg.norm(task.x.T @ task.y)) > EPS * size


def _normal_form(direction: Array) -> Array:
    """Unit norm, first entry that is not roundoff positive."""
    unit = direction / np.max(np.abs(direction))
    unit = unit / np.linalg.norm(unit)
    first = int(np.argmax(np.abs(unit) > 1e-12))
    return np.asarray(unit * np.sign(unit[first]))
