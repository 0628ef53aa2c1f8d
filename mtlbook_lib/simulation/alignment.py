r"""Covariance alignment by its definition: descent on a matrix in front of a shared direction that stays as it is."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, in_scale, scalar
from mtlbook_lib._threads import suited


@suited
def align(
    inputs: ArrayLike, labels: ArrayLike, direction: ArrayLike, heads: ArrayLike, rate: float, n_steps: int
) -> Array:
    r"""Algorithm 1 for one task in plain steps of descent on the full matrix, its head held.

    .. math:: R \leftarrow R - \eta\, a\, X^\top (X R B a - y)\, B^\top, \qquad R = I \text{ at the start}

    Source: Wu, Zhang & Ré (2020), Algorithm 1 with a linear encoder and one column. The loss is half the sum of
    squares. With :math:`B` fixed the tasks do not meet, so one of them is enough.

    Parameters
    ----------
    inputs : array_like, shape (..., m, d)
        Leading axes are further data sets, descended side by side.
    labels : array_like, shape (..., m)
    direction : array_like, shape (..., d)
        The shared :math:`B`.
    heads : array_like, shape (...)
        :math:`a` of the task in each data set.
    rate : float
        :math:`\eta > 0`; small steps follow the gradient flow.
    n_steps : int

    Returns
    -------
    ndarray, shape (..., d)
        The task's linear map :math:`R B a`.
    """
    x, y, b, a = (bounded(name, value) for name, value in
                  (("inputs", inputs), ("labels", labels), ("direction", direction), ("heads", heads)))  # fmt: skip
    wanted = (x.shape[:-1], (*x.shape[:-2], x.shape[-1]), x.shape[:-2]) if x.ndim > 1 and x.size else None
    if (y.shape, b.shape, a.shape) != wanted:
        raise ValueError(
            f"inputs, labels, direction and heads must have shapes (..., m, d), (..., m), (..., d) and (...); got "
            f"{x.shape}, {y.shape}, {b.shape} and {a.shape}."
        )
    eta, d = scalar("rate", rate, in_scale), x.shape[-1]
    matrix = np.broadcast_to(np.eye(d), (*x.shape[:-2], d, d)).copy()
    column, held = b[..., None], a[..., None, None]
    for _ in range(count("n_steps", n_steps)):
        errors = x @ (held * (matrix @ column)) - y[..., None]
        matrix -= eta * held * (x.mT @ errors) @ column.mT
    return np.asarray((held * (matrix @ column))[..., 0])
