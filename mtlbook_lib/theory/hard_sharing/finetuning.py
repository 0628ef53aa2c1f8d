"""Finetuning of a linear model on one task: the flow of its squared loss from any start."""

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import WIDE, Array, bounded, nonnegative
from mtlbook_lib.theory.hard_sharing.tasks import exceed_roundoff, make_task


def finetuned_models(x: ArrayLike, y: ArrayLike, start: ArrayLike, times: ArrayLike) -> Array:
    r"""Models on the gradient flow of half the squared loss of one task, from a given start.

    .. math:: w(\tau) = \hat w + e^{-\tau S} (w_0 - \hat w) + P_0 w_0, \qquad S = X^\top X, \quad \hat w = X^+ y

    with :math:`P_0` the projection on the null space of the inputs, where nothing moves, and the exponential on its
    complement. This is Algorithm 1 for one linear layer and a fixed head, from the shared model :math:`w_0 = B a`: the
    matrix stays :math:`R = I + v B^\top`, and :math:`\tau = a^2 |B|^2 t`.

    Source: beyond Wu, Zhang & Ré (2020); it says what their Algorithm 1 does in the linear case. At the end it is
    single-task learning if the inputs have full column rank, and keeps the start in their null space otherwise.

    Parameters
    ----------
    x : array_like, shape (..., m, d)
        Inputs. Leading axes are further problems.
    y : array_like, shape (..., m)
        Labels.
    start : array_like, shape (..., d)
        :math:`w_0`, one for each problem; axes before those of the problems are further starts.
    times : array_like, shape (t,)
        :math:`\tau \ge 0`, in units of one over the squared inputs.

    Returns
    -------
    ndarray, shape (..., t, d), leading axes those of `start`

    Examples
    --------
    >>> finetuned_models([[1.0]], [2.0], [0.0], [0.0, 1.0, 9.0])[:, 0].round(3)
    array([0.   , 1.264, 2.   ])
    """
    task = make_task(x, y)
    w0 = bounded("start", start)
    shape = *task.x.shape[:-2], task.x.shape[-1]
    if w0.shape[-len(shape) :] != shape:
        raise ValueError(f"start must have shape {shape}, or more axes before these; got {w0.shape}.")
    tau = bounded("times", times, nonnegative, most=WIDE)
    if tau.ndim != 1 or tau.size == 0:
        raise ValueError(f"times must be a list of at least one time; got shape {tau.shape}.")
    basis, values, rotation = np.linalg.svd(task.x, full_matrices=False)
    seen = exceed_roundoff(values, task.x.shape)
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=seen)
    goal = inverse * (basis.swapaxes(-1, -2) @ task.y[..., None])[..., 0]
    missing = np.where(seen, goal - (rotation @ w0[..., None])[..., 0], 0.0)
    covered = -np.expm1(-tau[:, None] * values[..., None, :] ** 2)
    return np.asarray(w0[..., None, :] + (covered * missing[..., None, :]) @ rotation)
