"""The layers of a batch of shallow rectifier networks: random starts, what they compute, and their norms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mtlbook_lib._checks import Array, bounded, count, flag, in_scale, one_of, place, positive, real_array, scalar
from mtlbook_lib._fields import Checked
from mtlbook_lib._random import normal, seed_tuple


@dataclass(frozen=True)
class Layers(Checked, gaps=True):
    """Weights of networks with first axes (seed, setting).

    Attributes
    ----------
    first : ndarray, shape (seed, setting, H, d)
        Input weights of each hidden unit.
    second : ndarray, shape (seed, setting, task, H)
        Output weights.
    """

    _axes = ("first: seed setting unit input", "second: seed setting task unit")

    first: Array
    second: Array

    def outputs(self, inputs: ArrayLike) -> Array:
        """Outputs (seed, setting, task, n) for inputs (seed or 1, setting or 1, n, d)."""
        rows = bounded("inputs", inputs, lambda name, value: real_array(name, value, ndim=4))
        fits = all(n == m or 1 in (n, m) for n, m in zip(rows.shape[:2], self.first.shape, strict=False))
        if rows.shape[3] != self.first.shape[3] or not fits:
            wanted = (*self.first.shape[:2], "n", self.first.shape[3])
            raise ValueError(f"inputs must have shape {wanted}, or 1 for the first two; got {rows.shape}.")
        return np.asarray(self.second @ np.maximum(self.first @ rows.swapaxes(2, 3), 0))

    def predictions(self, inputs: ArrayLike, task: int = 0) -> Array:
        """Outputs of one task, (seed, n), of networks with one setting on inputs (seed, n, d)."""
        n_settings, n_tasks = self.second.shape[1:3]
        if n_settings != 1:
            raise ValueError(f"predictions are those of one setting; take outputs for {n_settings} of them.")
        at = place("task", task, n_tasks, "task")
        rows = bounded("inputs", inputs, lambda name, value: real_array(name, value, ndim=3))
        return self.outputs(rows[:, None])[:, 0, at]

    @property
    def squared_norm(self) -> Array:
        """Sum of the squares of all weights, (seed, setting)."""
        return np.asarray(sum(np.einsum("skij,skij->sk", layer, layer) for layer in (self.first, self.second)))

    @property
    def balance(self) -> Array:
        """Invariant of gradient flow: squared norm of a unit's input weights less its output weights', (..., H)."""
        return np.asarray(np.einsum("skhd,skhd->skh", self.first, self.first)
                          - np.einsum("skth,skth->skh", self.second, self.second))  # fmt: skip

    def rescaled(self, factor: ArrayLike) -> Layers:
        """The first layer multiplied by `factor` > 0, a number or an array over (seed or 1, setting)."""
        scale = bounded("factor", factor, positive)
        fits = all(n == m or 1 in (n, m) for n, m in zip(scale.shape, self.first.shape, strict=False))
        if scale.ndim not in (0, 2) or not fits or not scale.size:
            raise ValueError(f"factor must be a number or have shape (seed or 1, setting); got {scale.shape}.")
        scale = np.atleast_2d(scale)[..., None, None]
        shape = np.broadcast_shapes(self.first.shape, scale.shape)
        second = np.broadcast_to(self.second, (*shape[:2], *self.second.shape[2:]))
        return Layers(self.first * scale, second.copy())

    def with_readout(self, second: ArrayLike) -> Layers:
        """The same first layer with other output weights, (seed, setting or 1, task, H)."""
        given = bounded("second", second, lambda name, value: real_array(name, value, ndim=4))
        wanted = (*self.first.shape[:2], given.shape[2], self.first.shape[2])
        try:
            return replace(self, second=np.array(np.broadcast_to(given, wanted)))
        except ValueError:
            raise ValueError(f"second must have shape (seed, setting or 1, task, H) to go with the first layer, "
                             f"{wanted}; got {given.shape}.") from None  # fmt: skip

    def of_settings(self, n_settings: int) -> Layers:
        """Copies of networks with one setting for several of them."""
        n = count("n_settings", n_settings)
        return Layers(np.repeat(self.first, n, axis=1), np.repeat(self.second, n, axis=1))


def random_layers(
    n_inputs: int,
    n_hidden: int,
    seeds: Iterable[int],
    scale: float,
    n_tasks: int = 1,
    mirrored: bool = False,
    role: str = "start",
) -> Layers:
    r"""Networks with Gaussian weights of standard deviation `scale`, in both layers.

    More hidden units, tasks or another scale leave the draws of the others as they were.

    Parameters
    ----------
    n_inputs, n_hidden : int
        d and H.
    seeds : iterable of int
    scale : float
        > 0.
    n_tasks : int
    mirrored : bool
        Whether the second half of the units repeats the first one with opposite outputs, so that the networks compute
        zero; H must be even.
    role : {"start", "readout"}
        Which random stream to use: a readout that replaces another one is independent of it.

    Returns
    -------
    Layers
        With one setting.

    Raises
    ------
    ValueError
        If H is odd and `mirrored`.
    """
    d, hidden, tasks = count("n_inputs", n_inputs), count("n_hidden", n_hidden), count("n_tasks", n_tasks)
    size, chosen = scalar("scale", scale, in_scale), seed_tuple(seeds)
    if flag("mirrored", mirrored) and hidden % 2:
        raise ValueError(f"n_hidden must be even for mirrored units; got {hidden}.")
    drawn = hidden // 2 if mirrored else hidden
    name = "shallow layers: " + one_of("role", role, ("start", "readout"))
    first = size * normal((drawn, d), chosen, f"{name}, first")
    second = size * np.stack([normal((drawn,), chosen, f"{name}, second", task) for task in range(tasks)], axis=1)
    if mirrored:
        first, second = np.concatenate([first, first], axis=1), np.concatenate([second, -second], axis=2)
    return Layers(first[:, None], second[:, None])
