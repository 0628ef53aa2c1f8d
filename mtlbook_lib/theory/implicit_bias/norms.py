r"""Norms that multi-task training, and ReLU networks, are said to minimise."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import FloatOrArray, bounded


def group_norm(betas: ArrayLike) -> FloatOrArray:
    r"""Least sum of squared weights with which diagonal networks of several outputs compute given coefficients.

    .. math:: \|\beta\|_{1,2} = 2\sum_d \sqrt{\sum_o \beta_{o,d}^2}

    Source: Lindsey & Lippl (2023), sec. 4.2, eq. 2. The factor 2 is the paper's; ``path_norm`` has none.

    Parameters
    ----------
    betas : array_like, shape (..., n_tasks, D)
        Coefficients of each task.

    Returns
    -------
    float, or ndarray of the leading axes

    Examples
    --------
    >>> group_norm([[3.0, 1.0], [4.0, 0.0]])
    12.0
    """
    given = bounded("betas", betas)
    if given.ndim < 2:
        raise ValueError(f"betas must have axes for tasks and coefficients, (n_tasks, D); got shape {given.shape}.")
    norms = 2 * np.linalg.norm(given, axis=-2).sum(axis=-1)
    return norms if given.ndim > 2 else float(norms)


def path_norm(first: ArrayLike, second: ArrayLike) -> float:
    r"""Path norm of a network with one hidden ReLU layer, for one output or several.

    .. math:: \|f\|_{F_1} = \sum_h |w^{(2)}_h|\,\|w^{(1)}_h\|, \qquad
        \|f\|_{F_{1,2}} = \sum_h \|w^{(2)}_h\|\,\|w^{(1)}_h\|

    It is half of the least sum of squared weights that rescaling the layers of each unit can reach.

    Source: Lindsey & Lippl (2023), sec. 4.1 (one output; the unit's index is missing there) and sec. 6.1. For several
    outputs the norm of each unit's product is Euclidean; eq. 32 of the paper has a factor 2 that this definition, in
    line with the one for one output, has not.

    Parameters
    ----------
    first : array_like, shape (H, d)
        Input weights of each hidden unit.
    second : array_like, shape (H,) or (H, n_tasks)
        Output weights of each hidden unit.

    Examples
    --------
    >>> path_norm([[3.0, 4.0]], [2.0])
    10.0
    """
    first, second = bounded("first", first, ndim=2), bounded("second", second)
    if second.ndim not in (1, 2):
        raise ValueError(f"second must have shape (H,) or (H, n_tasks); got shape {second.shape}.")
    if len(second) != len(first):
        raise ValueError(f"second must have one row for each of the {len(first)} hidden units; got {len(second)}.")
    output = np.linalg.norm(np.atleast_2d(second.T), axis=0)
    return float(np.sum(np.linalg.norm(first, axis=1) * output))
