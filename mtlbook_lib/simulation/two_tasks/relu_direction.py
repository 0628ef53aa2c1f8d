"""The best shared direction of two rectified tasks with two inputs, where one can look at all directions."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count
from mtlbook_lib._threads import suited

_FINER = 100  # steps of the second grid within one of the first, on either side
_SMALL = 1e-6  # share of the inputs' energy below which features are not taken from running sums


@suited
def best_relu_direction(x1: ArrayLike, y1: ArrayLike, x2: ArrayLike, y2: ArrayLike, n_grid: int = 720) -> Array:
    r"""Direction of the plane whose rectified features explain most of both tasks' labels.

    .. math:: \max_B \sum_i \frac{\langle \mathrm{relu}(X_i B), y_i\rangle^2}{|\mathrm{relu}(X_i B)|^2}

    on a grid of angles, and on a finer one around its best.

    Source: Wu, Zhang & Ré (2020), eq. 10. Features that vanish explain nothing.

    Parameters
    ----------
    x1, x2 : array_like, shapes (m_1, 2) and (m_2, 2)
    y1, y2 : array_like, shapes (m_1,) and (m_2,)
    n_grid : int
        Angles of the first grid.

    Returns
    -------
    ndarray, shape (2,)
        Of unit norm.
    """
    tasks = [_task("1", x1, y1), _task("2", x2, y2)]
    n_grid = count("n_grid", n_grid, 3)
    step = 2 * np.pi / n_grid
    best = _best_angle(np.asarray(np.arange(n_grid) * step, dtype=np.float64), tasks)
    near = best + step * np.linspace(-1, 1, 2 * _FINER + 1)
    best = _best_angle(np.asarray(near, dtype=np.float64), tasks)
    return np.array([np.cos(best), np.sin(best)])


def _best_angle(angles: Array, tasks: list[tuple[Array, Array]]) -> float:
    explained = sum((_explained(angles, x, y) for x, y in tasks), np.zeros(angles.size))
    return float(angles[np.argmax(explained)])


def _explained(angles: Array, x: Array, y: Array) -> Array:
    """Energy of the labels along the features of each angle.

    The examples on the positive side of a direction are neighbours when sorted by their own angle. So all that the
    energy needs, the sums of y x and of x x', are differences of running sums. Where the features almost vanish, such
    a difference would be mostly rounding, and the features themselves are taken.
    """
    circle = np.stack([np.cos(angles), np.sin(angles)])
    turn = np.arctan2(x[:, 1], x[:, 0]) % (2 * np.pi)
    order = np.argsort(turn)
    around = np.concatenate([turn[order], turn[order] + 2 * np.pi])
    terms = np.column_stack([y[:, None] * x, x[:, 0] ** 2, 2 * x[:, 0] * x[:, 1], x[:, 1] ** 2])[order]
    sums = np.concatenate([np.zeros((1, 5)), np.cumsum(np.concatenate([terms, terms]), axis=0)])
    first = (angles - np.pi / 2) % (2 * np.pi)
    active = (sums[np.searchsorted(around, first + np.pi)] - sums[np.searchsorted(around, first)]).T
    products = np.sum(active[:2] * circle, axis=0)
    squares = active[2] * circle[0] ** 2 + active[3] * circle[0] * circle[1] + active[4] * circle[1] ** 2
    small = squares <= _SMALL * np.sum(x**2)
    features = np.maximum(x @ circle[:, small], 0)
    products[small], squares[small] = y @ features, np.sum(features**2, axis=0)
    explained: Array = np.divide(products**2, squares, out=np.zeros_like(squares), where=squares > 0)
    return explained


def _task(which: str, x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    inputs, labels = bounded(f"x{which}", x), bounded(f"y{which}", y)
    if inputs.ndim != 2 or inputs.shape[1] != 2 or inputs.size == 0 or labels.shape != inputs.shape[:1]:
        raise ValueError(f"x{which} and y{which} must have shapes (m, 2) and (m,); got {inputs.shape}, {labels.shape}.")
    return inputs, labels
