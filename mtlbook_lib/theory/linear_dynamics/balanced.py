"""Exact gradient flow of balanced two-layer linear networks on orthonormal inputs, from any unaligned start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.blas import dtrsm
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
        If the layers are not balanced to 1e-8 of their squared norms, or the times are not sorted.

    Notes
    -----
    Source: beyond Lampinen & Ganguli (2019), whose eq. 9 needs an aligned start; see the chapter
    "Students that start at random". The flow is composed of exact substeps, short enough for double precision, so
    the step does not limit accuracy.
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
    r"""Squared distances from given maps of the students that ``balanced_flow`` follows, as for learning curves.

    .. math:: \left\|W_{32} W_{21}(t) - G\right\|_F^2

    The singular vectors of :math:`\Sigma_{31}` keep the distance, so that no map is turned back from them: this is
    faster than ``balanced_flow`` with an `observe` that does the same.

    Parameters
    ----------
    w21, w32, sigma31, times
        As in ``balanced_flow``.
    goals : sequence of array_like, each of shape (..., n_outputs, n_inputs)
        The maps :math:`G`; leading axes broadcast against those of the students.

    Returns
    -------
    ndarray, shape (n_goals, ..., n_times)

    Raises
    ------
    ValueError
        As ``balanced_flow``, or if there is no goal or the shape of one does not fit.

    Notes
    -----
    Source: beyond Lampinen & Ganguli (2019); see ``balanced_flow``.
    """
    first, second, target = checked_layers(w21, w32, sigma31)
    instants = checked_instants(times, target)
    left, values, right_t = np.linalg.svd(target, full_matrices=True)
    leading = np.broadcast_shapes(first.shape[:-2], second.shape[:-2], target.shape[:-2])
    turned_goals = [
        left.swapaxes(-1, -2) @ goal @ right_t.swapaxes(-1, -2) for goal in checked_goals(goals, target, leading)
    ]
    out = np.empty((len(turned_goals), *leading, instants.size))
    for index, turned in enumerate(maps_in_modes(first, second, (left, values, right_t), instants, np.zeros(()))):
        for goal, distances in zip(turned_goals, out, strict=True):
            error = turned - goal
            distances[..., index] = np.einsum("...ij,...ij->...", error, error)
    return out


def maps_in_modes(
    first: Array, second: Array, modes: tuple[Array, ...], instants: Array, imbalance: Array
) -> Iterator[Array]:
    """The map in the singular vectors of the target at each instant, by substeps of the Riccati solution."""
    left, values, right_t = modes
    inputs, outputs = right_t @ first.swapaxes(-1, -2), left.swapaxes(-1, -2) @ second
    axes = eigenvectors(values, imbalance, inputs.shape[-2], outputs.shape[-2])
    state = axes.rotate_in(inputs, outputs)
    now = 0.0
    for instant in instants:
        substeps = max(1, int(np.ceil(np.max(axes.rates) * (instant - now) / _LARGEST_EXPONENT)))
        for _ in range(substeps):
            state = _advance(state, axes.rates, (instant - now) / substeps)
        now = instant
        inputs, outputs = axes.rotate_out(state)
        yield outputs @ inputs.swapaxes(-1, -2)


def _advance(state: Array, rates: Array, step: float) -> Array:
    """One exact step: with L L^T = I + C^T Phi C, the state C becomes exp(rates * step) C L^-T."""
    phi = step * exprel(2.0 * rates * step)
    gram = np.eye(state.shape[-1]) + state.swapaxes(-1, -2) @ (phi * state)
    return np.exp(rates * step) * _divide_by_transpose(state, np.asarray(np.linalg.cholesky(gram)))


def _divide_by_transpose(state: Array, factor: Array) -> Array:
    """C L^-T for lower triangular factors L: one triangular solve for each matrix of the stack."""
    out = np.empty(state.shape)
    factors = np.broadcast_to(factor, state.shape[:-2] + factor.shape[-2:])
    for index in np.ndindex(state.shape[:-2]):
        # Transposed, the memory has the order that the routine wants: it reads L^T, an upper triangle, and C^T.
        out[index] = dtrsm(1.0, factors[index].T, state[index].T, lower=0, trans_a=1).T
    return out
