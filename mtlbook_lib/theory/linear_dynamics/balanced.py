"""Exact gradient flow of balanced two-layer linear networks on orthonormal inputs, from any unaligned start."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf
from scipy.special import exprel

from mtlbook_lib._checks import Array, function
from mtlbook_lib.theory.linear_dynamics._riccati_axes import eigenvectors
from mtlbook_lib.theory.linear_dynamics.balanced_inputs import checked_goals, checked_instants, checked_layers

_LARGEST_EXPONENT = 3.0  # fastest rate times substep: beyond about 10 the Cholesky factor loses digits, at 30 it fails


def balanced_flow(
    w21: ArrayLike,
    w32: ArrayLike,
    sigma31: ArrayLike,
    times: ArrayLike,
    observe: Callable[[Array], Array] | None = None,
) -> Array:
    r"""Composite maps :math:`W_{32} W_{21}` of balanced two-layer students at given times, exact for any start.

    With :math:`Q = (W_{21}^T; W_{32})`, :math:`F = \begin{pmatrix} 0 & \Sigma_{31}^T \\ \Sigma_{31} & 0 \end{pmatrix}`
    and balanced layers, :math:`W_{32}^T W_{32} = W_{21} W_{21}^T`, gradient flow on orthonormal inputs is a matrix
    Riccati equation with the solution

    .. math:: QQ^T(t) = e^{Ft} Q_0 \left(I + Q_0^T \Phi\, Q_0\right)^{-1} Q_0^T e^{Ft}, \qquad
              \Phi = \int_0^t e^{2Fs}\,ds .

    The composite map is its lower left block.

    Source: beyond Lampinen & Ganguli (2019), whose eq. 9 needs an aligned start; see the chapter
    "Students that start at random". The flow is composed of exact substeps, short enough for double precision, so
    the step does not limit accuracy.

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
    observe : callable, optional
        Applied to the maps (..., n_outputs, n_inputs) at each time; its values (leading axes first) are returned
        in place of the maps, so that long curves of many students need not store them.

    Returns
    -------
    ndarray, shape (n_times, n_outputs, n_inputs), or (..., n_times, n_outputs, n_inputs) with leading axes

    Raises
    ------
    ValueError
        If the layers are not balanced to 1e-8 of their squared norms.

    Examples
    --------
    One mode of strength 2, before, at and after its half time:

    >>> times = [0.0, half_time(2.0, 0.01), 9.0]
    >>> balanced_flow([[0.1]], [[0.1]], [[2.0]], times)[:, 0, 0].round(3)
    array([0.01, 1.  , 2.  ])
    """
    first, second, target = checked_layers(w21, w32, sigma31)
    instants = checked_instants(times, target)
    see = None if observe is None else function("observe", observe)
    modes = np.linalg.svd(target, full_matrices=True)
    maps = (modes[0] @ turned @ modes[2] for turned in maps_in_modes(first, second, modes, instants, np.zeros(())))
    frames = list(maps) if see is None else [see(composite) for composite in maps]
    leading = np.broadcast_shapes(first.shape[:-2], second.shape[:-2], target.shape[:-2])
    return np.stack(frames, axis=len(leading))


def balanced_distances(
    w21: ArrayLike,
    w32: ArrayLike,
    sigma31: ArrayLike,
    times: ArrayLike,
    goals: Sequence[ArrayLike],
) -> Array:
    r"""Squared distances from given maps of the students that ``balanced_flow`` follows: their learning curves.

    .. math:: \left\|W_{32} W_{21}(t) - G\right\|_F^2

    The singular vectors of :math:`\Sigma_{31}` keep the distance, so that no map is turned back from them: this is
    faster than ``balanced_flow`` with an `observe` that does the same.

    Source: beyond Lampinen & Ganguli (2019); see ``balanced_flow``.

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
    >>> times = [0.0, half_time(2.0, 0.01), 9.0]
    >>> balanced_distances([[0.1]], [[0.1]], [[2.0]], times, goals=[[[2.0]]]).round(3)
    array([[3.96, 1.  , 0.  ]])
    """
    first, second, target = checked_layers(w21, w32, sigma31)
    instants = checked_instants(times, target)
    return distances(first, second, target, instants, np.zeros(()), goals)


def distances(
    first: Array, second: Array, target: Array, instants: Array, imbalance: Array, goals: Sequence[ArrayLike]
) -> Array:
    """Squared distances (goal, ..., time) of the maps from the goals, in the singular vectors of the target."""
    leading = np.broadcast_shapes(first.shape[:-2], second.shape[:-2], target.shape[:-2])
    checked, modes = checked_goals(goals, target, leading), np.linalg.svd(target, full_matrices=True)
    turned_goals = [np.broadcast_to(modes[0].mT @ g @ modes[2].mT, leading + target.shape[-2:]) for g in checked]
    out = np.empty((len(turned_goals), *leading, instants.size))
    for student, maps in _courses(first, second, modes, instants, imbalance):
        for index, turned in enumerate(maps):
            for goal, found in zip(turned_goals, out, strict=True):
                error = turned - goal[student]
                found[(*student, index)] = np.vdot(error, error)
    return out


def maps_in_modes(
    first: Array, second: Array, modes: tuple[Array, ...], instants: Array, imbalance: Array
) -> Iterator[Array]:
    """The maps of all students in the singular vectors of the target, at each instant."""
    courses = dict(_courses(first, second, modes, instants, imbalance))
    leading = tuple(length + 1 for length in max(courses))
    for maps in zip(*courses.values(), strict=True):
        yield np.reshape(maps, (*leading, *maps[0].shape))


def _courses(
    first: Array, second: Array, modes: tuple[Array, ...], instants: Array, imbalance: Array
) -> Iterator[tuple[tuple[int, ...], Iterator[Array]]]:
    """Each student's place in the leading axes and the course of its map; one at a time, a student fits the cache."""
    left, values, right_t = modes
    parts = right_t @ first.mT, left.mT @ second, values[..., None], np.asarray(imbalance)[..., None, None]
    leading = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    inputs, outputs, strengths, lone = (np.broadcast_to(part, leading + part.shape[-2:]) for part in parts)
    for place in np.ndindex(leading):
        yield place, _course(inputs[place], outputs[place], strengths[place][:, 0], lone[place][0, 0], instants)


