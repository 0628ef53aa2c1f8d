r"""Interpolators of least l1 norm, and of least group norm over tasks: small starts, and multi-task training."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded
from mtlbook_lib.theory._tasks import make_pairs
from mtlbook_lib.theory.interpolation.constraints import data, each_problem, orthonormal, verified
from mtlbook_lib.theory.interpolation.interior import Program, least_norms
from mtlbook_lib.theory.interpolation.path import least_sum


@each_problem
def min_l1(x: ArrayLike, y: ArrayLike) -> Array:
    r"""Interpolator of least absolute sum: the limit of small starts, or "rich" training.

    .. math:: \min_\beta \sum_d |\beta_d| \quad\text{subject to}\quad X\beta = y

    Where several coefficients are minimal, a point inside their set is returned. The relative duality gap is verified
    to be at most 1e-8; it usually is 1e-14, and so large are the entries that ought to be zero.

    Source: Lindsey & Lippl (2023), sec. 3; Woodworth et al. (2020).

    Parameters
    ----------
    x : array_like, shape (n, D) or (seed, n, D), n <= D
        Inputs, one sample in a row; with a first axis, of several problems.
    y : array_like, shape (n,) or (seed, n)
        Targets.

    Returns
    -------
    ndarray, shape (D,) or (seed, D)

    Examples
    --------
    >>> np.abs(min_l1([[1.0, 2.0]], [2.0])).round(3)
    array([0., 1.])
    """
    x, y = data(x, y)
    rows, values = orthonormal(x, y)
    return verified(x, y, least_norms(Program([rows], [values]))[0])


@each_problem
def min_group_norm_given(x: ArrayLike, y: ArrayLike, beta_aux: ArrayLike) -> Array:
    r"""Interpolator of least group norm, the auxiliary task's coefficients being known.

    .. math:: \min_\beta \sum_d \sqrt{\beta_d^2 + \beta_{aux,d}^2} \quad\text{subject to}\quad X\beta = y

    The relative duality gap is verified to be at most 1e-8.

    Source: Lindsey & Lippl (2023), eq. 2, for an auxiliary task with a single solution. The factor 2 does not matter.

    Parameters
    ----------
    x : array_like, shape (n, D) or (seed, n, D), n <= D
        Inputs of the main task, one sample in a row; with a first axis, of several problems.
    y : array_like, shape (n,) or (seed, n)
        Targets of the main task.
    beta_aux : array_like, shape (D,) or (seed, D)
        Coefficients of the auxiliary task; only their sizes matter.

    Returns
    -------
    ndarray, shape (D,) or (seed, D)

    Examples
    --------
    A feature that the auxiliary task uses is taken, although another one is stronger:

    >>> np.abs(min_group_norm_given([[1.0, 2.0]], [2.0], [10.0, 0.0])).round(3)
    array([2., 0.])
    """
    x, y = data(x, y)
    beta_aux = bounded("beta_aux", beta_aux, ndim=1)
    if beta_aux.size != x.shape[1]:
        raise ValueError(f"beta_aux must have one entry for each of {x.shape[1]} columns of x; got {beta_aux.size}.")
    rows, values = orthonormal(x, y)
    return verified(x, y, least_sum(rows, values, beta_aux))


def min_group_norm(xs: Sequence[ArrayLike], ys: Sequence[ArrayLike]) -> Array:
    r"""Interpolators of several tasks with the least group norm: the idealised bias of multi-task training.

    .. math:: \min_\beta \sum_d \sqrt{\textstyle\sum_o \beta_{o,d}^2} \quad\text{subject to}\quad
        X_o\beta_o = y_o \text{ for each task } o

    The relative duality gap is verified to be at most 1e-8.

    Source: Lindsey & Lippl (2023), eq. 2. Trained networks only approach it: a small start is no guarantee that the
    sum of squared weights is minimal where there are several outputs.

    Parameters
    ----------
    xs : sequence of array_like, shapes (n_o, D) or (seed, n_o, D), n_o <= D
        Inputs of each task; the numbers of samples may differ. With a first axis, of several problems.
    ys : sequence of array_like, shapes (n_o,) or (seed, n_o)
        Targets of each task.

    Returns
    -------
    ndarray, shape (n_tasks, D) or (seed, n_tasks, D)

    Examples
    --------
    >>> np.abs(min_group_norm([[[1.0, 2.0]], [[1.0, 2.0]]], [[2.0], [4.0]])).round(3)
    array([[0., 1.],
           [0., 2.]])
    """
    pairs = make_pairs(xs, ys, batched=True)
    batch = pairs[0][0].shape[:-2]
    if len(batch) > 1 or 0 in batch:
        raise ValueError(f"xs must hold matrices, or one axis of at least one problem before them; got {batch} before.")
    if batch:
        return np.array([min_group_norm(*zip(*problem, strict=True))
                         for problem in zip(*(zip(*pair, strict=True) for pair in pairs), strict=True)])  # fmt: skip
    names = [(f"xs[{task}]", f"ys[{task}]") for task in range(len(pairs))]
    tasks = [data(x, y, name) for (x, y), name in zip(pairs, names, strict=True)]
    reduced = [orthonormal(x, y, name) for (x, y), name in zip(tasks, names, strict=True)]
    program = Program([rows for rows, _ in reduced], [values for _, values in reduced])
    betas = least_norms(program)
    return np.array([verified(x, y, beta) for (x, y), beta in zip(tasks, betas, strict=True)])
