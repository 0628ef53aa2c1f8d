"""The three kernels of the joint model, on inputs that are kept from going too far.

Rare levels of a category, and values far out, lie many standard deviations from the mean; what few rows say there is
no guide. Measured on real tables, that matters as much as sharing does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array
from mtlbook_lib.forecast._kernel import Kernel, LinearKernel, kernel_of

FURTHEST = 3.0  # standard deviations
LENGTH = 3.0  # of the smooth kernel, squared, over the mean of a row's square


def clipped(rows: Array) -> Array:
    """No value is further than three standard deviations from the mean; nearer ones stay, so that lines stay lines."""
    return np.asarray(np.clip(rows, -FURTHEST, FURTHEST))


def softened(rows: Array) -> Array:
    r"""Values approach three standard deviations slowly: :math:`z / \sqrt{1 + z^2/9}`."""
    return np.asarray(rows / np.hypot(1, rows / FURTHEST))


@dataclass(frozen=True)
class SmoothKernel(Kernel):
    r"""Of smooth functions, :math:`e^{-|x - x'|^2 / 6m}`; m is the mean of a row's square, and the diagonal is 1."""

    def __call__(self, left: Array, right: Array) -> Array:
        x, z = left - self.centre, right - self.centre
        squares = np.square(x).sum(axis=1)[:, None] + np.square(z).sum(axis=1) - 2 * (x @ z.T)
        return np.asarray(np.exp(-np.maximum(squares, 0.0) / (2 * LENGTH * self.mean_square)))

    def diagonal(self, rows: Array) -> Array:
        return np.ones(len(rows))


@dataclass(frozen=True)
class Bent:
    """A kernel of inputs after `bend`."""

    kernel: Kernel
    bend: Callable[[Array], Array]

    def __call__(self, left: Array, right: Array) -> Array:
        """Its values, shape (rows of `left`, rows of `right`)."""
        return self.kernel(self.bend(left), self.bend(right))

    def diagonal(self, rows: Array) -> Array:
        """Of each row with itself."""
        return self.kernel.diagonal(self.bend(rows))


def kernels_of(rows: Array) -> list[Bent]:
    """Linear; half linear, half that of a wide layer; and smooth; of diagonal 1 in the mean over these rows."""
    line, both = kernel_of(clipped(rows)), kernel_of(softened(rows))
    linear, smooth = LinearKernel(line.centre, line.mean_square), SmoothKernel(both.centre, both.mean_square)
    return [Bent(linear, clipped), Bent(both, softened), Bent(smooth, softened)]
