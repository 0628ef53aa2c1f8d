"""Angles between directions, what a data matrix does to them, and how similar two data sets' covariances are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, FloatOrArray, broadcast, flag, like_input, real_array, scalar, within
from mtlbook_lib.theory.hard_sharing.tasks import make_inputs

_ROUNDOFF = 1e-12


def sine(u: ArrayLike, v: ArrayLike) -> FloatOrArray:
    r"""Sine of the acute angle between two directions, accurate for the smallest angles.

    .. math:: \sin(u, v) = \left|\hat u - (\hat u \cdot \hat v)\,\hat v\right|, \qquad \hat u = u/|u|

    Source: Wu, Zhang & Ré (2020), App. A, where the sine is defined to be nonnegative.

    Parameters
    ----------
    u, v : array_like, shapes (..., d) that broadcast
        Vectors other than zero; their lengths and signs do not matter.

    Returns
    -------
    float or ndarray, the common leading shape
        In [0, 1]. (The square root of one minus the squared cosine has no correct digit below 1e-8.)

    Examples
    --------
    >>> round(sine([1.0, 0.0], [1.0, 1.0]), 3)
    0.707
    """
    first, second = _unit("u", u), _unit("v", v)
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(f"u and v must have the same number of entries; got {first.shape[-1]} and {second.shape[-1]}.")
    first, second = broadcast(u=first, v=second)
    # The shorter of the two chords is accurate at any angle, and 2 sin cos of its half angle turns it into the sine.
    half = np.minimum(np.linalg.norm(first - second, axis=-1), np.linalg.norm(first + second, axis=-1)) / 2
    return like_input(np.minimum(2 * half * np.sqrt(1 - half**2), 1.0))


def sine_lower_bound(sine: ArrayLike, condition_number: ArrayLike) -> FloatOrArray:
    r"""Least sine of the angle that two directions can have after a matrix of given condition number.

    .. math:: \tan\frac{\varphi'}{2} \ge \frac1\kappa \tan\frac{\varphi}{2}
        \quad\Longrightarrow\quad \sin\varphi' \ge \frac{2\kappa\tau}{\kappa^2 + \tau^2}, \quad \tau = \tan\frac\varphi2

    for acute angles. It is attained by two directions symmetric about the one that the matrix stretches most, in the
    plane with the one it stretches least.

    Source: Wu, Zhang & Ré (2020), Fact 7, sharpened (Wielandt's inequality). The printed factor :math:`1/\kappa^2`
    holds but is not attained; the best factor of the sine itself is :math:`1/\kappa`.

    Parameters
    ----------
    sine : array_like
        Sine of the acute angle :math:`\varphi` between the directions, in [0, 1].
    condition_number : array_like, broadcasts against `sine`
        Ratio :math:`\kappa` of the largest to the smallest singular value of the matrix, >= 1.

    Examples
    --------
    What a right angle can shrink to:

    >>> sine_lower_bound(1.0, [1.0, 3.0, 10.0]).round(3)
    array([1.   , 0.6  , 0.198])
    """
    value, kappa = broadcast(sine=within("sine", sine, 0, 1), condition_number=real_array(
        "condition_number", condition_number))  # fmt: skip
    if np.any(kappa < 1):
        raise ValueError(f"condition_number must be at least 1; got {np.min(kappa)}.")
    tau = value / (1 + np.sqrt((1 - value) * (1 + value)))
    return like_input(2 * (tau / kappa) / (1 + (tau / kappa) ** 2))


def covariance_similarity(
    x1: ArrayLike, x2: ArrayLike, energy: float = 0.99, normalized: bool = False, center: bool = False
) -> float:
    r"""Covariance similarity score of two data sets, as in the paper or as a cosine.

    .. math:: \sqrt{\frac{\langle S_1, S_2\rangle}{\operatorname{tr} S_1 \operatorname{tr} S_2}}
        \qquad\text{or}\qquad \frac{\langle S_1, S_2\rangle}{\|S_1\|_F \|S_2\|_F}

    with :math:`S_i` the covariance :math:`X_i^\top X_i` restricted to its leading eigenvectors.

    Source: Wu, Zhang & Ré (2020), eq. 6. It is not normalised: the score of a data set with itself is
    :math:`\|S\|_F/\operatorname{tr} S`, one over the root of its effective rank, 0.316 for ten equal directions. It
    does not change when the examples of each data set are rotated, nor when the inputs of both are rotated together.

    Parameters
    ----------
    x1, x2 : array_like, shapes (m_1, d) and (m_2, d)
        Data, a row an example. Their scales do not matter.
    energy : float
        Share of the sum of the eigenvalues of :math:`X^\top X` that the kept ones reach, in (0, 1]; as few as can.
        1 takes the whole matrices, in both forms of the score.
    normalized : bool
        False: the score of the paper. True: the cosine of the two matrices, 1 for equal covariances.
    center : bool
        Whether to subtract the mean of each column first.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If a data set is zero (or constant, when centred).

    Examples
    --------
    >>> ten = np.eye(10)
    >>> round(covariance_similarity(ten, ten), 3), round(covariance_similarity(ten, ten, normalized=True), 3)
    (0.316, 1.0)
    """
    fraction = scalar("energy", energy)
    if not 0 < fraction <= 1:
        raise ValueError(f"energy must lie in (0, 1]; got {fraction}.")
    of_shapes, about_means = flag("normalized", normalized), flag("center", center)
    first, second = _scaled_data("x1", x1, about_means), _scaled_data("x2", x2, about_means)
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"x1 and x2 must have the same number of columns; got {first.shape[1]}, {second.shape[1]}.")
    one, two = _leading(first, fraction), _leading(second, fraction)
    overlap = float(np.linalg.norm(one @ two.T))
    if of_shapes:
        return min(overlap**2 / float(np.linalg.norm(one @ one.T) * np.linalg.norm(two @ two.T)), 1.0)
    return overlap / float(np.linalg.norm(one) * np.linalg.norm(two))


def _unit(name: str, vector: ArrayLike) -> Array:
    array = real_array(name, vector)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name} must have at least one entry along its last axis; got shape {array.shape}.")
    largest = np.max(np.abs(array), axis=-1, keepdims=True)
    if np.any(largest == 0):
        raise ValueError(f"{name} must not be zero: it has no direction.")
    scaled = array / largest
    return np.asarray(scaled / np.linalg.norm(scaled, axis=-1, keepdims=True))


def _scaled_data(name: str, x: ArrayLike, center: bool) -> Array:
    data = make_inputs(name, x)
    largest = np.max(np.abs(data))
    data = data - np.mean(data, axis=0) if center else data
    size = np.max(np.abs(data))
    if size <= (_ROUNDOFF if center else 0) * largest:
        raise ValueError(f"{name} must not be zero{' after centring' if center else ''}: it has no covariance.")
    return np.asarray(data / size)


def _leading(data: Array, energy: float) -> Array:
    """Rows whose Gram matrix is the covariance restricted to the leading eigenvectors that reach the energy."""
    _, values, directions = np.linalg.svd(data, full_matrices=False)
    reached = np.cumsum(values**2) / np.sum(values**2)
    kept = int(np.argmax(reached >= energy * (1 - _ROUNDOFF))) + 1
    return np.asarray(values[:kept, None] * directions[:kept])
