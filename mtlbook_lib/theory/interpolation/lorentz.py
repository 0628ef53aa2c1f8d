"""Algebra of the Lorentz cone {x: x[0] >= |x[1:]|}, for one cone in each column of an array."""

from typing import NamedTuple

import numpy as np

from mtlbook_lib._checks import Array


def reflected(x: Array) -> Array:
    """x with the sign of all but its first component changed."""
    return np.concatenate((x[:1], -x[1:]))


def square(x: Array) -> Array:
    """x[0]² − |x[1:]|², positive inside the cone."""
    size = np.sqrt(np.add.reduce(x[1:] * x[1:]))
    return np.asarray((x[0] - size) * (x[0] + size))


def product(x: Array, y: Array) -> Array:
    """The Jordan product, which vanishes for complementary points of the cone."""
    return np.concatenate(((x * y).sum(axis=0)[None], x[0] * y[1:] + y[0] * x[1:]))


def quotient(x: Array, y: Array) -> Array:
    """The z with product(x, z) = y, for x inside the cone."""
    first = (x * reflected(y)).sum(axis=0) / square(x)
    return np.concatenate((first[None], (y[1:] - first * x[1:]) / x[0]))


def longest_step(x: Array, direction: Array) -> float:
    """The largest s, possibly inf, with x + s·direction in every cone; x is inside."""
    bend, inside = square(direction), square(x)
    slope = (x * reflected(direction)).sum(axis=0)
    root = np.sqrt(np.maximum(slope**2 - bend * inside, 0.0))
    # The inverse of the first positive zero of bend s² + 2 slope s + inside, written without cancellation.
    rate = float(np.max((root - slope) / inside))
    return 1 / rate if rate > 0 else np.inf


class Scaling(NamedTuple):
    """The scaling of Nesterov and Todd: `apply` maps x, and `undo` maps s, to the same point.

    `point` has square 1, `size` is one number for each cone.
    """

    point: Array
    size: Array

    def apply(self, x: Array) -> Array:
        """W x."""
        return np.asarray(_boost(reflected(self.point), x) / self.size)

    def undo(self, s: Array) -> Array:
        """W⁻¹ s."""
        return np.asarray(_boost(self.point, s) * self.size)


def scaling(x: Array, s: Array) -> Scaling:
    """The scaling with W x = W⁻¹ s, for x and s inside the cone."""
    size_x, size_s = np.sqrt(square(x)), np.sqrt(square(s))
    x, s = x / size_x, s / size_s
    point = (x + reflected(s)) / np.sqrt(2 + 2 * (x * s).sum(axis=0))
    return Scaling(point, np.sqrt(size_x / size_s))


def _boost(point: Array, x: Array) -> Array:
    """The symmetric Lorentz transformation that maps (1, 0, …) to `point`."""
    along = (point[1:] * x[1:]).sum(axis=0)
    rest = x[1:] + point[1:] * (x[0] + along / (1 + point[0]))
    return np.concatenate(((point[0] * x[0] + along)[None], rest))
