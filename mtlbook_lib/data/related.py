"""Teachers of several tasks whose input vectors overlap by a given amount."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    Array,
    count,
    instance,
    nonnegative,
    real_array,
    scalar,
    sequence,
    similarity_gram,
    within,
)
from mtlbook_lib._random import haar, normal, seed_tuple
from mtlbook_lib.data.teachers import Teachers, assemble, setting_rows

# Rounding of a Gram matrix that the caller computed; anything larger is a wrong matrix.
_TOLERANCE = 1e-10
# Rounding of an eigenvalue that is zero.
_ROUNDING = 1e-13
_MOST = 10_000  # modes of a Gram matrix, which then takes gigabytes


def pair_gram(q: ArrayLike, rank_a: int = 1, rank_b: int = 1) -> Array:
    r"""Gram matrices of the stacked input vectors of two tasks.

    .. math:: G = \begin{pmatrix} I & Q \\ Q^T & I \end{pmatrix}, \qquad Q = \bar V_A^T \bar V_B

    Parameters
    ----------
    q : array_like
        Similarity :math:`Q`. A number, or shape (n_settings,): that multiple of the (rectangular) identity. Shape
        (rank_a, rank_b) or (n_settings, rank_a, rank_b): the matrix itself.
    rank_a, rank_b : int
        Numbers of input vectors of the two tasks.

    Returns
    -------
    ndarray, shape (n_settings, rank_a + rank_b, rank_a + rank_b)
        ``n_settings`` is 1 where `q` has no axis for it.
    """
    return similarity_gram(q, count("rank_a", rank_a, maximum=_MOST), count("rank_b", rank_b, maximum=_MOST))


def alike_gram(q: float, n_tasks: int) -> Array:
    r"""Gram matrix :math:`(1 - q) I + q\, \mathbf 1 \mathbf 1^T` of rank-one tasks with one similarity for all pairs.

    Parameters
    ----------
    q : float
        Overlap of the input vectors of each pair, in [0, 1].
    n_tasks : int
        Number of tasks, at least 1.

    Returns
    -------
    ndarray, shape (n_tasks, n_tasks)
    """
    n = count("n_tasks", n_tasks, maximum=_MOST)
    overlap = scalar("q", q, lambda name, value: within(name, value, 0.0, 1.0))
    return np.asarray(overlap * np.ones((n, n)) + (1 - overlap) * np.eye(n))


def related_teachers(
    n_outputs: int,
    n_inputs: int,
    singular_values: Sequence[ArrayLike],
    gram: ArrayLike,
    seeds: Iterable[int],
    noise_scale: float = 1.0,
) -> tuple[Teachers, ...]:
    r"""Teachers of several tasks on the same inputs, whose stacked input vectors have a given Gram matrix.

    .. math:: [\bar V_1 \; \bar V_2 \cdots]^T [\bar V_1 \; \bar V_2 \cdots] = G

    Output vectors and noise are independent between tasks. The first task is, up to rounding, the one that
    ``low_rank_teachers`` draws from the same seeds, whatever the others are: training it alone is a paired comparison.

    Source: Lampinen & Ganguli (2019), Sec. 4 and App. D.

    Parameters
    ----------
    n_outputs, n_inputs : int
        Outputs of each task, and inputs, which all tasks share.
    singular_values : sequence of array_like, each of shape (rank,) or (n_settings, rank)
        Strengths of each task; together at most `n_inputs`.
    gram : array_like, shape (total_rank, total_rank) or (n_settings, total_rank, total_rank)
        Symmetric, positive semi-definite, with an identity block for each task; see ``pair_gram``.
    seeds : iterable of int
        Distinct and non-negative.
    noise_scale : float
        As in ``low_rank_teachers``.

    Returns
    -------
    tuple of Teachers
        One for each task, all with the same settings.
    """
    n_outputs, n_inputs = count("n_outputs", n_outputs), count("n_inputs", n_inputs)
    listed = sequence("singular_values", singular_values)
    strengths = [setting_rows(f"singular_values[{task}]", values) for task, values in enumerate(listed)]
    ranks = [rows.shape[1] for rows in strengths]
    if not ranks or max(ranks) > n_outputs or sum(ranks) > n_inputs:
        limits = f"each rank at most n_outputs = {n_outputs}, their sum at most n_inputs = {n_inputs}"
        raise ValueError(f"singular_values must hold one array per task, {limits}; got ranks {ranks}.")
    factor = _triangular_factor(gram, ranks)
    n_settings = _common_settings([len(factor), *map(len, strengths)])
    noise_scale, seeds = scalar("noise_scale", noise_scale, nonnegative), seed_tuple(seeds)
    right = np.split(haar(n_inputs, sum(ranks), seeds, "right")[:, None] @ factor, np.cumsum(ranks)[:-1], axis=-1)
    return tuple(
        assemble(
            haar(n_outputs, rank, seeds, _task_stream("left", task))[:, None],
            np.broadcast_to(strengths[task], (n_settings, rank)),
            right[task],
            normal((n_outputs, n_inputs), seeds, _task_stream("noise", task))[:, None],
            noise_scale,
            seeds,
        )
        for task, rank in enumerate(ranks)
    )


def stacked_training(tasks: Sequence[Teachers]) -> Array:
    r"""Training statistics of a student of all tasks: the outputs of each below those of the task before.

    .. math:: \Sigma^{31} = \begin{pmatrix} \bar W_1 + Z_1 \\ \bar W_2 + Z_2 \\ \vdots \end{pmatrix}

    Source: Lampinen & Ganguli (2019), Sec. 4 and App. D.

    Parameters
    ----------
    tasks : sequence of Teachers
        At least one, with the same seeds, settings and inputs, as ``related_teachers`` returns them.

    Returns
    -------
    ndarray, shape (seed, setting, outputs of all tasks, n_inputs)
    """
    teachers = [instance(f"tasks[{k}]", task, Teachers) for k, task in enumerate(sequence("tasks", tasks))]
    kinds = {(task.seeds, task.noise.shape[1], task.n_inputs) for task in teachers}
    if len(kinds) != 1:
        raise ValueError(
            f"tasks must be at least one, with the same seeds, settings and inputs; got {len(teachers)} tasks of "
            f"{len(kinds)} kinds. Draw them by one call of related_teachers."
        )
    return np.concatenate([task.training for task in teachers], axis=-2)


def _triangular_factor(gram: ArrayLike, ranks: list[int]) -> Array:
    """Upper triangular R with R'R = gram and non-negative diagonal, shape (setting, total, total)."""
    matrices, total = real_array("gram", gram), sum(ranks)
    if matrices.ndim not in (2, 3) or matrices.shape[-2:] != (total, total):
        raise ValueError(f"gram must be matrices of shape ({total}, {total}), one row a vector; got {matrices.shape}.")
    matrices = matrices.reshape(-1, total, total)
    ends = np.cumsum(ranks)
    blocks = [matrices[:, end - rank : end, end - rank : end] for end, rank in zip(ends, ranks, strict=True)]
    asymmetry = np.abs(matrices - matrices.swapaxes(-1, -2)).max()
    if asymmetry > _TOLERANCE or any(np.abs(block - np.eye(block.shape[-1])).max() > _TOLERANCE for block in blocks):
        raise ValueError("gram must be symmetric, with an identity block for each task: its vectors are orthonormal.")
    values, vectors = np.linalg.eigh(matrices)
    if values.min() < -_TOLERANCE:
        raise ValueError(f"gram must have no negative eigenvalue (overlaps above 1); got {values.min():.3g}.")
    # QR of a square root works where Cholesky fails: at full alignment the matrix is singular. There the zero must be
    # exact, because the root of a rounding error of 1e-16 is an angle of 1e-8.
    root = np.sqrt(np.where(values < _ROUNDING, 0.0, values))[:, :, None] * vectors.swapaxes(-1, -2)
    r = np.linalg.qr(root, mode="r")
    signs = np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
    return np.asarray(r * signs[:, :, None])


def _common_settings(lengths: list[int]) -> int:
    """The number of settings that all `lengths` broadcast to."""
    several = {length for length in lengths if length > 1}
    if len(several) > 1:
        raise ValueError(f"singular_values and gram must have equal numbers of settings, or 1; got {sorted(several)}.")
    return max(lengths)


def _task_stream(name: str, task: int) -> str:
    # The first task draws from the streams of a single task.
    return name if task == 0 else f"{name} of task {task}"