def _course(inputs: Array, outputs: Array, values: Array, imbalance: Array, instants: Array) -> Iterator[Array]:
    """The map of one student at each instant, by substeps of the Riccati solution."""
    axes = eigenvectors(values, imbalance, len(inputs), len(outputs))
    state, now = np.asfortranarray(axes.rotate_in(inputs, outputs)), 0.0
    for instant in instants:
        substeps = max(1, int(np.ceil(np.max(axes.rates) * (instant - now) / _LARGEST_EXPONENT)))
        step = (instant - now) / substeps
        grown, weights = np.exp(axes.rates * step), np.sqrt(step * exprel(2.0 * axes.rates * step))
        for _ in range(substeps):
            state = _advance(state, grown, weights)
        now = instant
        inputs, outputs = axes.rotate_out(state)
        yield outputs @ inputs.T


def _advance(state: Array, grown: Array, weights: Array) -> Array:
    """One exact step: with L L^T = I + C^T Phi C, the state C becomes exp(rates * step) C L^-T."""
    gram = dsyrk(1.0, weights * state, trans=1, lower=1)  # the half that the factor is made from
    gram.flat[:: len(gram) + 1] += 1.0  # no eigenvalue is below 1: the factor exists
    factor, _ = dpotrf(gram, lower=1, overwrite_a=1)
    return np.asarray(grown * dtrsm(1.0, factor, state, side=1, lower=1, trans_a=1))
