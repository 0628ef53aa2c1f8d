"""Two-layer linear networks between rich and lazy: one layer starts larger than the other in every hidden direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import (
    Array,
    FloatOrArray,
    bounded,
    broadcast,
    in_scale,
    like_input,
    nonnegative,
    real_array,
    whole,
)
from mtlbook_lib.theory.linear_dynamics._riccati_axes import components
from mtlbook_lib.theory.linear_dynamics.balanced import distances, maps_in_modes
from mtlbook_lib.theory.linear_dynamics.balanced_inputs import chained_layers, checked_imbalance, checked_instants

_FOREVER = 1e300  # a time at which every mode has arrived


def imbalanced_flow(w21: ArrayLike, w32: ArrayLike, sigma31: ArrayLike, times: ArrayLike) -> Array:
    r"""Composite maps :math:`W_{32} W_{21}` of λ-balanced two-layer students at given times, exact for any start.

    Gradient flow keeps :math:`W_{32}^T W_{32} - W_{21} W_{21}^T`. Where it is :math:`\lambda I`, the layers
    :math:`Q = (W_{21}^T; W_{32})` obey, on orthonormal inputs,

    .. math:: \dot Q = F Q - \tfrac12 Q Q^T Q, \qquad
              F = \begin{pmatrix} -\tfrac\lambda2 I & \Sigma_{31}^T \\ \Sigma_{31} & \tfrac\lambda2 I \end{pmatrix} ,

    the Riccati equation that ``balanced_flow`` solves for :math:`\lambda = 0`. A large :math:`|\lambda|` makes learning
    lazy: all modes are then learned at the rate :math:`|\lambda|`.

    :math:`\lambda > 0` needs at least `n_hidden` outputs, :math:`\lambda < 0` as many inputs.

    Source: beyond Lampinen & Ganguli (2019); the Riccati equation of balanced layers with the term in :math:`\lambda`.
    No inverse of the start is needed: hidden layers may be narrower or wider than inputs and outputs.

    Parameters
    ----------
    w21 : array_like, shape (..., n_hidden, n_inputs)
        First layer at the start. Leading axes, here and below, are independent students and broadcast.
    w32 : array_like, shape (..., n_outputs, n_hidden)
        Second layer at the start.
    sigma31 : array_like, shape (..., n_outputs, n_inputs)
        Correlation of outputs with inputs, the map that minimises the training error; any rank.
    times : array_like, shape (n_times,)
        Times since the start, >= 0 and never decreasing.

    Returns
    -------
    ndarray, shape (n_times, n_outputs, n_inputs), or (..., n_times, n_outputs, n_inputs) with leading axes

    Raises
    ------
    ValueError
        If the difference of the layers' Gram matrices is not a multiple of the identity to 1e-8 of their squared norms.

    Examples
    --------
    With a second layer of 10, the mode is learned at rate 100:

    >>> imbalanced_flow([[0.0]], [[10.0]], [[2.0]], [0.01, 0.02, 1.0])[:, 0, 0].round(2)
    array([1.26, 1.73, 2.  ])
    """
    first, second, target = chained_layers(w21, w32, sigma31)
    imbalance = checked_imbalance(first, second)
    instants = checked_instants(times, target, imbalance)
    left, values, right_t = np.linalg.svd(target, full_matrices=True)
    turned = maps_in_modes(first, second, (left, values, right_t), instants, imbalance)
    leading = np.broadcast_shapes(first.shape[:-2], second.shape[:-2], target.shape[:-2])
    return np.stack([left @ composite @ right_t for composite in turned], axis=len(leading))


def imbalanced_distances(
    w21: ArrayLike,
    w32: ArrayLike,
    sigma31: ArrayLike,
    times: ArrayLike,
    goals: Sequence[ArrayLike],
) -> Array:
    r"""Squared distances from given maps of the students that ``imbalanced_flow`` follows, without turning maps back.

    Source: beyond Lampinen & Ganguli (2019); see ``imbalanced_flow``.

    Parameters
    ----------
    w21 : array_like, shape (..., n_hidden, n_inputs)
        First layer at the start. Leading axes, here and below, are independent students and broadcast.
    w32 : array_like, shape (..., n_outputs, n_hidden)
        Second layer at the start.
    sigma31 : array_like, shape (..., n_outputs, n_inputs)
        Correlation of outputs with inputs, the map that minimises the training error; any rank.
    times : array_like, shape (n_times,)
        Times since the start, >= 0 and never decreasing.
    goals : sequence of array_like, each of shape (..., n_outputs, n_inputs)
        The maps :math:`G`; leading axes broadcast against those of the students.

    Returns
    -------
    ndarray, shape (n_goals, ..., n_times)

    Examples
    --------
    >>> imbalanced_distances([[0.0]], [[10.0]], [[2.0]], [0.0, 0.01, 1.0], goals=[[[2.0]]]).round(2)
    array([[4.  , 0.54, 0.  ]])
    """
    first, second, target = chained_layers(w21, w32, sigma31)
    imbalance = checked_imbalance(first, second)
    return distances(first, second, target, checked_instants(times, target, imbalance), imbalance, goals)


def imbalanced_mode(t: ArrayLike, s_hat: ArrayLike, eps: ArrayLike, imbalance: ArrayLike) -> FloatOrArray:
    r"""Strength at time `t` of a mode of an aligned two-layer student whose layers differ by `imbalance`.

    With layer strengths a and b, :math:`b^2 - a^2 = \lambda` and :math:`s = ab` from :math:`\varepsilon`, it solves

    .. math:: \dot s = \sqrt{\lambda^2 + 4 s^2}\,(\hat s - s) ,

    by the solution of the 2 × 2 Riccati equation of (a, b). At :math:`\lambda = 0` it is ``mode_strength``; for a large
    :math:`|\lambda|` it is :math:`\hat s (1 - e^{-|\lambda| t})`.

    Source: beyond Lampinen & Ganguli (2019), whose eq. 9 is the balanced case. All terms of the solution are positive,
    so that no digits are lost.

    Parameters
    ----------
    t : array_like
        Time since the start, >= 0.
    s_hat : array_like
        Singular value of the training map that the mode learns, >= 0 (dimensionless).
    eps : array_like
        Initial strength of the mode in the composite map, > 0: the product of the layers' strengths.
    imbalance : array_like
        :math:`\lambda`, the difference of the squares of the layers' strengths (second minus first); only its size
        counts.

    Examples
    --------
    >>> imbalanced_mode(0.5, 2.0, 0.01, [0.0, 1.0, 100.0]).round(3)
    array([0.072, 1.065, 2.   ])
    """
    time, target, start, signed = broadcast(
        t=nonnegative("t", t),
        s_hat=bounded("s_hat", s_hat, nonnegative),
        eps=in_scale("eps", eps),
        imbalance=bounded("imbalance", imbalance),
    )
    size = np.abs(signed)
    return like_input(_grown(np.minimum(time, _FOREVER), target, start, size))


def _grown(moment: Array, target: Array, start: Array, size: Array) -> Array:
    """The solution in the eigenvectors (c, d) and (d, -c) of F, of rates ± r, with e^(rt) taken out of every term."""
    larger = np.sqrt((size + np.hypot(size, 2.0 * start)) / 2.0)
    smaller = start / larger
    radius, c, d = components(target, size / 2.0)
    still = radius == 0.0
    with np.errstate(over="ignore", under="ignore"):
        rest, learned = np.exp(-2.0 * radius * moment), -np.expm1(-2.0 * radius * moment)
        grown, gain = np.where(still, moment, learned / np.where(still, 1.0, 2.0 * radius)), c * d * learned
        first = smaller * (c**2 + rest * d**2) + larger * gain
        second = larger * (d**2 + rest * c**2) + smaller * gain
        sums = c * smaller + d * larger, d * smaller - c * larger
        return np.asarray(first * second / (rest + grown * (sums[0] ** 2 + rest * sums[1] ** 2)))


def lazy_error(teacher: ArrayLike, n_outputs: int) -> float:
    r"""Least test error of an aligned student in the lazy limit, as a fraction of the teacher's energy.

    All modes of the data grow by the one factor :math:`1 - e^{-|\lambda|t}`, signal and noise alike, so that the
    best time to stop is the best factor in front of the data:

    .. math:: E = \frac{N_3}{N_3 + \sum_a \bar s_a^2} .

    Source: beyond Lampinen & Ganguli (2019). Exact on average over the noise at the best factor for all data sets; each
    data set's own energy makes a correction that vanishes for large networks.

    Parameters
    ----------
    teacher : array_like, shape (K,)
        Singular values of the teacher, > 0 (dimensionless), at most one for each output.
    n_outputs : int
        Outputs :math:`N_3`; noise of variance 1/inputs in each entry of the data has this energy.

    Examples
    --------
    As much signal as noise:

    >>> lazy_error([3.0], n_outputs=9)
    0.5
    """
    real_array("teacher", teacher, ndim=1)
    values, outputs = in_scale("teacher", teacher), whole("n_outputs", n_outputs)
    if not 1 <= values.size <= outputs:
        raise ValueError(f"teacher must have 1 to n_outputs = {outputs} singular values; got {values.size}.")
    return float(outputs / (outputs + np.sum(values**2)))
