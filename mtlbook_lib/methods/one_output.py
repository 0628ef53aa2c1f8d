r"""Two tasks with one output each, on many inputs: the law of the joint student from 2 × 2 matrices.

The theory of composite modes counts noise on many outputs. With one output per task there are none to count over, and
the law of large numbers over the inputs alone gives more: it allows noise that is correlated between the tasks.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, like_input, scalar, within
from mtlbook_lib._threads import suited
from mtlbook_lib.theory.linear_dynamics import mode_strength

_STEPS = 320  # times between the first and the last, evenly spaced in the logarithm
_EMPTY = 1e-13  # squared singular value, relative to the largest, that counts as none


@suited
def one_output_benefit(data: ArrayLike, noise: ArrayLike, eps: float = 1e-3) -> Any:
    r"""Benefit of a second task for the first, of one output each, by early stopping: least error alone less jointly.

    .. math:: G = C + R = \sum_\pm \hat s_\pm^2\, \hat u_\pm \hat u_\pm^T, \qquad
        E(t) = C_{11} + \sum_\pm \left[ x_\pm^2 \hat u_{1\pm}^2
        - 2 x_\pm \frac{\hat u_{1\pm} (C \hat u_\pm)_1}{\hat s_\pm} \right]

    with the inner products :math:`G` of the two rows of the data, those :math:`C = G - R` of the clean maps, the noise
    :math:`R`, and the mode strengths :math:`x_\pm = s(t, \hat s_\pm)`. The benefit is the least error of the first task
    alone, which is the same with 1 × 1 matrices, minus the least :math:`E(t)`.

    Source: ours; see the chapter "Real tasks". Exact for inputs of large dimension. For data of finite dimension it
    leaves out terms of relative order 1/d.

    Parameters
    ----------
    data : array_like, shape (..., 2, 2)
        :math:`G = \Sigma\Sigma^T` of the stacked data, in units in which noise has entry variance 1/d; positive
        diagonal, symmetric, positive semi-definite.
    noise : array_like, broadcasts against `data`
        Inner products :math:`R` of the rows of noise: diagonal 1 in these units, and next to it the correlation of the
        two tasks' label noise, 0 for different examples.
    eps : float
        Initial singular value of the composite map, > 0 and below 1/2.

    Returns
    -------
    float or ndarray, the leading shape of the arguments
        Energy in the units of `data`; over ``TaskEstimate.label_energy`` a fraction of the labels' variance.
    """
    gram, spread = _checked(data, noise)
    start = scalar("eps", eps, lambda name, value: within(name, value, 1e-12, 0.4999))
    clean = gram - spread
    return like_input(_least_alone(gram[..., 0, 0], clean[..., 0, 0], start) - _least_error(gram, clean, start))


def _least_alone(gram: Array, clean: Array, eps: float) -> Array:
    """Least error of the first row without the second, computed once for each task that occurs."""
    tasks, place = np.unique(np.stack([gram, clean], axis=-1).reshape(-1, 2), axis=0, return_inverse=True)
    least = _least_error(tasks[:, :1, None], tasks[:, 1:, None], eps)
    return np.asarray(least[place.reshape(gram.shape)])


def _least_error(gram: Array, clean: Array, eps: float) -> Array:
    """Least error of the first row over time, its energy of doing nothing left out."""
    squares, left = np.linalg.eigh(gram)
    # A direction without data, as where both tasks have the same examples and labels, is never learned.
    seen = squares > _EMPTY * squares[..., -1:]
    values = np.sqrt(np.where(seen, squares, squares[..., -1:]))
    times = _times(values, eps)
    share = left[..., 0, :] ** 2 * seen
    captured = left[..., 0, :] * (clean[..., :1, :] @ left)[..., 0, :] / values * seen
    errors = np.zeros_like(times)
    for mode in range(values.shape[-1]):  # one or two; times along the last axis are the fastest to go through
        strength = np.asarray(mode_strength(times, values[..., mode, None], eps))
        term = strength * share[..., mode, None]
        term -= 2 * captured[..., mode, None]
        term *= strength
        errors += term
    return _lowest(errors)


def _lowest(curves: Array) -> Array:
    """Least value along the last axis, of the parabola through the lowest point and its neighbours."""
    middle = np.clip(curves.argmin(axis=-1), 1, curves.shape[-1] - 2)[..., None]
    before, at, after = (np.take_along_axis(curves, middle + step, -1)[..., 0] for step in (-1, 0, 1))
    bend = before - 2 * at + after
    drop = np.divide((before - after) ** 2, 8 * bend, out=np.zeros_like(at), where=bend > 0)
    # At an end of the curve the parabola's vertex may lie far outside: no lower than the points allow.
    return np.asarray(np.minimum(curves.min(axis=-1), np.where(np.abs(before - after) <= 2 * bend, at - drop, at)))


def _times(values: Array, eps: float) -> Array:
    """Times from before the strongest mode is learned until after the weakest one, along a new last axis."""
    first = 1 / values.max(axis=-1)
    last = 4 * np.log(1 / eps) / values.min(axis=-1)
    return np.asarray(first[..., None] * (last / first)[..., None] ** np.linspace(0, 1, _STEPS + 1))


def _checked(data: ArrayLike, noise: ArrayLike) -> tuple[Array, Array]:
    gram, spread = bounded("data", data), bounded("noise", noise)
    for name, matrix in (("data", gram), ("noise", spread)):
        if matrix.shape[-2:] != (2, 2):
            raise ValueError(f"{name} must have shape (..., 2, 2); got {matrix.shape}.")
        if np.any(np.abs(matrix[..., 0, 1] - matrix[..., 1, 0]) > 1e-9 * (1 + np.abs(matrix[..., 0, 1]))):
            raise ValueError(f"{name} must be symmetric: it holds inner products of two rows.")
    try:
        gram, spread = np.broadcast_arrays(gram, spread)
    except ValueError:
        raise ValueError(f"data and noise must have shapes that broadcast; got {gram.shape}, {spread.shape}.") from None
    diagonal = gram[..., [0, 1], [0, 1]]
    if np.any(diagonal <= 0) or np.any(gram[..., 0, 1] ** 2 > diagonal.prod(axis=-1) * (1 + 1e-9)):
        raise ValueError("data must be positive semi-definite with a positive diagonal: it is the Gram matrix of rows.")
    return gram, spread
