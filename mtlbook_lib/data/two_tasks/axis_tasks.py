"""Regression from inputs of which a single one is on: so simple that examples need only be counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array, bounded, count, nonnegative, scalar, whole
from mtlbook_lib._random import seed_tuple, stream


@dataclass(frozen=True)
class AxisTask:
    """A linear task on the axes, first axis seed: what least squares need of its examples.

    Attributes
    ----------
    squares : ndarray, shape (seed, d)
        Diagonal of :math:`X^\\top X`, which has no other entries.
    products : ndarray, shape (seed, d)
        :math:`X^\\top y`.
    """

    squares: Array
    products: Array

    @property
    def model(self) -> Array:
        """The linear map that made the labels, (d,): of norm 1, and equal on all axes."""
        d = self.squares.shape[-1]
        return np.full(d, d**-0.5)


def axis_task(n_examples: int, n_inputs: int, noise: float, seeds: Iterable[int]) -> AxisTask:
    r"""Examples :math:`x = \sqrt d\, e_j` with j uniformly random, and labels 1 plus noise.

    The covariance of an input is the identity, its norm :math:`\sqrt d`, and the model :math:`(1, \dots, 1)/\sqrt d`.

    Parameters
    ----------
    n_examples, n_inputs : int
        :math:`m` and :math:`d`. The cost does not grow with :math:`m`: the examples on an axis are counted, and the sum
        of their noise is drawn at once.
    noise : float
        Standard deviation of the noise, >= 0.
    seeds : iterable of int
    """
    m, d, chosen = whole("n_examples", n_examples), count("n_inputs", n_inputs), seed_tuple(seeds)  # one draw for all m
    sigma = scalar("noise", noise, lambda name, value: bounded(name, value, nonnegative))
    on_axis = np.stack([stream(s, "axis task: counts").multinomial(m, np.full(d, 1 / d)) for s in chosen])
    drawn = np.stack([stream(s, "axis task: noise").standard_normal(d) for s in chosen])
    sums = on_axis + sigma * np.sqrt(on_axis) * drawn
    return AxisTask(d * on_axis.astype(np.float64), np.sqrt(d) * sums)
