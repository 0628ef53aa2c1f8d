"""The two kernels of the joint model, on inputs that are kept from going too far.

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


def clipped(rows: Array) -> Array:
    """No value is further than three standard deviations from the mean; nearer ones stay, so that lines stay lines."""
    return np.asarray(np.clip(rows, -FURTHEST, FURTHEST))


def softened(rows: Array) -> Array:
    r"""Values approach three standard deviations slowly: :math:`z / \sqrt{1 + z^2/9}`."""
    return np.asarray(rows / np.hypot(1, rows / FURTHEST))


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
        return np.asarray(np.square(self.bend(rows) - self.kernel.centre).sum(axis=1) / self.kernel.mean_square)


def kernels_of(rows: Array) -> list[Bent]:
    """Linear; and half linear, half that of a wide layer; of diagonal 1 in the mean over these rows."""
    line, both = kernel_of(clipped(rows)), kernel_of(softened(rows))
    return [Bent(LinearKernel(line.centre, line.mean_square), clipped), Bent(both, softened)]
