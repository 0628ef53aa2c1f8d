r"""The kernel of the Gaussian processes: half linear, half of an endlessly wide ReLU layer.

.. math:: k(x, x') = \frac{1}{2m} \Big[x^T x' + \frac{\|x\| \|x'\|}{\pi}
    \big(\sin\theta + (\pi - \theta)\cos\theta\big)\Big]

with the inputs centred on the mean of all rows, :math:`\theta` the angle between them, and :math:`m` the mean of
:math:`\|x\|^2`, so that the mean of the diagonal is 1. Source of the second term: Cho & Saul (2009), order 1.
"""

from dataclasses import dataclass

import numpy as np

from mtlbook_lib._checks import Array


@dataclass(frozen=True)
class Kernel:
    """Centre, shape (d,), and mean square m of the rows that it was made for."""

    centre: Array
    mean_square: float

    def __call__(self, left: Array, right: Array) -> Array:
        """Its values, shape (rows of `left`, rows of `right`)."""
        x, z = left - self.centre, right - self.centre
        linear = x @ z.T
        norms = np.sqrt(np.outer(np.square(x).sum(axis=1), np.square(z).sum(axis=1)))
        # At the centre itself the angle has no meaning, and the norm makes the value 0.
        cosine = np.clip(np.divide(linear, norms, out=np.zeros_like(linear), where=norms > 0), -1.0, 1.0)
        angle = np.arccos(cosine)
        curved = norms / np.pi * (np.sin(angle) + (np.pi - angle) * cosine)
        return np.asarray((linear + curved) / (2 * self.mean_square))

    def diagonal(self, rows: Array) -> Array:
        """Of each row with itself."""
        return np.asarray(np.square(rows - self.centre).sum(axis=1) / self.mean_square)


def mean_of(values: Array, counts: Array | None = None) -> Array:
    """Over rows, each of which stands for so many, shape (n,); None is one."""
    return np.asarray(values.mean(axis=0) if counts is None else counts @ values / counts.sum())


def kernel_of(rows: Array, counts: Array | None = None) -> Kernel:
    """The kernel whose diagonal has mean 1 over these rows."""
    centre = mean_of(rows, counts)
    return Kernel(centre, float(mean_of(np.square(rows - centre).sum(axis=1), counts)))


@dataclass(frozen=True)
class LinearKernel(Kernel):
    """The linear half by itself."""

    def __call__(self, left: Array, right: Array) -> Array:
        return np.asarray((left - self.centre) @ (right - self.centre).T / self.mean_square)
