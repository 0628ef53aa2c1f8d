"""The four kernels of the joint model, on inputs that are kept from going too far.

Rare levels of a category, and values far out, lie many standard deviations from the mean; what few rows say there is
no guide. Measured on real tables, that matters as much as sharing does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtlbook_lib._checks import Array, varies
from mtlbook_lib.forecast import prior
from mtlbook_lib.forecast._kernel import Kernel, LinearKernel, kernel_of, mean_of

FURTHEST = 3.0  # spreads of the target's column
LENGTH = 3.0  # of the smooth kernel, squared, over the mean of a row's square
BLOCK = 64  # rows whose sums over the columns are held in a processor's cache


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
class AdditiveKernel(Kernel):
    r"""Half linear, half of sums of functions of one column each, which may have steps.

    .. math:: k(x, x') = \frac{x^T x'}{2m} + \frac{1}{2p} \sum_j e^{-|x_j - x_j'|}, \qquad
        e^{-|u - v|} = \min\big(e^{u} e^{-v},\; e^{-u} e^{v}\big)

    over the p columns that vary, `varied`, shape (d,). The second form has exponentials of rows alone, not of pairs of
    them; it needs rows within some hundred of the centre. Each term is the covariance of an Ornstein-Uhlenbeck process
    of its column; sums of such terms are the additive Gaussian processes of Duvenaud, Nickisch & Rasmussen (2011).
    The linear half is for few rows, which do not tell steps from lines.
    """

    varied: NDArray[np.bool_]

    def __call__(self, left: Array, right: Array) -> Array:
        x, z = ((rows - self.centre).T[self.varied] for rows in (left, right))
        up, down, total, alike = np.exp(z), np.exp(-z), np.zeros((len(left), len(right))), left is right
        for start in range(0, len(left), BLOCK):
            part, end = x[:, start : start + BLOCK], start + BLOCK if alike else len(right)
            into = total[start : start + BLOCK, :end]
            one, other = np.empty(into.shape), np.empty(into.shape)
            for rise, fall, above, below in zip(np.exp(part), np.exp(-part), up, down, strict=True):
                np.multiply(rise[:, None], below[:end], out=one)
                np.multiply(fall[:, None], above[:end], out=other)
                into += np.minimum(one, other, out=one)
        if alike:  # what stands above the blocks of the diagonal is what stands below them
            total = np.tril(total) + np.tril(total, -1).T
        return np.asarray(total / (2 * len(x)) + x.T @ z / (2 * self.mean_square))

    def diagonal(self, rows: Array) -> Array:
        return 0.5 + 0.5 * super().diagonal(rows)


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
        bent = self.bend(self.units(left))
        return self.kernel(bent, bent if left is right else self.bend(self.units(right)))

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
    """Linear; half linear, half that of a wide layer; smooth; half linear, half additive: 1 in the mean diagonal."""
    units, every = units_of(own, others, counts), None if counts is None else np.concatenate(counts)
    rows = units(np.concatenate([own, *others]))
    line, both = kernel_of(clipped(rows), every), kernel_of(softened(rows), every)
    linear, smooth = LinearKernel(line.centre, line.mean_square), SmoothKernel(both.centre, both.mean_square)
    additive = AdditiveKernel(both.centre, both.mean_square, np.isfinite(units.spread))
    return [Bent(linear, clipped, units), *(Bent(kernel, softened, units) for kernel in (both, smooth, additive))]
