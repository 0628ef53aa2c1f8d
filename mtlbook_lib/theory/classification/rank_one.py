r"""Training of an aligned student of a rank-one teacher: its input mode stays, its output mode turns."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from mtlbook_lib._checks import Array, bounded, count, in_scale, nonnegative, real_array, scalar
from mtlbook_lib.theory.softmax import mean_jacobian_rank_one

_LATEST = 1e4  # the logits grow more and more slowly; later times take minutes


def rank_one_flow(direction: ArrayLike, s0: float, t: ArrayLike, depth: int = 2) -> Array:
    r"""Logits per unit of the input mode of a balanced student, under gradient flow on infinitely many samples.

    .. math::
        W = w\,\bar v^T, \qquad \dot w = s^{2 - 2/L}\,[\delta + (L - 1)\,\hat w\,(\hat w^T \delta)], \qquad
        \delta = \frac{e_{\max} - e_{\min}}{\sqrt{2\pi}} - G(ww^T)\,w

    with :math:`s = |w|`, :math:`\hat w = w/s`, and the classes max and min of the largest and the smallest entry of
    the teacher's output mode: no other class ever occurs.

    Source: ours; it corrects Lee & Ndirango (2019), eq. 3, which keeps the output mode fixed and is exact for two
    classes only. See the chapter on aligned students.

    Parameters
    ----------
    direction : array_like, shape (k,)
        Output mode :math:`\bar u` of the teacher, of which the student starts as a multiple; its length does not
        matter. The largest and the smallest entry must be unique.
    s0 : float
        Initial strength of the student, > 0.
    t : array_like, shape (n,) or ()
        Training times in units of the time constant, in [0, 1e4].
    depth : int
        Number :math:`L` of weight matrices, 1 to 100.

    Returns
    -------
    ndarray, shape (n, k) or (k,)
        :math:`w(t)`: its norm is the student's only singular value, its direction the output mode.

    Raises
    ------
    ValueError
        If two classes share the largest or the smallest entry.

    Examples
    --------
    >>> rank_one_flow([1.0, 0.5, -1.0], 0.1, [0.0, 10.0, 100.0]).round(2)
    array([[  0.07,   0.03,  -0.07],
           [  3.51,   0.1 ,  -3.38],
           [ 15.21,   0.16, -14.89]])
    """
    mode = _mode(direction)
    start = scalar("s0", s0, in_scale)
    times, layers = nonnegative("t", t), count("depth", depth, maximum=100)
    if times.ndim > 1 or np.any(times > _LATEST):
        raise ValueError(f"t must be a number or a vector of times up to {_LATEST:g}; got {t!r}.")
    labels = (np.arange(mode.size) == mode.argmax()) - 1.0 * (np.arange(mode.size) == mode.argmin())

    def velocity(_: float, w: Array) -> Array:
        s = float(np.linalg.norm(w))
        unit = w / s
        delta = labels / np.sqrt(2 * np.pi) - mean_jacobian_rank_one(s, unit) @ w
        return np.asarray(s ** (2 - 2 / layers) * (delta + (layers - 1) * unit * (unit @ delta)))

    if times.size == 0:
        return np.empty((0, mode.size))
    distinct, which = np.unique(times, return_inverse=True)
    span = (0.0, max(float(distinct[-1]), 1e-9))
    run = solve_ivp(velocity, span, start * mode, method="DOP853", t_eval=distinct, rtol=1e-9, atol=1e-11)
    return np.asarray(run.y.T[which.reshape(times.shape)])


def _mode(value: ArrayLike) -> Array:
    """The direction with unit norm, after its extremes have been seen to be unique."""
    mode = real_array("direction", value, ndim=1)
    if mode.size < 2 or np.sum(mode == mode.max()) > 1 or np.sum(mode == mode.min()) > 1:
        raise ValueError(f"direction must have one largest and one smallest of at least two entries; got {value!r}.")
    scaled = bounded("direction", mode) / np.max(np.abs(mode))
    return np.asarray(scaled / np.linalg.norm(scaled))
