"""The worst pair of directions for given inputs, found by climbing from random starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, count, in_scale, scalar, within
from mtlbook_lib._random import seed_tuple, stream
from mtlbook_lib._threads import suited

_GROW, _SHRINK = 1.5, 0.9  # what a step that was accepted, or was not, does to the size of the next


@suited
def least_sine(stretches: ArrayLike, angle: float, seeds: Iterable[int], n_steps: int = 1500) -> Array:
    r"""Least sine of the angle between :math:`Xa` and :math:`Xb` over directions a, b at a given angle.

    Parameters
    ----------
    stretches : array_like, shape (d,)
        Singular values of :math:`X`, > 0, in whose axes the directions are sought; d >= 2.
    angle : float
        Angle of a and b in radians, in (0, π).
    seeds : iterable of int
        One start for each.
    n_steps : int
        Random changes that each start tries.

    Returns
    -------
    ndarray, shape (seed,)
        The least sine that each start has found.
    """
    values, phi = _setting(stretches, angle)

    def score(frames: Array) -> Array:
        first, second = values * frames[:, 0], values * _turned(frames, phi)
        inner, length = (first * second).sum(axis=1), np.linalg.norm(first, axis=1)
        rest = second - (inner / length**2)[:, None] * first
        return -np.asarray(np.linalg.norm(rest, axis=1) / np.linalg.norm(second, axis=1))

    return -_climb(score, values.size, seeds, n_steps)


@suited
def largest_model_error(
    stretches: ArrayLike, angle: float, seeds: Iterable[int], n_steps: int = 1500, noise: float = 0.0
) -> Array:
    r"""Largest :math:`|BA - \theta|/|\theta|` over directions at a given angle, with the head fitted to labels.

    Parameters
    ----------
    stretches, angle, seeds, n_steps
        As for ``least_sine``; :math:`B` and :math:`\theta` are the two directions.
    noise : float
        Size of the labels' noise over that of clean labels, >= 0. It lies along the features, where it does most.

    Returns
    -------
    ndarray, shape (seed,)
        The largest error that each start has found.
    """
    values, phi = _setting(stretches, angle)
    ratio = scalar("noise", noise, lambda name, value: within(name, value, 0.0, 1e6))

    def score(frames: Array) -> Array:
        layer, model = frames[:, 0], _turned(frames, phi)
        features, labels = values * layer, values * model
        length = np.linalg.norm(features, axis=1)
        heads = (features * labels).sum(axis=1) / length**2
        push = ratio * np.linalg.norm(labels, axis=1) / length
        return np.asarray(np.max([np.linalg.norm((heads + side * push)[:, None] * layer - model, axis=1)
                                  for side in (-1, 1)], axis=0))  # fmt: skip

    return _climb(score, values.size, seeds, n_steps)


def _turned(frames: Array, angle: float) -> Array:
    """Unit vectors at the angle to the first of each orthonormal pair."""
    return np.asarray(np.cos(angle) * frames[:, 0] + np.sin(angle) * frames[:, 1])


def _climb(score: Callable[[Array], Array], d: int, seeds: Iterable[int], n_steps: int) -> Array:
    """Largest score of orthonormal pairs (seed, 2, d) that random changes reach from each start."""
    chosen, steps = seed_tuple(seeds), count("n_steps", n_steps)
    changes = np.stack([stream(s, "worst pairs").standard_normal((steps + 1, 2, d)) for s in chosen], axis=1)
    frames = _orthonormal(changes[0])
    best, size = score(frames), np.ones(len(chosen))
    for change in changes[1:]:
        tried = _orthonormal(frames + size[:, None, None] * change)
        value = score(tried)
        better = value > best
        frames = np.where(better[:, None, None], tried, frames)
        best = np.maximum(best, value)
        size = np.clip(size * np.where(better, _GROW, _SHRINK), 1e-9, 1.0)
    return best


def _orthonormal(pairs: Array) -> Array:
    first = pairs[:, 0] / np.linalg.norm(pairs[:, 0], axis=1, keepdims=True)
    rest = pairs[:, 1] - (pairs[:, 1] * first).sum(axis=1, keepdims=True) * first
    return np.stack([first, rest / np.linalg.norm(rest, axis=1, keepdims=True)], axis=1)


def _setting(stretches: ArrayLike, angle: float) -> tuple[Array, float]:
    values = in_scale("stretches", stretches)
    if values.ndim != 1 or values.size < 2:
        raise ValueError(f"stretches must be a list of at least 2 numbers; got shape {values.shape}.")
    return values, scalar("angle", angle, lambda name, value: within(name, value, 1e-12, np.pi - 1e-12))
