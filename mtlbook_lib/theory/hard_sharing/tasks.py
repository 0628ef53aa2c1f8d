"""The data of the tasks as the formulas use them: checked arguments, projections, and an equivalent of few rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtlbook_lib._checks import WIDE, Array, bounded, positive, real_array
from mtlbook_lib.theory._tasks import make_pair, make_pairs

EPS = float(np.finfo(np.float64).eps)
_FAR = 1e100  # a ratio at which one task outweighs the other beyond rounding


@dataclass(frozen=True)
class Task:
    """Inputs (..., m, d) and labels (..., m) of one task."""

    x: Array
    y: Array


def make_task(x: ArrayLike, y: ArrayLike) -> Task:
    """One task, checked; leading axes are admitted."""
    return Task(*make_pair(x, y, batched=True))


def make_tasks(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike], batched: bool = False) -> list[Task]:
    """The tasks, checked: as many label vectors as input matrices, the same number of inputs in all."""
    return [Task(*pair) for pair in make_pairs(xs, ys, batched)]


def make_inputs(name: str, value: ArrayLike) -> Array:
    """A matrix with a row an example, not empty."""
    matrix = bounded(name, value, ndim=2, most=WIDE)
    if matrix.size == 0:
        raise ValueError(f"{name} must have at least one row and one column; got shape {matrix.shape}.")
    return matrix


def make_vector(name: str, value: ArrayLike, size: int) -> Array:
    """A vector of `size` entries."""
    vector = bounded(name, value)
    if vector.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},) to fit the other arguments; got {vector.shape}.")
    return vector


def make_weights(weights: ArrayLike | None, n_tasks: int) -> Array:
    """One positive weight a task; ones by default."""
    if weights is None:
        return np.ones(n_tasks)
    return make_vector("weights", positive("weights", weights), n_tasks)


def make_shared(shared: ArrayLike, n_inputs: int) -> Array:
    """The shared layer as a matrix (d, r); a vector is one column."""
    matrix = bounded("shared", shared)
    matrix = matrix[:, None] if matrix.ndim == 1 else matrix
    if matrix.ndim != 2 or matrix.shape[0] != n_inputs or matrix.shape[1] == 0:
        raise ValueError(f"shared must have shape ({n_inputs}, r), a row an input; got {np.shape(shared)}.")
    return matrix


def make_ratio(ratio: ArrayLike) -> Array:
    """Ratios of two heads, none of them 0."""
    values = real_array("ratio", ratio)
    if np.any(values == 0):
        raise ValueError("ratio must not be 0: the target's head would be zero.")
    return values


def within_limits(ratio: Array, growing: NDArray[np.bool_]) -> Array:
    """Ratios of a size at which all limits are reached to rounding; `growing` is where there is none at infinity."""
    if np.any(growing & (np.abs(ratio) > _FAR)):
        raise ValueError(
            f"ratio must be at most {_FAR:g} in size where the target alone does not determine its coefficients: the "
            f"variance grows as its square; got {ratio[()]}."
        )
    return np.asarray(np.copysign(np.clip(np.abs(ratio), 1 / _FAR, _FAR), ratio))


def exceed_roundoff(values: Array, shape: tuple[int, ...], scale: float | None = None) -> NDArray[np.bool_]:
    """Which singular values (..., r), descending, of matrices of a shape (..., m, d) exceed the roundoff of `scale`.

    By default that is the largest of them.
    """
    return np.asarray(values > EPS * max(shape[-2:]) * (values[..., :1] if scale is None else scale))


def rank_of(values: Array, shape: tuple[int, ...], scale: float | None = None) -> int:
    """How many singular values of a matrix exceed roundoff."""
    return int(np.sum(exceed_roundoff(values, shape, scale)))


def singular_values(x: Array) -> Array:
    """Singular values of a matrix, descending."""
    return np.asarray(np.linalg.svd(x, compute_uv=False), dtype=np.float64)


def column_basis(x: Array, scale: float | None = None) -> Array:
    """Orthonormal basis of the column space, shape (m, rank)."""
    u, values, _ = np.linalg.svd(x, full_matrices=False)
    return np.asarray(u[:, : rank_of(values, x.shape, scale)])


def few_rows(task: Task) -> Task:
    """A task of at most d + 1 rows with the same XᵀX, Xᵀy and |y|²: the triangle of a QR decomposition."""
    if task.x.shape[-2] <= task.x.shape[-1]:
        return task
    triangle = np.asarray(np.linalg.qr(np.concatenate([task.x, task.y[..., None]], axis=-1), mode="r"))
    return Task(triangle[..., :-1], triangle[..., -1])
