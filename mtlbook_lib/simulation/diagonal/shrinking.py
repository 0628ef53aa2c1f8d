"""Weights of least norm for given coefficients, searched for with no formula."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from mtlbook_lib._checks import Array, instance
from mtlbook_lib.simulation.diagonal.weights import Weights

_FLAT = 1e-7  # slope at which a search ends, over the largest coefficient


def shrunk(weights: Weights) -> Weights:
    """Weights of least squared norm that compute the same coefficients, by a quasi-Newton search.

    Each input of each network is a problem of its own, and the search starts at the given weights.

    Parameters
    ----------
    weights : Weights

    Returns
    -------
    Weights

    Raises
    ------
    TypeError
        If `weights` are of another kind.
    RuntimeError
        If a search does not end.
    """
    given = instance("weights", weights, Weights)
    both = [np.concatenate((u[..., None, :], v), axis=-2) for u, v in ((given.u_plus, given.v_plus),
                                                                       (given.u_minus, given.v_minus))]  # fmt: skip
    start = np.moveaxis(np.stack(both, axis=-3), -1, -3)  # (seed, setting, D, pathway, first and readouts)
    flat = start.reshape(-1, *start.shape[-2:])
    found = np.array([_least(one) for one in flat]).reshape(start.shape)
    u, v = np.moveaxis(found, -3, -1)[..., 0, :], np.moveaxis(found, -3, -1)[..., 1:, :]
    return Weights(u[..., 0, :], u[..., 1, :], v[..., 0, :, :], v[..., 1, :, :])


def _least(layers: Array) -> Array:
    """The weights (pathway, first and readouts) of one input: the wider pathway's readouts follow from the others."""
    wide = int(np.abs(layers[1, 0]) > np.abs(layers[0, 0]))
    # With the sign of one pathway's readouts changed the coefficients are the sum over pathways.
    signed = layers * np.where(np.arange(layers.shape[1]) > 0, np.array([[1.0], [-1.0]]), 1.0)
    target = (signed[:, :1] * signed[:, 1:]).sum(axis=0)
    if not np.any(target):
        return np.zeros_like(layers)

    def norm(free: Array) -> tuple[float, Array]:
        first, other = free[0], free[1:]
        readout = (target - other[0] * other[1:]) / first
        slope = 2 * free
        slope[0] -= 2 * readout @ readout / first
        slope[1] -= 2 * readout @ other[1:] / first
        slope[2:] -= 2 * readout * other[0] / first
        return float(free @ free + readout @ readout), slope

    found = minimize(norm, np.append(signed[wide, 0], signed[1 - wide]), jac=True, method="BFGS",
                     options={"gtol": _FLAT * np.abs(target).max()})  # fmt: skip
    if not found.success:
        raise RuntimeError(f"the search for least weights did not end: {found.message}")
    first, other = found.x[0], found.x[1:]
    both = np.stack((np.append(first, (target - other[0] * other[1:]) / first), other))
    both = both if wide == 0 else both[::-1]
    both[1, 1:] *= -1
    return np.asarray(both)
