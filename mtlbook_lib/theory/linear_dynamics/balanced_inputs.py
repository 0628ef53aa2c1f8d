"""The arguments of the flow of balanced two-layer networks, checked."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, nonnegative, sequence

_BALANCE_TOLERANCE = 1e-8
_LATEST = 3e6  # largest singular value times last time: a million substeps, about a minute


def checked_layers(w21: ArrayLike, w32: ArrayLike, sigma31: ArrayLike) -> tuple[Array, Array, Array]:
    """Both layers and the data as arrays whose shapes chain; the layers must be balanced."""
    first, second, target = chained_layers(w21, w32, sigma31)
    difference, allowed = _difference(first, second)
    excess = np.linalg.norm(difference, axis=(-2, -1))
    if np.any(excess > allowed):
        raise ValueError(
            "w21 and w32 must be balanced, w32.T @ w32 = w21 @ w21.T, to 1e-8 of their squared norms; got a difference "
            f"of norm {np.max(excess):.3g}. Where it is a multiple of the identity, call imbalanced_flow; otherwise "
            "integrate the layers' own equations."
        )
    return first, second, target


def checked_imbalance(first: Array, second: Array) -> Array:
    """The number that w32.T @ w32 - w21 @ w21.T is times the identity, for each student."""
    difference, allowed = _difference(first, second)
    imbalance = np.asarray(np.trace(difference, axis1=-2, axis2=-1) / difference.shape[-1])
    excess = np.linalg.norm(difference - imbalance[..., None, None] * np.eye(difference.shape[-1]), axis=(-2, -1))
    if np.any(excess > allowed):
        raise ValueError(
            "w21 and w32 must have w32.T @ w32 - w21 @ w21.T = a number times the identity, to 1e-8 of their squared "
            f"norms; got a rest of norm {np.max(excess):.3g}. Integrate the layers' own equations for such a start."
        )
    return imbalance


def _difference(first: Array, second: Array) -> tuple[Array, Array]:
    difference = second.swapaxes(-1, -2) @ second - first @ first.swapaxes(-1, -2)
    scale = np.linalg.norm(first, axis=(-2, -1)) ** 2 + np.linalg.norm(second, axis=(-2, -1)) ** 2
    return difference, np.asarray(_BALANCE_TOLERANCE * scale)


def chained_layers(w21: ArrayLike, w32: ArrayLike, sigma31: ArrayLike) -> tuple[Array, Array, Array]:
    """Both layers and the data as arrays whose shapes chain."""
    layers = {"w21": bounded("w21", w21), "w32": bounded("w32", w32), "sigma31": bounded("sigma31", sigma31)}
    for name, layer in layers.items():
        if layer.ndim < 2 or 0 in layer.shape:
            raise ValueError(f"{name} must be a non-empty matrix (or a stack of them); got shape {layer.shape}.")
    first, second, target = layers.values()
    if first.shape[-2] != second.shape[-1] or target.shape[-2:] != (second.shape[-2], first.shape[-1]):
        raise ValueError(
            "w21 (n_hidden, n_inputs), w32 (n_outputs, n_hidden) and sigma31 (n_outputs, n_inputs) must chain; got "
            f"shapes {first.shape}, {second.shape}, {target.shape}."
        )
    shapes = [layer.shape[:-2] for layer in layers.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        got = ", ".join(map(str, shapes))
        raise ValueError(f"the leading axes of w21, w32 and sigma31 must broadcast; got {got}.") from None
    return first, second, target


def checked_goals(goals: Sequence[ArrayLike], target: Array, leading: tuple[int, ...]) -> list[Array]:
    """Maps of the shape of the data, with leading axes that fit its own."""
    checked = [bounded("goals", goal) for goal in sequence("goals", goals)]
    if not checked:
        raise ValueError("goals must hold at least one map; got none.")
    for goal in checked:
        fits = goal.shape[-2:] == target.shape[-2:]
        try:
            fits = fits and np.broadcast_shapes(goal.shape[:-2], leading) == leading
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"goals must be maps with the last axes {target.shape[-2:]} and leading axes that broadcast to those "
                f"of the students, {leading}; got shape {goal.shape}."
            )
    return checked


def sorted_times(times: ArrayLike) -> Array:
    """`times` as a vector of at least one time >= 0, from early to late."""
    instants = nonnegative("times", times)
    if instants.ndim != 1 or instants.size == 0:
        raise ValueError(f"times must be a non-empty sequence; got shape {instants.shape}.")
    if np.any(np.diff(instants) < 0):
        raise ValueError("times must be sorted from early to late; got a time that is earlier than the one before it.")
    return instants


def checked_instants(times: ArrayLike, target: Array, imbalance: Array | float = 0.0) -> Array:
    """The times, checked; the last of them must be within reach of the substeps."""
    instants = bounded("times", sorted_times(times))
    strongest = float(np.max(np.linalg.norm(bounded("sigma31", target), ord=2, axis=(-2, -1))))
    fastest = math.hypot(strongest, float(np.max(np.abs(imbalance))) / 2)
    if instants[-1] * fastest > _LATEST:
        raise ValueError(
            f"times must end by {_LATEST:g}/r, where r = {fastest:g} is the largest rate, made by the largest "
            f"singular value of sigma31 and half the imbalance of the layers; got times up to {instants[-1]:g}."
        )
    return instants
