"""The three kernels of the joint model, on inputs that are kept from going too far.

Rare levels of a category, and values far out, lie many standard deviations from the mean; what few rows say there is
no guide. Measured on real tables, that matters as much as sharing does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array, varies
from mtlbook_lib.forecast import prior
from mtlbook_lib.forecast._kernel import Kernel, LinearKernel, kernel_of, mean_of

FURTHEST = 3.0  # spreads of the target's column
LENGTH = 3.0  # of the smooth kernel, squared, over the mean of a row's square


def clipped(rows: Array) -> Array:
    """No value is further than three spreads from the mean; nearer ones stay, so that lines stay lines."""
    return np.asarray(np.clip(rows, -FURTHEST, FURTHEST))


def softened(rows: Array) -> Array:
    r"""Values approach three spreads slowly: :math:`z / \sqrt{1 + z^2/9}`."""
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
class Units:
    """Centre and spread of each column, shape (d,); the spread of one that is constant is infinite: it drops out."""

    centre: Array
    spread: Array

    def __call__(self, rows: Array) -> Array:
        """Rows in these units."""
        return np.asarray((rows - self.centre) / self.spread)


@dataclass(frozen=True)
class Bent:
    """A kernel of inputs in units of their columns, after `bend`."""

    kernel: Kernel
    bend: Callable[[Array], Array]
    units: Units

    def __call__(self, left: Array, right: Array) -> Array:
        """Its values, shape (rows of `left`, rows of `right`)."""
        return self.kernel(self.bend(self.units(left)), self.bend(self.units(right)))

    def diagonal(self, rows: Array) -> Array:
        """Of each row with itself."""
        return self.kernel.diagonal(self.bend(self.units(rows)))


def units_of(own: Array, others: Sequence[Array] = (), counts: Sequence[Array] | None = None) -> Units:
    """The target's own, so that no partner's change what is known of the target.

    Centres are its means. With partners the square of a spread is the target's variance, shrunk as if
    ``prior.UNIT_ROWS`` further rows had the variance within all tasks. `counts` is how many rows each stands for.
    """
    tables = [own, *others]
    sizes: list[float] = [len(rows) for rows in tables] if counts is None else [float(one.sum()) for one in counts]
    given = [None] * len(tables) if counts is None else counts
    means = [mean_of(rows, count) for rows, count in zip(tables, given, strict=True)]
    squares = [mean_of(np.square(rows - mean), count) for rows, mean, count in zip(tables, means, given, strict=True)]
    within = sum(n * square for n, square in zip(sizes, squares, strict=True)) / sum(sizes)
    varied = np.any([varies(rows) & (rows.std(axis=0) > 0) for rows in tables], axis=0)
    spread = np.sqrt((sizes[0] * squares[0] + prior.UNIT_ROWS * within) / (sizes[0] + prior.UNIT_ROWS))
    return Units(means[0], np.where(varied, spread, np.inf))


def kernels_of(own: Array, others: Sequence[Array] = (), counts: Sequence[Array] | None = None) -> list[Bent]:
    """Linear; half linear, half that of a wide layer; and smooth; of diagonal 1 in the mean over all these rows."""
    units, every = units_of(own, others, counts), None if counts is None else np.concatenate(counts)
    rows = units(np.concatenate([own, *others]))
    line, both = kernel_of(clipped(rows), every), kernel_of(softened(rows), every)
    linear, smooth = LinearKernel(line.centre, line.mean_square), SmoothKernel(both.centre, both.mean_square)
    return [Bent(linear, clipped, units), Bent(both, softened, units), Bent(smooth, softened, units)]
