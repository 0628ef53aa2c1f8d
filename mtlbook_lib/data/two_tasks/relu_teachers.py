r"""Pairs of ReLU teachers that share units, have units in correlated directions, or nothing in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, real_array, scalar, within
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple, stream


@dataclass(frozen=True)
class ReluTeacher(Checked):
    """Units of length 1, shape (seed, k, d), and their outputs 1 or −1, (seed, k)."""

    units: Array
    signs: Array

    def labels(self, inputs: ArrayLike) -> Array:
        r"""Labels :math:`\sum_h a_h\,(\theta_h \cdot x)_+`, (seed, n), of inputs (seed, n, d)."""
        rows = bounded("inputs", inputs, lambda name, value: real_array(name, value, ndim=3))
        if rows.shape[::2] != self.units.shape[::2]:
            raise ValueError(f"inputs must have shape (seed, n, d) with the seeds and inputs of the units, "
                             f"{self.units.shape[::2]}; got {rows.shape}.")  # fmt: skip
        return np.asarray((np.maximum(rows @ self.units.swapaxes(-1, -2), 0) @ self.signs[..., None])[..., 0])


def relu_teachers(
    dim: int, k_aux: int, k_main: int, shared: int, correlated: int, cosine: float, seeds: Iterable[int]
) -> tuple[ReluTeacher, ReluTeacher]:
    r"""An auxiliary teacher, and a main one of which some units are its own, some close to them, and the rest new.

    A correlated unit is :math:`c\,\theta + \sqrt{1 - c^2}\,\xi`, with :math:`\xi` orthogonal to the auxiliary unit
    :math:`\theta`. All signs are independent. Other numbers of shared and of correlated units leave the auxiliary
    teacher and the new units as they were.

    Source: Lindsey & Lippl (2023), secs. 3 and 6. The paper draws Gaussian units and does not say their length.

    Parameters
    ----------
    dim : int
        Number d of inputs, >= 2.
    k_aux, k_main : int
        Units of each teacher.
    shared, correlated : int
        Units of the main teacher that are, or are close to, units of the other one, >= 0; together at most `k_aux` and
        at most `k_main`.
    cosine : float
        c, in [−1, 1].
    seeds : iterable of int

    Returns
    -------
    tuple of ReluTeacher
        Auxiliary, main.
    """
    dim, k_aux, k_main = count("dim", dim, 2), count("k_aux", k_aux), count("k_main", k_main)
    shared, correlated = count("shared", shared, 0), count("correlated", correlated, 0)
    c = scalar("cosine", cosine, lambda name, value: within(name, value, -1, 1))
    old = shared + correlated
    if old > min(k_aux, k_main):
        raise ValueError(f"shared and correlated must add up to at most {min(k_aux, k_main)}; got {old}.")
    chosen = seed_tuple(seeds)
    aux = _unit(normal((k_aux, dim), chosen, "relu teachers: aux"))
    new = _unit(normal((k_main, dim), chosen, "relu teachers: new"))
    away = normal((k_aux, dim), chosen, "relu teachers: turned")
    turned = c * aux + np.sqrt(1 - c**2) * _unit(away - (away * aux).sum(axis=-1, keepdims=True) * aux)
    units = np.concatenate([aux[:, :shared], turned[:, shared:old], new[:, : k_main - old]], axis=1)
    signs = [
        np.stack([stream(seed, f"relu teachers: signs, {role}").choice([-1.0, 1.0], k) for seed in chosen])
        for role, k in (("aux", k_aux), ("main", k_main))
    ]
    return ReluTeacher(aux, signs[0]), ReluTeacher(units, signs[1])


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))
